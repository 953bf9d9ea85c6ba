//! [`ModelCheck`]: whether a model can be asked, and what it can do: it is asked for one word, and for one call.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use serde::Serialize;
use serde_json::json;
use toolwright_core::{
    CallSource, Conversation, Message, Model, ModelDelta, ModelError, ModelErrorKind, ModelRequest,
    ModelResponse, RequestCache, ToolChoice, ToolDefinitions, ToolSpec,
};
use toolwright_dialects::Dialect;
use toolwright_models::{Endpoint, EndpointConfig, TextToolModel, ToolMode};

use crate::model_survey::models;

/// How long a model may take for one of the two questions: one that has to be loaded first takes a while.
const LONGEST: Duration = Duration::from_secs(60);
/// How many models are listed.
const MOST: usize = 500;
/// The tool that it is asked to call.
const TOOL: &str = "repeat_word";

/// Whether a model can be asked, and what it can do, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelCheck {
    /// Every step, in order, also those that were not come to.
    pub steps: Vec<CheckStep>,
    /// The models that are there, where the endpoint lists them.
    pub models: Vec<String>,
}

/// A step of the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CheckStep {
    /// What was looked at.
    pub step: CheckedThing,
    /// What came of it.
    pub outcome: StepOutcome,
    /// What happened, where there is more to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
}

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CheckedThing {
    /// Whether anything answers at the address.
    Address,
    /// Whether the key is taken.
    Key,
    /// Whether the model is there.
    Model,
    /// Whether it answers.
    Answer,
    /// Whether it calls tools.
    Tools,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// It is so.
    Passed,
    /// It is not.
    Failed,
    /// It was not come to.
    Skipped,
}

impl ModelCheck {
    /// Asks the model. What is sent is two short questions, and nothing of any conversation.
    pub async fn of(mut config: EndpointConfig) -> Self {
        // Whoever waits for this wants to know how it is now.
        config.retry.retries = 0;
        config.first_byte = config.first_byte.min(LONGEST);
        let has_key = config.api_key.is_some();
        let mut check = Self::blank();
        let mut without_key = config.clone();
        without_key.api_key = None;
        let endpoint = match Endpoint::new(config) {
            Ok(endpoint) => endpoint,
            Err(error) => {
                let is_key = has_key && Endpoint::new(without_key).is_ok();
                let at = if is_key { CheckedThing::Key } else { CheckedThing::Address };
                check.fail(at, &error, None);
                return check;
            }
        };
        let Some(listing) = check.look(&endpoint).await else { return check };
        if check.ask(&endpoint, has_key, listing).await {
            check.call(endpoint).await;
        }
        check
    }

    /// Whether it answered.
    pub fn answers(&self) -> bool {
        let answered = |it: &CheckStep| it.step == CheckedThing::Answer;
        self.steps.iter().any(|it| answered(it) && it.outcome == StepOutcome::Passed)
    }

    fn blank() -> Self {
        use CheckedThing::{Address, Answer, Key, Model, Tools};
        let skipped = |step| CheckStep {
            step,
            outcome: StepOutcome::Skipped,
            says: None,
            advice: None,
            elapsed_ms: None,
        };
        let steps = [Address, Key, Model, Answer, Tools].map(skipped).to_vec();
        Self { steps, models: Vec::new() }
    }

    /// Whether anything answers there that may be asked: then, what it makes of being asked for its models.
    async fn look(&mut self, endpoint: &Endpoint) -> Option<Listing> {
        use ModelErrorKind::{Auth, BrokenReply, Connection, NotConfigured, Timeout};
        let began = Instant::now();
        let error = match models(endpoint).await {
            Ok(names) => {
                self.pass(CheckedThing::Address, None, began);
                self.models = names.into_iter().take(MOST).collect();
                return Some(Listing::Known);
            }
            Err(error) => elsewhere(error),
        };
        if matches!(error.kind, Connection | Timeout | NotConfigured) {
            self.fail(CheckedThing::Address, &error, Some(began));
            return None;
        }
        self.pass(CheckedThing::Address, None, began);
        match error.kind {
            Auth => {
                self.fail(CheckedThing::Key, &error, None);
                None
            }
            BrokenReply => Some(Listing::NoApi(error)),
            // Not every server has a list of models.
            _ => Some(Listing::Unknown),
        }
    }

