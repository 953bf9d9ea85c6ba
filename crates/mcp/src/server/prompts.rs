//! [`listed`]: the questions to begin with and the prompts there are, for clients that let their user choose one.

use rmcp::{
    ErrorData,
    model::{
        CacheScope, ElicitRequest, GetPromptRequestParams, GetPromptResponse, GetPromptResult,
        InputRequest, InputRequests, InputRequiredResult, JsonObject, ListPromptsRequestMethod,
        ListPromptsResult, Prompt, PromptArgument, PromptMessage, Role,
    },
};
use serde_json::Value;
use toolwright_core::{Question, QuestionAnswer, QuestionField, truncate_line};

use super::{
    PromptParameter, ServedPrompt, ServedTools, approval::with_schema, handler::Client,
    result::attached_block,
};

/// What questions to begin with are called, with their number behind it.
const STARTER: &str = "starter";
/// Under which name the user is asked for what a prompt takes and was not given.
const ARGUMENTS: &str = "arguments";

/// Whether there are any.
pub(super) fn are_there(served: &ServedTools) -> bool {
    !served.starters.is_empty() || !served.prompts.is_empty()
}

/// All of them: few enough for one page. `fresh` is for how long, in milliseconds, that holds, where the client's
/// protocol has a word for it.
pub(super) fn listed(
    served: &ServedTools,
    fresh: Option<u64>,
) -> Result<ListPromptsResult, ErrorData> {
    if !are_there(served) {
        return Err(ErrorData::method_not_found::<ListPromptsRequestMethod>());
    }
    let starters = served.starters.iter().enumerate().map(|(index, words)| {
        Prompt::new(starter(index), Some(words.clone()), None).with_title(words.clone())
    });
    let prompts = served.prompts.iter().map(|it| {
        let arguments: Vec<_> = it.parameters.iter().map(argument).collect();
        let arguments = Some(arguments).filter(|it| !it.is_empty());
        Prompt::new(it.name.clone(), Some(it.description.clone()), arguments)
    });
    let result = ListPromptsResult::with_all_items(starters.chain(prompts).collect());
    Ok(match fresh {
        Some(fresh) => result.with_ttl_ms(fresh).with_cache_scope(CacheScope::Private),
        None => result,
    })
}

fn argument(parameter: &PromptParameter) -> PromptArgument {
    PromptArgument::new(parameter.name.clone()).with_required(parameter.is_required)
}

fn starter(index: usize) -> String {
    format!("{STARTER}-{}", index + 1)
}

/// What becomes of the one that is asked for, or first the question for what is missing.
pub(super) async fn told(
    served: &ServedTools,
    client: &Client,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResponse, ErrorData> {
    let starters = &mut served.starters.iter().enumerate();
    if let Some((_, words)) = starters.find(|(index, _)| starter(*index) == request.name) {
        let words = PromptMessage::new_text(Role::User, words.clone());
        return Ok(GetPromptResult::new(vec![words]).into());
    }
    let prompt = served.prompts.iter().find(|it| it.name == request.name).ok_or_else(|| {
        let unknown = "there is no such prompt: prompts/list says which there are";
        ErrorData::invalid_params(unknown, None)
    })?;
    let given = given(request)?;
    let value = |it: &PromptParameter| given.get(&it.name).map(written).unwrap_or_default();
    let missing: Vec<_> = prompt.parameters.iter().filter(|it| it.is_required).collect();
    let missing: Vec<_> = missing.into_iter().filter(|it| value(it).is_empty()).collect();
    if !missing.is_empty() {
        return ask_for(prompt, &missing, client);
    }
    let values = prompt.parameters.iter().map(value).collect();
    let expand = prompt.expand.clone();
    let expanded = tokio::task::spawn_blocking(move || expand(values)).await;
    let expanded = expanded.unwrap_or_else(|_| Err("it cannot be read".to_owned()));
    let (text, files) = expanded.map_err(|why| {
        ErrorData::invalid_params(format!("nothing becomes of the prompt: {why}"), None)
    })?;
    let files = files.iter().filter_map(|it| Some(attached_block(it, it.bytes()?)));
    let mut messages: Vec<_> = files.map(|it| PromptMessage::new(Role::User, it)).collect();
    messages.push(PromptMessage::new_text(Role::User, text));
    let description = prompt.description.clone();
    Ok(GetPromptResult::new(messages).with_description(description).into())
}

/// What the prompt is given: with the request, and by the user.
fn given(request: &GetPromptRequestParams) -> Result<JsonObject, ErrorData> {
    let mut given = request.arguments.clone().unwrap_or_default();
    let answer = request.input_responses.as_ref().and_then(|it| it.get(ARGUMENTS));
    let Some(answer) = answer else { return Ok(given) };
    let answer: QuestionAnswer = serde_json::from_value(answer.clone()).map_err(|_| {
        ErrorData::invalid_params(format!("inputResponses.{ARGUMENTS} is no ElicitResult"), None)
    })?;
    match answer {
        QuestionAnswer::Accept { content } => given.extend(content),
        QuestionAnswer::Decline | QuestionAnswer::Cancel => {
            let declined = "the user did not say what the prompt needs";
            return Err(ErrorData::invalid_params(declined, None));
        }
    }
    Ok(given)
}

/// A value as it stands in a prompt.
fn written(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Asks the user for what is missing, where the client can do that with its answer.
fn ask_for(
    prompt: &ServedPrompt,
    missing: &[&PromptParameter],
    client: &Client,
) -> Result<GetPromptResponse, ErrorData> {
    let names: Vec<_> = missing.iter().map(|it| format!("`{}`", it.name)).collect();
    let needs = format!("the prompt `{}` needs {}", prompt.name, names.join(" and "));
    let refused = || ErrorData::invalid_params(needs.clone(), None);
    if !(client.is_modern && client.can_ask) {
        return Err(refused());
    }
    let about = truncate_line(&prompt.description, 200);
    let question = missing.iter().fold(Question::new(about), |question, it| {
        question.field(QuestionField::text(it.name.clone()).required())
    });
    let question = question.checked().map_err(|_| refused())?;
    let form = with_schema(question.message.clone(), question.schema()).ok_or_else(refused)?;
    let asked = InputRequest::Elicitation(ElicitRequest::new(form));
    let requests = InputRequests::from([(ARGUMENTS.to_owned(), asked)]);
    Ok(InputRequiredResult::new(Some(requests), None).into())
}
