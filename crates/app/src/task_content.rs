//! [`TaskContent`]: what the servers of a task have for the user: prompts to call, resources to attach.

use std::sync::Arc;

use futures_util::future::join_all;
use toolwright_core::{
    Attachment, AttachmentKind, Author, ContentError, ContentSource, PromptText, SourceContent,
    SourcePrompt, ToolSource, truncate_line,
};
use toolwright_project::{
    ArgumentsError, ContextKind, ContextSource, ContextState, Expansion, ExpansionError, Level,
    called, prompt_arguments, prompt_usage,
};
use toolwright_redact::Secrets;

use crate::Config;

/// What the address of a server's resource begins with, where a file could be named, too.
const SCHEME: &str = "mcp:";

/// What the servers of a task have for the user.
#[derive(Clone, Default)]
pub(crate) struct TaskContent {
    sources: Vec<Arc<dyn ToolSource>>,
    /// What no server may bring before a model, as no tool may.
    secrets: Option<Arc<Secrets>>,
}

/// A prompt of a server's, as the user calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerPrompt {
    /// What is typed behind the `/`: `server:prompt`.
    pub name: String,
    /// The server.
    pub server: String,
    /// What it is for.
    pub description: String,
    /// What stands behind its name: `CITY [STATE]`.
    pub argument_hint: Option<String>,
    /// Why it cannot be called, where it cannot.
    pub withheld: Option<String>,
}

