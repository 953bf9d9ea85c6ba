//! Deciding about a call that waits.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolwright_core::{Decision, Fingerprint};
use utoipa::ToSchema;

use crate::{
    ApiError,
    address::Name,
    auth::{Asker, Done, Scope},
    error::Failed,
    json::Json,
    runs::{Verdict, WaitingDecision},
};

/// A decision about a call, as it was shown.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deciding {
    /// The call.
    call_id: String,
    /// What was shown, as its `preview` says.
    fingerprint: String,
    verdict: Word,
    /// Why not, for the model.
    reason: Option<String>,
    /// The arguments in the place of the model's.
    #[schema(value_type = Option<Object>)]
    arguments: Option<Map<String, Value>>,
}

/// What is decided.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    /// Run it.
    Allow,
    /// Run it, and others like it from now on.
    Always,
    /// Do not run it.
    Deny,
    /// Other arguments are better; what becomes of it then is decided afterwards.
    Edit,
}

impl Word {
    fn name(&self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Always => "always",
            Self::Deny => "deny",
            Self::Edit => "edit",
        }
    }
}

/// What follows from a decision.
#[derive(Serialize, ToSchema)]
pub(crate) struct Decided {
    /// The rules that hold from now on.
    rules: Vec<String>,
    /// Why they do not hold: the call runs this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    save_error: Option<String>,
}

/// The calls that wait for a decision.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingDecisions {
    decisions: Vec<WaitingDecision>,
}

/// List the calls that wait for a decision
#[utoipa::path(
    get, path = "/api/conversations/{id}/decisions", operation_id = "waiting_decisions", tag = "chat",
    params(("id" = String, Path)),
    responses(
        (status = 200, body = WaitingDecisions),
        (status = 404, description = "No such conversation", body = Failed),
    )
)]
pub(crate) async fn waiting(
    service: Asker,
    Name(id): Name,
) -> Result<Json<WaitingDecisions>, ApiError> {
    let id = super::conversations::exact(&service, &id).await?.id;
    let going = service.runs().going(&id).await?;
    let mut decisions = match going {
        Some(going) => service.runs().decisions(&going).await?,
        None => Vec::new(),
    };
    // Rules hold for everybody: those alone add some who may do everything.
    if !service.who().is_admin() {
        decisions.iter_mut().for_each(WaitingDecision::forget_always);
    }
    Ok(Json(WaitingDecisions { decisions }))
}

/// Decide about a call that waits
#[utoipa::path(
    post, path = "/api/conversations/{id}/decisions", tag = "chat", request_body = Deciding,
    params(("id" = String, Path)),
    responses(
        (status = 200, body = Decided),
        (status = 404, description = "Nothing such waits", body = Failed),
        (status = 409, description = "Something else waits now, or the run was cut short (`unfinished`)", body = Failed),
    )
)]
pub(crate) async fn decide(
    service: Asker,
    Name(id): Name,
    Json(deciding): Json<Deciding>,
) -> Result<Json<Decided>, ApiError> {
    service.record().note(Done {
        call: Some(deciding.call_id.clone()),
        fingerprint: Some(deciding.fingerprint.clone()),
        verdict: Some(deciding.verdict.name()),
        ..Done::default()
    });
    service.check(&id.as_str().into()).await?;
    let gone = "nothing such waits for a decision";
    let going = service.runs().going_or(&id.as_str().into(), gone).await?;
    service.record().begun(&going.run);
    let verdict = match deciding.verdict {
        Word::Allow => Verdict::Once(Decision::AllowReviewed),
        Word::Always => {
            service.who().require(Scope::Admin)?;
            Verdict::Always
        }
        Word::Deny => {
            let reason = deciding.reason.filter(|reason| !reason.trim().is_empty());
            Verdict::Once(Decision::Deny { reason })
        }
        Word::Edit => match deciding.arguments {
            Some(arguments) => Verdict::Once(Decision::Edit { arguments: arguments.into() }),
            None => return Err(ApiError::invalid("to edit, send the `arguments` as an object")),
        },
    };
    let (call, about) = (deciding.call_id.into(), Fingerprint::from(deciding.fingerprint));
    let granted = service.runs().decide(&going, &call, &about, verdict).await?;
    if let Some(error) = &granted.failure {
        tracing::warn!(%error, "rules could not be kept, and do not hold");
    }
    let save_error = granted.failure.map(|_| "they could not be kept".to_owned());
    let rules = granted.rules.iter().map(ToString::to_string).collect();
    Ok(Json(Decided { rules, save_error }))
}
