//! [`Exchange`]: a request and what became of it.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use toolwright_core::{
    Conversation, ModelDelta, ModelError, ModelResponse, OutputSchema, ToolChoice,
};
use toolwright_redact::Secrets;

use super::{
    format::{ModelCard, Reply},
    parts::Part,
    request::{Request, messages},
    scrub::scrub,
};

/// A request and what became of it: what a [`CassetteFile`](super::CassetteFile) is made of.
///
/// Those of a model are recorded by a [`Cassette`](super::Cassette). Whoever knows of one from elsewhere, a log
/// say, makes it here: what is not said of it is not compared when it is replayed.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub(super) model: ModelCard,
    pub(super) request: Request,
    pub(super) parts: Option<Vec<Part>>,
    pub(super) reply: Option<Reply>,
    pub(super) error: Option<ModelError>,
}

impl Exchange {
    /// That the model of this name was sent this conversation.
    pub fn new(model: &str, conversation: &Conversation) -> Self {
        let none = Secrets::new([]);
        let request = Request { messages: messages(conversation, &none), settings: Map::new() };
        Self { model: ModelCard::named(model), request, parts: None, reply: None, error: None }
    }

    /// Says whether it might, had to or must not call a tool.
    #[must_use]
    pub fn choice(self, choice: &ToolChoice) -> Self {
        self.setting("choice", json!(choice))
    }

    /// Says what form its reply had to have.
    #[must_use]
    pub fn output(self, output: Option<&OutputSchema>) -> Self {
        self.setting("output", json!(output))
    }

    fn setting(mut self, name: &str, value: Value) -> Self {
        self.request.settings.insert(name.to_owned(), value);
        self
    }

    /// That it replied this.
    #[must_use]
    pub fn replied(mut self, reply: ModelResponse) -> Self {
        self.reply = Some(reply.into());
        self
    }

    /// That it failed so.
    #[must_use]
    pub fn failed(mut self, error: ModelError) -> Self {
        self.error = Some(error);
        self
    }

    /// The same without these texts, in whatever spelling they occur.
    #[must_use]
    pub fn without<'a>(mut self, secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let secrets = &Secrets::new(secrets);
        let all = std::mem::take(&mut self.request.messages).into_iter();
        self.request.messages = all.map(|it| scrub(secrets, it)).collect();
        self.scrub_reply(secrets);
        self
    }

    /// Takes the secrets out of what the model said.
    pub(super) fn scrub_reply(&mut self, secrets: &Secrets) {
        let whole = self.reply.clone();
        self.reply = self.reply.take().and_then(|reply| clean(secrets, reply));
        // Of one that lies over several pieces, each has a part that looks like nothing.
        if whole != self.reply || self.parts.as_ref().is_some_and(|it| is_spread(secrets, it)) {
            self.parts = None;
        }
        self.parts = self.parts.take().and_then(|parts| clean(secrets, parts));
        self.error = self.error.take().and_then(|error| clean(secrets, error));
    }

    /// What came, piece by piece, as it is given again.
    pub(super) fn play(&self) -> Vec<Result<ModelDelta, ModelError>> {
        let reply = self.reply.clone().map(ModelResponse::from);
        let parts = match (&self.parts, &reply) {
            (Some(parts), _) => parts.clone(),
            (None, Some(reply)) => Part::of(reply),
            (None, None) => Vec::new(),
        };
        let mut played: Vec<_> = parts.into_iter().map(|part| Ok(part.into())).collect();
        played.extend(reply.map(|reply| Ok(ModelDelta::Response(reply))));
        played.extend(self.error.clone().map(Err));
        played
    }
}

/// Whether a secret is in the pieces together.
fn is_spread(secrets: &Secrets, parts: &[Part]) -> bool {
    let (mut text, mut other) = (String::new(), String::new());
    for part in parts {
        match part {
            Part::Text(piece) => text.push_str(piece),
            Part::Reasoning(piece) | Part::CallArguments { json: piece, .. } => {
                other.push_str(piece);
            }
            Part::CallName { .. } | Part::Retry { .. } => {}
        }
    }
    secrets.is_in(&text) || secrets.is_in(&other)
}

/// The same without the secrets; nothing where it is no such thing any more without them.
fn clean<T: Serialize + DeserializeOwned>(secrets: &Secrets, value: T) -> Option<T> {
    let cleaned = serde_json::to_value(value).map(|it| scrub(secrets, it)).ok()?;
    serde_json::from_value(cleaned).ok()
}
