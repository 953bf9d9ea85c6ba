//! [`listed`]: the questions to begin with, for clients that let their user choose one.

use rmcp::{
    ErrorData,
    model::{
        GetPromptResult, ListPromptsRequestMethod, ListPromptsResult, Prompt, PromptMessage, Role,
    },
};

/// What they are called, with their number behind it.
const NAME: &str = "starter";

/// All of them. There are few.
pub(super) fn listed(starters: &[String]) -> Result<ListPromptsResult, ErrorData> {
    if starters.is_empty() {
        return Err(ErrorData::method_not_found::<ListPromptsRequestMethod>());
    }
    let prompts = starters.iter().enumerate().map(|(index, words)| {
        Prompt::new(name(index), Some(words.clone()), None).with_title(words.clone())
    });
    Ok(ListPromptsResult::with_all_items(prompts.collect()))
}

/// The one of this name.
pub(super) fn told(starters: &[String], wanted: &str) -> Result<GetPromptResult, ErrorData> {
    let found = starters.iter().enumerate().find(|(index, _)| name(*index) == wanted);
    let (_, words) = found.ok_or_else(|| {
        ErrorData::invalid_params(
            "there is no such prompt: prompts/list says which there are",
            None,
        )
    })?;
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, words.clone())]))
}

fn name(index: usize) -> String {
    format!("{NAME}-{}", index + 1)
}
