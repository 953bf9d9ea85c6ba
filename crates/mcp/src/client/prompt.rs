//! [`PromptDefinition`]: a prompt as its server describes it, and what the user is told of it.

use std::collections::BTreeMap;

use rmcp::model::{GetPromptResult, Prompt, Role};
use serde::{Deserialize, Serialize};
use toolwright_core::{ContentError, PromptArgument, PromptText, SourcePrompt};

use super::{Approval, error::words, pins::prompt_approval, result::Content};

/// The most messages of a prompt that are read.
const MESSAGES: usize = 100;
/// The most files that go with it.
const FILES: usize = 10;
/// The most arguments that anybody types.
const ARGUMENTS: usize = 20;

/// A prompt as its server describes it: everything that is approved, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptDefinition {
    /// Its own name.
    pub name: String,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What it is to be given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<ArgumentDefinition>,
}

impl PromptDefinition {
    /// What it is known by: the SHA-256 of all that it says.
    pub(super) fn digest(&self) -> String {
        toolwright_files::digest_of([serde_json::to_vec(self).unwrap_or_default()])
    }
}

/// What a prompt is to be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArgumentDefinition {
    /// Its name.
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the prompt says nothing without it.
    #[serde(default)]
    pub required: bool,
}

impl PromptDefinition {
    pub(super) fn of(prompt: Prompt) -> Self {
        let argument = |it: rmcp::model::PromptArgument| ArgumentDefinition {
            name: it.name,
            description: it.description.or(it.title),
            required: it.required == Some(true),
        };
        Self {
            name: prompt.name,
            title: prompt.title,
            description: prompt.description,
            arguments: prompt.arguments.into_iter().flatten().map(argument).collect(),
        }
    }

    /// As the user sees it under this name, among those that were approved.
    pub(super) fn shown(
        &self,
        server: &str,
        name: &str,
        approved: &BTreeMap<String, Self>,
    ) -> SourcePrompt {
        let said = [&self.description, &self.title].into_iter().flatten();
        let said = said.map(String::as_str).find(|it| !it.trim().is_empty());
        let arguments = self.arguments.iter().take(ARGUMENTS).map(|it| PromptArgument {
            name: it.name.clone(),
            description: it.description.as_deref().map(words).unwrap_or_default(),
            is_required: it.required,
        });
        SourcePrompt {
            name: name.to_owned(),
            description: words(said.unwrap_or_default()),
            arguments: arguments.collect(),
            withheld: self.withheld(server, approved),
        }
    }

    /// Why it cannot be called.
    fn withheld(&self, server: &str, approved: &BTreeMap<String, Self>) -> Option<String> {
        if let Some(problem) = self.problem() {
            return Some(problem);
        }
        match prompt_approval(self, approved) {
            Approval::Approved => None,
            Approval::New => Some(format!(
                "it is not approved yet: `toolwright mcp approve {server}` shows it and asks"
            )),
            Approval::Changed { .. } => Some(format!(
                "it changed since it was approved: `toolwright mcp inspect {server}` shows how, \
                 `toolwright mcp approve {server}` approves it"
            )),
        }
    }

    /// Why nobody could call it, approved or not.
    pub(super) fn problem(&self) -> Option<String> {
        let is_plain = |it: &ArgumentDefinition| {
            (1..=100).contains(&it.name.chars().count())
                && !it.name.chars().any(|it| it.is_control() || toolwright_core::is_hidden(it))
        };
        if self.arguments.len() > ARGUMENTS {
            return Some(format!("it has more than {ARGUMENTS} arguments"));
        }
        match self.arguments.iter().all(is_plain) {
            true => None,
            false => Some("an argument of its has a name that cannot be shown".to_owned()),
        }
    }
}

/// What a prompt says. Whomever a server has say it, all of it is the server's words.
pub(super) fn told(result: GetPromptResult) -> Result<PromptText, ContentError> {
    let left_out = result.messages.len().saturating_sub(MESSAGES);
    let is_dialogue = result.messages.iter().any(|it| it.role == Role::Assistant);
    let mut content = Content::default();
    for message in result.messages.into_iter().take(MESSAGES) {
        match message.role {
            _ if !is_dialogue => {}
            Role::Assistant => content.say("[what an assistant would say, in the server's words]"),
            _ => content.say("[what a user would say, in the server's words]"),
        }
        content.add(message.content);
    }
    if left_out > 0 {
        content.say(&format!("[{left_out} more messages are left out]"));
    }
    if content.attached.len() > FILES {
        content.say(&format!("[{} more files are left out]", content.attached.len() - FILES));
        content.attached.truncate(FILES);
    }
    if content.text.trim().is_empty() {
        return Err(ContentError("it says nothing".to_owned()));
    }
    Ok(PromptText { text: content.text, attachments: content.attached })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
    fn said(messages: serde_json::Value) -> Result<PromptText, ContentError> {
        told(serde_json::from_value(json!({"messages": messages})).unwrap())
    }

    #[test]
    fn whoever_is_to_have_said_it_it_is_one_text() {
        let message = |role: &str, text: &str| json!({"role": role, "content": {"type": "text", "text": text}});
        let plain = said(json!([message("user", "One."), message("user", "Two.")])).unwrap();
        assert_eq!(plain.text, "One.\nTwo.");
        let both = said(json!([message("user", "May I?"), message("assistant", "Yes.")])).unwrap();
        assert_eq!(
            both.text,
            "[what a user would say, in the server's words]\nMay I?\n\
             [what an assistant would say, in the server's words]\nYes."
        );
        assert!(said(json!([])).is_err());
        assert!(said(json!([message("user", " ")])).is_err());
        let many: Vec<_> = (0..1_000).map(|it| message("user", &format!("m{it}"))).collect();
        let many = said(json!(many)).unwrap().text;
        assert!(many.ends_with("m99\n[900 more messages are left out]"), "{many}");
    }

    #[test]
    fn files_go_with_it_and_not_without_end() {
        let resource = |number: u32| {
            let blob = json!({"uri": format!("x://{number}.bin"), "blob": "AAEC"});
            json!({"role": "user", "content": {"type": "resource", "resource": blob}})
        };
        let many: Vec<_> = (0..15).map(resource).collect();
        let it = said(json!(many)).unwrap();
        assert_eq!(it.attachments.len(), FILES);
        assert!(it.text.ends_with("[5 more files are left out]"), "{}", it.text);
    }

    #[test]
    fn what_nobody_could_type_is_withheld() {
        let mut prompt: PromptDefinition = serde_json::from_value(json!({"name": "a"})).unwrap();
        assert_eq!(prompt.problem(), None);
        let argument = |name: &str| ArgumentDefinition {
            name: name.to_owned(),
            description: None,
            required: false,
        };
        prompt.arguments = vec![argument("\u{202e}x")];
        assert!(prompt.problem().unwrap().contains("cannot be shown"));
        prompt.arguments = (0..30).map(|it| argument(&it.to_string())).collect();
        assert!(prompt.problem().unwrap().contains("more than 20"));
    }
}
