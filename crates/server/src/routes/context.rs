//! What the model is told of the project.

use std::time::Duration;

use axum::extract::State;
use serde::Serialize;
use toolwright_app::{ContextKind, ContextLevel, ContextSource, ContextState, RunOverrides};
use utoipa::ToSchema;

use super::info::OfTask;
use crate::{ApiError, address::Query, error::Failed, json::Json, server::Service};

/// How long is waited for what servers have.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the model is told of the project.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProjectContext {
    /// Whether the model is told of it: a task that is about no folder is not, and neither is a small model.
    told: bool,
    /// About how many tokens every request has of it.
    tokens: u64,
    /// Instructions, skills and commands, used or not.
    sources: Vec<SourceLine>,
    /// What can be called with `/NAME` at the beginning of a message.
    commands: Vec<CommandLine>,
    /// What to know of it, a line each.
    notices: Vec<String>,
}

/// A file with instructions, a skill or a command.
#[derive(Serialize, ToSchema)]
pub(crate) struct SourceLine {
    /// `instructions`, `skill` or `command`.
    #[schema(value_type = String)]
    kind: ContextKind,
    name: String,
    /// Where it is.
    path: String,
    /// `user`, `project` or `server`: a prompt of an MCP server.
    #[schema(value_type = String)]
    level: ContextLevel,
    bytes: usize,
    /// How many of the bytes there was no room for.
    cut: usize,
    /// About how many tokens every request has of it.
    tokens: u64,
    /// `used`, `not_approved`, `invalid` or `shadowed`.
    #[schema(value_type = String)]
    state: ContextState,
    /// What it is for, or why it is not used.
    about: String,
}

/// A command.
#[derive(Serialize, ToSchema)]
pub(crate) struct CommandLine {
    name: String,
    description: String,
    /// What stands behind its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    argument_hint: Option<String>,
}

impl From<ContextSource> for SourceLine {
    fn from(it: ContextSource) -> Self {
        let ContextSource { kind, name, path, level, bytes, cut, tokens, state, about } = it;
        Self { kind, name, path, level, bytes, cut, tokens, state, about }
    }
}

/// What the model of a task is told of the project
#[utoipa::path(
    get, path = "/api/context", tag = "about", params(OfTask),
    responses(
        (status = 200, body = ProjectContext),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 422, description = "No such task", body = Failed),
    )
)]
pub(crate) async fn context(
    State(service): State<Service>,
    Query(of): Query<OfTask>,
) -> Result<Json<ProjectContext>, ApiError> {
    let wish = RunOverrides { task: of.task, ..RunOverrides::default() };
    let project = service.host().project(&wish)?;
    let mut sources = project.sources();
    // A server that does not answer keeps nobody from what the project says.
    let prompts = tokio::time::timeout(PATIENCE, project.prompts()).await.unwrap_or_default();
    sources.extend(prompts.iter().map(ContextSource::from));
    let commands = project.commands().iter().map(|it| CommandLine {
        name: it.name.clone(),
        description: it.description.clone(),
        argument_hint: it.argument_hint.clone(),
    });
    let prompts = prompts.into_iter().filter(|it| it.withheld.is_none()).map(|it| CommandLine {
        name: it.name,
        description: it.description,
        argument_hint: it.argument_hint,
    });
    Ok(Json(ProjectContext {
        told: project.is_told(),
        tokens: sources.iter().map(|it| it.tokens).sum(),
        commands: commands.chain(prompts).collect(),
        notices: project.notices(),
        sources: sources.into_iter().map(SourceLine::from).collect(),
    }))
}
