//! [`ContentSource`]: what a source of tools has for the user besides them: prompts to call, resources to attach.

use std::collections::BTreeMap;

use futures_core::future::BoxFuture;

use crate::Attachment;

/// What a source of tools has for the user besides them. No model is offered any of it: the user calls a prompt by
/// its name, and attaches a resource by its address.
pub trait ContentSource: Send + Sync {
    /// What there is now. Whoever implements it bounds how long that takes, and how much it is.
    fn content(&self) -> BoxFuture<'_, SourceContent>;

    /// What a prompt says, by its name here and with these arguments.
    fn prompt<'a>(
        &'a self,
        name: &'a str,
        arguments: BTreeMap<String, String>,
    ) -> BoxFuture<'a, Result<PromptText, ContentError>>;

    /// What stands at an address of the source's, each part with where it came from as its name.
    fn resource<'a>(&'a self, uri: &'a str)
    -> BoxFuture<'a, Result<Vec<Attachment>, ContentError>>;
}

/// Why a source gives neither a prompt nor a resource: a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ContentError(pub String);

/// What a source has for the user at some moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceContent {
    /// The prompts, those that cannot be called among them.
    pub prompts: Vec<SourcePrompt>,
    /// The resources that it lists. There may be others.
    pub resources: Vec<SourceResource>,
}

/// A prompt that the user can call. Nothing hides in its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePrompt {
    /// What it is called here, without its source.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What is typed behind its name, in this order.
    pub arguments: Vec<PromptArgument>,
    /// Why it cannot be called, where it cannot: it is not approved as it is.
    pub withheld: Option<String>,
}

/// What is typed behind the name of a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptArgument {
    /// What it is called.
    pub name: String,
    /// What it means.
    pub description: String,
    /// Whether the prompt says nothing without it.
    pub is_required: bool,
}

/// What a prompt says: words of its source, and never the user's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptText {
    /// The words.
    pub text: String,
    /// What goes with them.
    pub attachments: Vec<Attachment>,
}

/// A resource that can be attached. Nothing hides in its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceResource {
    /// Its address.
    pub uri: String,
    /// What it is called.
    pub name: String,
}
