//! [`AskClient`]: the client's user decides about a call, and answers what its tool asks, by elicitation.

use std::sync::{Arc, Mutex, PoisonError};

use futures_core::future::BoxFuture;
use rmcp::model::{
    ClientCapabilities, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    InputResponses,
};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use toolwright_core::{Decision, Fingerprint, QuestionAnswer, QuestionKind, revealed};
use toolwright_runtime::{ApprovalRequest, Approver, QuestionFuture, QuestionRequest};

/// Asks the client's user.
pub(super) struct AskClient {
    /// Whether only that is asked about which somebody has to look at.
    pub(super) approve: bool,
    pub(super) asks: mpsc::UnboundedSender<Ask>,
    pub(super) rounds: Option<Rounds>,
    /// Whether its user can be sent to an address.
    pub(super) can_visit: bool,
    /// Whether it knows how choices with titles have been spelled since 2025-11-25.
    pub(super) knows_titles: bool,
}

/// For a client that is asked by the result of its call, and calls again with the answer: what its user decided
/// the last time, and what it is to be asked now.
pub(super) struct Rounds {
    pub(super) given: Option<(Fingerprint, Decision)>,
    pub(super) wanted: Wanted,
}

/// Something that the client is to be asked while the run waits.
pub(super) enum Ask {
    /// Whether a call may run.
    Approval { message: String, answer: oneshot::Sender<Decision> },
    /// A question of the tool's.
    Question(AskedQuestion),
}

/// A question of a tool's, as the client passes it on.
pub(super) struct AskedQuestion {
    /// What it is called where answers are given by name.
    pub(super) key: String,
    pub(super) form: Box<ElicitRequestParams>,
    pub(super) answer: oneshot::Sender<QuestionAnswer>,
}

impl AskedQuestion {
    /// Takes the answer out of what a client gave, where it is there.
    pub(super) fn answer_in(&self, given: &mut InputResponses) -> Option<QuestionAnswer> {
        serde_json::from_value(given.remove(&self.key)?).ok()
    }
}

/// What a question is called that has no name.
const QUESTION: &str = "question";

/// What a client is to be asked: the words, and what exactly they are about.
pub(super) type Wanted = Arc<Mutex<Option<(String, Fingerprint)>>>;

impl Approver for AskClient {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        let Some(Rounds { given, wanted }) = &self.rounds else {
            let (answer, decided) = oneshot::channel();
            let asked = self.asks.send(Ask::Approval { message: question(request), answer });
            return Box::pin(async move {
                match asked {
                    Ok(()) => decided.await.unwrap_or_else(|_| nobody()),
                    Err(_) => nobody(),
                }
            });
        };
        let call = request.call;
        let about = Fingerprint::of(&call.tool, &call.arguments, request.preview);
        let decision = match given {
            Some((asked, decision)) if *asked == about => decision.clone(),
            _ => {
                let mut wanted = wanted.lock().unwrap_or_else(PoisonError::into_inner);
                *wanted = Some((question(request), about));
                Decision::deny("the user is asked first; the client calls again then.")
            }
        };
        Box::pin(std::future::ready(decision))
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        (self.approve && !request.needs_review()).then_some(Decision::Allow)
    }

    fn answers_questions(&self, request: &QuestionRequest<'_>) -> bool {
        match request.question.kind {
            QuestionKind::Form { .. } => true,
            _ => self.can_visit,
        }
    }

    fn answer<'a>(&'a self, request: &'a QuestionRequest<'a>) -> QuestionFuture<'a> {
        let (answer, answered) = oneshot::channel();
        let form = asked_of_user(request, self.knows_titles).map(Box::new);
        let key = request.question.name.as_deref().filter(|it| !it.is_empty());
        let key = key.unwrap_or(QUESTION).to_owned();
        let asked = form.map(|form| Ask::Question(AskedQuestion { key, form, answer }));
        let sent = asked.is_some_and(|asked| self.asks.send(asked).is_ok());
        Box::pin(async move {
            match sent {
                true => answered.await.unwrap_or(QuestionAnswer::Cancel),
                false => QuestionAnswer::Cancel,
            }
        })
    }
}

/// A tool's question, as the client passes it on. Who asks stands before it.
fn asked_of_user(request: &QuestionRequest<'_>, knows_titles: bool) -> Option<ElicitRequestParams> {
    let mut question = request.question.clone();
    if let (QuestionKind::Form { fields }, false) = (&mut question.kind, knows_titles) {
        fields.iter_mut().for_each(|it| it.enum_names = true);
    }
    let message = format!("{} asks: {}", request.asker(), question.message);
    match &question.kind {
        QuestionKind::Url { url, .. } => Some(ElicitRequestParams::UrlElicitationParams {
            meta: None,
            message,
            url: url.clone(),
            elicitation_id: format!("{}-{}", request.run, request.id),
        }),
        _ => with_schema(message, question.schema()),
    }
}

fn nobody() -> Decision {
    Decision::deny("nobody decided about it.")
}

/// Decides where a client has no way to ask its user: only what was approved beforehand runs, and the client is
/// told how more can be allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NobodyAsked {
    /// Whether everything was approved beforehand that nobody has to look at.
    pub approve: bool,
}

