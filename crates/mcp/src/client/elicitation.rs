//! [`elicit`]: what a server wants to know of the user, put to the user.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction};
use serde_json::{Value, json};
use toolwright_core::{Question, QuestionAnswer, QuestionError, RunContext};

/// Asks the user, in the name of the server. What may not be asked is declined, and the user hears nothing of it.
pub(super) async fn elicit(
    server: &str,
    params: ElicitRequestParams,
    context: &RunContext,
) -> ElicitResult {
    elicit_named(server, None, params, context).await
}

/// The same, under the name that the server has for the question.
pub(super) async fn elicit_named(
    server: &str,
    name: Option<&str>,
    params: ElicitRequestParams,
    context: &RunContext,
) -> ElicitResult {
    let asked = match question(params) {
        Ok(mut question) => {
            question.name = name.map(str::to_owned);
            context.ask(question.asker(server)).await
        }
        Err(error) => Err(error),
    };
    let answer = asked.unwrap_or_else(|error| {
        tracing::warn!(server, %error, "a question of an MCP server is declined");
        QuestionAnswer::Decline
    });
    match answer {
        QuestionAnswer::Accept { content } => {
            ElicitResult::new(ElicitationAction::Accept).with_content(Value::Object(content))
        }
        QuestionAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
        QuestionAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    }
}

fn question(params: ElicitRequestParams) -> Result<Question, QuestionError> {
    match params {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            Question::from_schema(message, &json!(requested_schema))
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            Question::url(message, url).checked()
        }
        _ => Err(QuestionError::Schema("it is asked in a way that is not known here".to_owned())),
    }
}