/// Why nothing becomes of what the user called, or wants to attach.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserContentError {
    /// Nothing becomes of a command.
    #[error(transparent)]
    Expansion(#[from] ExpansionError),
    /// A prompt needs something else.
    #[error(transparent)]
    Arguments(#[from] ArgumentsError),
    /// A server has no such prompt.
    #[error("the MCP server `{server}` has no prompt `{prompt}`: {there}")]
    NoPrompt {
        /// The server.
        server: String,
        /// What was called.
        prompt: String,
        /// What there is.
        there: String,
    },
    /// A prompt cannot be called.
    #[error("/{name} cannot be called: {reason}")]
    Prompt {
        /// The prompt.
        name: String,
        /// Why.
        reason: ContentError,
    },
    /// A resource cannot be attached.
    #[error("{reference} cannot be attached: {reason}")]
    Resource {
        /// What was named.
        reference: String,
        /// Why.
        reason: ContentError,
    },
}

/// The server and the address that are named so: `mcp:SERVER:URI`.
pub(crate) fn reference(text: &str) -> Option<(&str, &str)> {
    let (server, uri) = text.strip_prefix(SCHEME)?.split_once(':')?;
    (!server.is_empty() && !uri.is_empty()).then_some((server, uri))
}

impl TaskContent {
    pub(crate) fn new(config: &Config, sources: &[Arc<dyn ToolSource>]) -> Self {
        let sources: Vec<_> = sources.iter().filter(|it| it.content().is_some()).cloned().collect();
        if sources.is_empty() {
            return Self::default();
        }
        let secrets = crate::context(config);
        let secrets = Secrets::new(secrets.secrets().iter().map(|it| &**it));
        Self { sources, secrets: Some(Arc::new(secrets)) }
    }

    /// What this task has, and what another has besides.
    pub(crate) fn extend(&mut self, other: Self) {
        for source in other.sources {
            if !self.sources.iter().any(|it| it.name() == source.name()) {
                self.sources.push(source);
            }
        }
        self.secrets = self.secrets.take().or(other.secrets);
    }

    fn server(&self, name: &str) -> Option<&dyn ContentSource> {
        self.sources.iter().find(|it| it.name() == name)?.content()
    }

    /// The server, the prompt and what is typed behind them, where a line calls one of a server there is.
    pub(crate) fn called<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str, &'a str)> {
        let (name, arguments) = called(line)?;
        let (server, prompt) = name.split_once(':')?;
        self.server(server).map(|_| (server, prompt, arguments))
    }

    /// What every server has, all asked at once.
    async fn content(&self) -> Vec<(String, SourceContent)> {
        let asked = self.sources.iter().map(|it| async {
            let content = match it.content() {
                Some(source) => source.content().await,
                None => SourceContent::default(),
            };
            (it.name().to_owned(), content)
        });
        join_all(asked).await
    }

    /// The prompts of every server.
    pub(crate) async fn prompts(&self) -> Vec<ServerPrompt> {
        let all = self.content().await.into_iter();
        let prompts = all.flat_map(|(server, content)| {
            let prompts = content.prompts.into_iter();
            prompts.map(move |it| prompt(&server, it)).collect::<Vec<_>>()
        });
        prompts.collect()
    }

    /// The resources that servers list, as they are attached.
    pub(crate) async fn resources(&self) -> Vec<String> {
        let all = self.content().await.into_iter();
        let references = all.flat_map(|(server, content)| {
            let resources = content.resources.into_iter();
            resources.map(move |it| format!("{SCHEME}{server}:{}", it.uri)).collect::<Vec<_>>()
        });
        references.collect()
    }

    /// What a prompt says that a line calls; none where it calls none of a server there is.
    ///
    /// # Errors
    /// Where nothing becomes of it.
    pub(crate) async fn expand(&self, line: &str) -> Option<Result<Expansion, UserContentError>> {
        let (server, prompt, arguments) = self.called(line)?;
        let source = self.server(server)?;
        Some(self.expanded(source, line, (server, prompt), arguments).await)
    }

    async fn expanded(
        &self,
        source: &dyn ContentSource,
        line: &str,
        (server, prompt): (&str, &str),
        arguments: &str,
    ) -> Result<Expansion, UserContentError> {
        let name = format!("{server}:{prompt}");
        let prompts = source.content().await.prompts;
        let withheld = |reason| UserContentError::Prompt { name: name.clone(), reason };
        let Some(found) = prompts.iter().find(|it| it.name == prompt) else {
            return Err(UserContentError::NoPrompt {
                server: server.to_owned(),
                prompt: truncate_line(prompt, 60),
                there: there_are(&prompts, server),
            });
        };
        if let Some(reason) = &found.withheld {
            return Err(withheld(ContentError(reason.clone())));
        }
        let arguments = prompt_arguments(&name, &found.arguments, arguments)?;
        let said = source.prompt(prompt, arguments).await;
        let said =
            said.and_then(|it| self.clean_prompt(it)).map_err(|it| withheld(self.words(it)))?;
        Ok(Expansion::of_prompt(line, &name, &format!("{SCHEME}{server}:{prompt}"), said)?)
    }

    /// What stands at `mcp:SERVER:URI`.
    ///
    /// # Errors
    /// Where nothing does.
    pub(crate) async fn attach(&self, text: &str) -> Result<Vec<Attachment>, UserContentError> {
        let failed = |reason| UserContentError::Resource {
            reference: truncate_line(text, 200),
            reason: self.words(reason),
        };
        let (server, uri) = reference(text).ok_or_else(|| {
            failed(ContentError("a resource of a server is `mcp:SERVER:ADDRESS`".to_owned()))
        })?;
        let source = self.server(server).ok_or_else(|| failed(self.no_server(server)))?;
        let parts = source.resource(uri).await.map_err(failed)?;
        // The user chose the address, and not the picture: what it tells a model can be compared with nothing.
        let marked = |it: Attachment| match it.kind() {
            AttachmentKind::Text => it,
            _ => it.of(Author::Server),
        };
        let parts = parts.into_iter().map(|it| self.clean(it).map(marked));
        parts.collect::<Result<_, _>>().map_err(failed)
    }

    fn no_server(&self, server: &str) -> ContentError {
        let names: Vec<_> = self.sources.iter().map(|it| it.name()).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let server = truncate_line(server, 60);
        ContentError(format!("this task has no MCP server `{server}`; there are: {there}"))
    }

    fn words(&self, error: ContentError) -> ContentError {
        let cleaned = self.secrets.as_ref().and_then(|it| it.clean(&error.0));
        ContentError(cleaned.map_or(error.0, |(cleaned, _)| cleaned))
    }

    fn clean_prompt(&self, said: PromptText) -> Result<PromptText, ContentError> {
        let text = self.words(ContentError(said.text)).0;
        let attachments = said.attachments.into_iter().map(|it| self.clean(it));
        Ok(PromptText { text, attachments: attachments.collect::<Result<_, _>>()? })
    }

    /// An attachment without the secrets: text is cleaned, and what else has one in it is refused.
    fn clean(&self, attachment: Attachment) -> Result<Attachment, ContentError> {
        let bytes = attachment.bytes().map(|it| String::from_utf8_lossy(it));
        let cleaned = bytes.and_then(|it| self.secrets.as_ref()?.clean(&it));
        let Some((cleaned, _)) = cleaned else { return Ok(attachment) };
        if attachment.kind() != AttachmentKind::Text {
            return Err(ContentError("there is a secret of this machine's in it".to_owned()));
        }
        let (kind, name) = (attachment.media_type.as_str(), attachment.name.as_deref());
        Attachment::new(cleaned.into_bytes(), Some(kind), name)
            .map_err(|error| ContentError(error.to_string()))
    }
}

fn prompt(server: &str, prompt: SourcePrompt) -> ServerPrompt {
    let hint = prompt_usage("", &prompt.arguments).trim().to_owned();
    ServerPrompt {
        name: format!("{server}:{}", prompt.name),
        server: server.to_owned(),
        description: truncate_line(&prompt.description, 200),
        argument_hint: (!hint.is_empty()).then_some(hint),
        withheld: prompt.withheld,
    }
}

/// What can be called instead.
fn there_are(prompts: &[SourcePrompt], server: &str) -> String {
    let names: Vec<_> = prompts.iter().map(|it| format!("/{server}:{}", it.name)).collect();
    match names.is_empty() {
        true => format!("it has none, or does not answer (`toolwright mcp inspect {server}`)"),
        false => truncate_line(&names.join(", "), 500),
    }
}

impl From<&ServerPrompt> for ContextSource {
    fn from(prompt: &ServerPrompt) -> Self {
        Self {
            kind: ContextKind::Command,
            name: prompt.name.clone(),
            path: format!("{SCHEME}{}", prompt.server),
            level: Level::Server,
            bytes: 0,
            cut: 0,
            tokens: 0,
            state: match prompt.withheld {
                None => ContextState::Used,
                Some(_) => ContextState::NotApproved,
            },
            about: prompt.withheld.as_ref().unwrap_or(&prompt.description).clone(),
        }
    }
}