    /// Whether the model answers a short question; with that, whether it is there and the key is taken.
    async fn ask(&mut self, endpoint: &Endpoint, has_key: bool, listing: Listing) -> bool {
        let began = Instant::now();
        let asked = answer(endpoint, "Reply with this one word: ready", None).await;
        let error = match asked {
            Ok(reply) => {
                let says = (!has_key).then(|| "it wants none".to_owned());
                self.pass_at(CheckedThing::Key, says, None);
                self.pass_at(CheckedThing::Model, None, None);
                if reply.text.trim().is_empty() && reply.reasoning.trim().is_empty() {
                    let message = "the reply was empty";
                    let error = ModelError::new(ModelErrorKind::BrokenReply, message);
                    self.fail(CheckedThing::Answer, &error, Some(began));
                    return false;
                }
                self.pass(CheckedThing::Answer, None, began);
                return true;
            }
            Err(error) => elsewhere(error),
        };
        let (at, error) = match (error.kind, listing) {
            (ModelErrorKind::Auth, _) => (CheckedThing::Key, error),
            (ModelErrorKind::NotFound, _) => (CheckedThing::Model, error),
            (ModelErrorKind::NotConfigured, _) => (CheckedThing::Address, error),
            // Neither is what an API of models says: the model is not to blame.
            (ModelErrorKind::BrokenReply, Listing::NoApi(no_api)) => {
                (CheckedThing::Address, no_api)
            }
            _ => (CheckedThing::Answer, error),
        };
        if at == CheckedThing::Model {
            self.pass_at(CheckedThing::Key, None, None);
        }
        self.fail(at, &error, Some(began));
        false
    }

    /// Whether it calls a tool where it is asked to.
    async fn call(&mut self, endpoint: Endpoint) {
        let schema = json!({
            "type": "object",
            "properties": {"word": {"type": "string", "description": "The word"}},
            "required": ["word"],
        });
        let tool = ToolSpec::new(TOOL, "Repeats a word.", schema);
        let model = TextToolModel::new(endpoint, ToolMode::Auto, Dialect::Auto);
        let began = Instant::now();
        let question = "Call the tool repeat_word with the word: ready";
        match answer(&model, question, Some(tool)).await {
            Ok(reply) => match reply.calls.iter().find(|it| it.name == TOOL) {
                Some(call) => {
                    let is_native = call.source == CallSource::Native;
                    let says = (!is_native).then(|| "it writes calls in its text".to_owned());
                    self.pass(CheckedThing::Tools, says, began);
                }
                None => {
                    let message = "asked to call a tool, it answered in words";
                    let error = ModelError::new(ModelErrorKind::BrokenReply, message).with_advice(
                        "it can talk, and will hardly use tools: choose another for that",
                    );
                    self.fail(CheckedThing::Tools, &error, Some(began));
                }
            },
            Err(error) => self.fail(CheckedThing::Tools, &error, Some(began)),
        }
    }

    fn pass(&mut self, step: CheckedThing, says: Option<String>, began: Instant) {
        self.pass_at(step, says, Some(began));
    }

    fn pass_at(&mut self, step: CheckedThing, says: Option<String>, began: Option<Instant>) {
        self.set(step, StepOutcome::Passed, (says, None), began);
    }

    fn fail(&mut self, step: CheckedThing, error: &ModelError, began: Option<Instant>) {
        let told = (Some(error.message.clone()), error.advice.clone());
        self.set(step, StepOutcome::Failed, told, began);
    }

    fn set(
        &mut self,
        step: CheckedThing,
        outcome: StepOutcome,
        (says, advice): (Option<String>, Option<String>),
        began: Option<Instant>,
    ) {
        let elapsed = began.map(|it| u64::try_from(it.elapsed().as_millis()).unwrap_or(u64::MAX));
        if let Some(it) = self.steps.iter_mut().find(|it| it.step == step) {
            *it = CheckStep { step, outcome, says, advice, elapsed_ms: elapsed };
        }
    }
}

/// What an endpoint makes of being asked for its models.
enum Listing {
    /// It lists them.
    Known,
    /// It has no list.
    Unknown,
    /// It says what no API of models does.
    NoApi(ModelError),
}

/// The error; of a server that sends whoever asks elsewhere, that it does. Nobody follows it with a key.
fn elsewhere(error: ModelError) -> ModelError {
    if !error.status.is_some_and(|it| (300..400).contains(&it)) {
        return error;
    }
    let message = format!("what answers at this address points elsewhere: {}", error.message);
    ModelError::new(ModelErrorKind::NotConfigured, message)
        .with_advice("give the address that it points to, if you trust that one with the key")
}

/// What a model says to one question.
async fn answer(
    model: &dyn Model,
    question: &str,
    tool: Option<ToolSpec>,
) -> Result<ModelResponse, ModelError> {
    let conversation: Conversation = [Message::user(question)].into_iter().collect();
    let choice = if tool.is_some() { ToolChoice::Auto } else { ToolChoice::None };
    let (tools, mut memo) = (ToolDefinitions::new(tool.map(Arc::new)), RequestCache::default());
    let mut parts = model.call(ModelRequest::new(&conversation, &tools, &mut memo).choice(choice));
    let whole = async {
        while let Some(part) = parts.next().await {
            if let ModelDelta::Response(reply) = part? {
                return Ok(reply);
            }
        }
        Err(ModelError::new(ModelErrorKind::BrokenReply, "the reply broke off"))
    };
    tokio::time::timeout(LONGEST, whole).await.unwrap_or_else(|_| {
        let message = format!("the model gave no reply within {} s", LONGEST.as_secs());
        Err(ModelError::new(ModelErrorKind::Timeout, message)
            .with_advice("one that has to be loaded first may take longer: try again"))
    })
}