impl Approver for NobodyAsked {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(self.decision(request)))
    }

    fn without_asking(&self, request: &ApprovalRequest<'_>) -> Option<Decision> {
        Some(self.decision(request))
    }
}

impl NobodyAsked {
    fn decision(self, request: &ApprovalRequest<'_>) -> Decision {
        match (self.approve, request.needs_review()) {
            (true, false) => Decision::Allow,
            (true, true) => Decision::deny(
                "somebody has to look at this call, and this client has no way to ask its user \
                 (elicitation). A rule that allows exactly this ([[rules]] in Toolwright's config file) would.",
            ),
            (false, _) => Decision::deny(
                "it needs an approval, and this client has no way to ask its user (elicitation). A rule \
                 that allows it ([[rules]] in Toolwright's config file), or starting Toolwright with \
                 --approve, would.",
            ),
        }
    }
}

/// How much of what a call would do is shown, in characters. More than that nobody reads in a form, and what
/// is not shown is not approved.
const SHOWN: usize = 4_000;

/// The words of the question.
fn question(request: &ApprovalRequest<'_>) -> String {
    let call = request.call;
    let what = match &request.preview.content {
        Some(content) => content.text().to_owned(),
        None => serde_json::to_string_pretty(&*call.arguments).unwrap_or_default(),
    };
    let mut words = format!("May `{}` run?\n\n{}", call.tool, cut(&revealed(&what)));
    if let Some(place) = &request.preview.place {
        words.push_str(&format!("\n\nIn: {}", revealed(place)));
    }
    if let Some(reason) = request.review_reason() {
        words.push_str(&format!("\n\nLook twice: {}.", revealed(reason)));
    }
    words
}

fn cut(text: &str) -> String {
    let left = text.chars().count().saturating_sub(SHOWN);
    match left {
        0 => text.to_owned(),
        left => {
            let shown: String = text.chars().take(SHOWN).collect();
            format!("{shown}\n[and {left} more characters that are not shown here]")
        }
    }
}

/// The form in which it is asked.
pub(super) fn form(message: String) -> Option<ElicitRequestParams> {
    let schema = json!({
        "type": "object",
        "properties": {
            DECISION: {
                "type": "string",
                "title": "Decision",
                "description": "Whether it may run, this once",
                "enum": [ALLOW, "deny"],
            },
        },
        "required": [DECISION],
    });
    with_schema(message, schema)
}

pub(super) fn with_schema(message: String, schema: Value) -> Option<ElicitRequestParams> {
    let Value::Object(schema) = schema else { return None };
    let requested_schema = ElicitationSchema::from_json_schema(schema).ok()?;
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

const DECISION: &str = "decision";
const ALLOW: &str = "allow";

/// What an answer decides. Only a clear yes is one.
pub(super) fn decided(answer: &ElicitResult) -> Decision {
    let said = answer.content.as_ref().and_then(|it| it.get(DECISION)).and_then(Value::as_str);
    match (&answer.action, said) {
        (ElicitationAction::Accept, Some(ALLOW)) => Decision::AllowReviewed,
        (ElicitationAction::Cancel, _) => nobody(),
        _ => Decision::Deny { reason: None },
    }
}

/// Whether a client can be asked to fill in a form. Those that say nothing of the ways have this one.
pub(super) fn can_ask(client: &ClientCapabilities) -> bool {
    client.elicitation.as_ref().is_some_and(|it| it.form.is_some() || it.url.is_none())
}

/// Whether a client can send its user to an address.
pub(super) fn can_visit(client: &ClientCapabilities) -> bool {
    client.elicitation.as_ref().is_some_and(|it| it.url.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Decision {
        decided(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn only_a_clear_yes_allows() {
        let yes = r#"{"action":"accept","content":{"decision":"allow"}}"#;
        assert_eq!(answer(yes), Decision::AllowReviewed);
        for no in [
            r#"{"action":"accept"}"#,
            r#"{"action":"accept","content":{}}"#,
            r#"{"action":"accept","content":{"decision":"deny"}}"#,
            r#"{"action":"accept","content":{"decision":true}}"#,
            r#"{"action":"accept","content":"allow"}"#,
            r#"{"action":"decline","content":{"decision":"allow"}}"#,
            r#"{"action":"cancel","content":{"decision":"allow"}}"#,
        ] {
            assert!(matches!(answer(no), Decision::Deny { .. }), "{no}");
        }
    }

    #[test]
    fn a_client_is_asked_in_a_form_only_where_it_has_one() {
        let can = |text: &str| can_ask(&serde_json::from_str(text).unwrap());
        assert!(can(r#"{"elicitation":{}}"#) && can(r#"{"elicitation":{"form":{},"url":{}}}"#));
        assert!(!can("{}") && !can(r#"{"elicitation":{"url":{}}}"#));
    }

    #[test]
    fn what_is_not_shown_is_told() {
        assert_eq!(cut("ä"), "ä");
        assert!(
            cut(&"ä".repeat(SHOWN + 5))
                .ends_with("[and 5 more characters that are not shown here]")
        );
        assert!(form("May it?".to_owned()).is_some());
    }
}
