//! [`ToolSpec`]: what is declared about a tool, once.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Policy;
use crate::{Outcome, Status};

/// What running a tool does to the world. Scheduling, retries, caching and approval follow from
/// this one word.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ToolEffect {
    /// Only looks: runs beside others, may be retried and cached.
    ReadOnly,
    /// Changes something, but doing it twice is doing it once: runs alone, may be retried.
    Idempotent,
    /// Changes something: runs alone and at most once. What is assumed when nothing is said.
    #[default]
    Write,
    /// Changes something that cannot be taken back: as `Write`, and a person is asked first.
    Destructive,
}

impl ToolEffect {
    /// Whether calls may run side by side.
    pub fn is_read_only(self) -> bool {
        self == Self::ReadOnly
    }

    /// Whether a person is asked before a call runs.
    pub fn needs_decision(self) -> bool {
        self == Self::Destructive
    }

    /// Whether a call may be started again when nobody knows how far it got.
    pub fn is_repeatable(self) -> bool {
        matches!(self, Self::ReadOnly | Self::Idempotent)
    }
}

/// How a result is put into words for the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultFormat {
    /// Text as it is, anything else as JSON.
    #[default]
    Plain,
    /// `{"success": true, "data": …}` or `{"success": false, "error": …}`.
    Envelope,
    /// `✅ Success!` and readable lines, or `❌ Error:` and the reason.
    Readable,
}

impl ResultFormat {
    /// The failure of a call, put into words.
    pub fn failure(self, tool: &str, message: &str) -> Outcome {
        let mark = match self {
            Self::Plain => &format!("Error executing {tool}: "),
            Self::Envelope => return envelope(Status::Failed, message),
            Self::Readable => "❌ Error: ",
        };
        Outcome::marked(Status::Failed, mark, message)
    }

    /// The refusal of a call, put into words.
    pub fn refusal(self, message: &str) -> Outcome {
        match self {
            Self::Plain => Outcome::refused(message),
            Self::Envelope => envelope(Status::Refused, message),
            Self::Readable => Outcome::marked(Status::Refused, "❌ Refused: ", message),
        }
    }

    /// How a success begins where results are readable.
    pub const SUCCESS: &str = "✅ Success!\n\n";
}

fn envelope(status: Status, message: &str) -> Outcome {
    let text = json!({"success": false, "error": message}).to_string();
    Outcome { reason: Some(message.to_owned()), ..Outcome::new(status, text) }
}

/// How text looks that a tool returned letter by letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verbatim {
    /// As it is.
    Text,
    /// Each line behind its number, as `show` and `cat -n` have it.
    Numbered,
    /// What was changed, as a unified diff behind a sentence that says where.
    Diff,
}

/// What a tool belongs together with: a pack, or the source it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolGroup {
    /// What it is called.
    pub name: String,
    /// What it is for, in a line for people; empty where nobody said.
    pub about: String,
}

impl ToolGroup {
    /// The group of this name.
    pub fn new(name: impl Into<String>, about: impl Into<String>) -> Self {
        Self { name: name.into(), about: about.into() }
    }
}

/// What is declared about a tool: what the model is told, and how the runtime treats it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name the model calls: letters, digits, `_` and `-`, at most 64.
    pub name: String,
    /// What the tool does, in words for the model.
    pub description: String,
    /// JSON Schema of the arguments, always of type object.
    pub parameters: Value,
    /// What running it does to the world.
    #[serde(default)]
    pub effect: ToolEffect,
    /// How results are put into words.
    #[serde(default)]
    pub render: ResultFormat,
    /// How calls are treated on their way to it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub policy: Policy,
    /// Tools that must have answered before this one may be called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// Parameters whose values must have come from an earlier result, the user or the
    /// configuration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grounded: Vec<String>,
    /// Pairs of parameters whose values must belong to each other: one result returned them together,
    /// or the user named them side by side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<(String, String)>,
    /// Parameters that hold free text (code, prose): never taken for a placeholder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free_text: Vec<String>,
    /// Parameters whose values are carried out (a command, its arguments as a list, an address): one
    /// that stands in a result, and that the user never said, does not run before somebody looked at
    /// it. All texts in the parameter count, however deep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub executable: Vec<String>,
    /// Tools whose results may name the addresses in [`executable`](Self::executable) parameters (those whose
    /// schema says `format: uri`) without somebody looking at them. For tools that bring what stands on the
    /// web: what others return a model may have put together before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link_sources: Vec<String>,
    /// Parameters whose values a model writes itself (a command, a program, a note) rather than
    /// takes from the conversation. The offline model is held to the conversation's own words
    /// everywhere else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<String>,
    /// Words by which people ask for this tool, where a call changes something that nobody may change unasked: the
    /// offline model does not call it where the user said none of them. Other models are not held to it: they
    /// understand more ways to ask than anybody lists. How they are written: [`asks`](crate::asks).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_by: Vec<String>,
    /// Parameters that do more than was asked for, unless it was (`overwrite`), each with the words by which people
    /// ask for it. The offline model gives such a parameter only where one of them was said; other models are not held
    /// to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_for: Vec<(String, Vec<String>)>,
    /// Parameters that make a text disappear ([`CallPreview::replaces`](crate::CallPreview::replaces)), each with the words by
    /// which people ask for that even where nobody has seen it, and for nothing else. Without one of them no model may:
    /// see [`asks_outright`](crate::asks_outright).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub even_unseen: Vec<(String, Vec<String>)>,
    /// Parameters whose text must have been seen: each line of it stands in a result, in what the user said or gave,
    /// or in what an earlier call wrote. For texts that are taken for known, such as what an edit replaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// Things people say when they want this tool: how one is found among many. No provider is sent
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
    /// Whether its calls are runs of another agent. How long such a run takes is bounded by the limits of the run
    /// that it is a part of, and not by the time a call may take.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub agent: bool,
    /// Whether what it returned stays when a conversation is shortened: it is instructions, say, that hold on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lasting: bool,
    /// JSON Schema of what it returns, always of type object, where that is known. No model is told; programs that
    /// call it are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    /// Whether what it returns is the text of files or what programs printed, to be shown letter by letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbatim: Option<Verbatim>,
    /// What it belongs together with, where that is known. A toolbox fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Arc<ToolGroup>>,
}

impl ToolSpec {
    /// A tool with these parameters and nothing special about it.
    pub fn new(name: impl Into<String>, description: impl Into<String>, parameters: Value) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            parameters,
            effect: ToolEffect::default(),
            render: ResultFormat::default(),
            policy: Policy::default(),
            after: Vec::new(),
            grounded: Vec::new(),
            together: Vec::new(),
            free_text: Vec::new(),
            executable: Vec::new(),
            link_sources: Vec::new(),
            generated: Vec::new(),
            asked_by: Vec::new(),
            asked_for: Vec::new(),
            even_unseen: Vec::new(),
            seen: Vec::new(),
            examples: Vec::new(),
            agent: false,
            lasting: false,
            returns: None,
            verbatim: None,
            group: None,
        }
    }

    /// Declares what running the tool does.
    #[must_use]
    pub fn effect(mut self, effect: ToolEffect) -> Self {
        self.effect = effect;
        self
    }

    /// Declares how results are put into words.
    #[must_use]
    pub fn render(mut self, render: ResultFormat) -> Self {
        self.render = render;
        self
    }

    /// Declares how long one attempt may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.policy.timeout = Some(timeout);
        self
    }

    /// Declares how calls are treated on their way to the tool.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Declares that `tool` must have answered first.
    #[must_use]
    pub fn after(mut self, tool: impl Into<String>) -> Self {
        self.after.push(tool.into());
        self
    }

    /// Declares that the values of `parameter` must have come from somewhere.
    #[must_use]
    pub fn grounded(mut self, parameter: impl Into<String>) -> Self {
        self.grounded.push(parameter.into());
        self
    }

    /// Declares that the values of `parameter` must have come from somewhere, and belong to the value
    /// of `other`: an identifier that is unique only within something else.
    #[must_use]
    pub fn grounded_with(self, parameter: impl Into<String>, other: impl Into<String>) -> Self {
        let parameter = parameter.into();
        let mut spec = self.grounded(parameter.clone());
        spec.together.push((parameter, other.into()));
        spec
    }

    /// Declares that `parameter` holds free text.
    #[must_use]
    pub fn free_text(mut self, parameter: impl Into<String>) -> Self {
        self.free_text.push(parameter.into());
        self
    }

    /// Declares that the value of `parameter` is carried out.
    #[must_use]
    pub fn executable(mut self, parameter: impl Into<String>) -> Self {
        self.executable.push(parameter.into());
        self
    }

    /// Declares that results of `tool` may name addresses that are gone to.
    #[must_use]
    pub fn link_source(mut self, tool: impl Into<String>) -> Self {
        self.link_sources.push(tool.into());
        self
    }

    /// Whether the values of a parameter are addresses.
    pub(crate) fn is_address(&self, parameter: &str) -> bool {
        let schema = self.parameters.get("properties").and_then(|it| it.get(parameter));
        let of = |schema: &Value| schema.get("format").is_some_and(|it| it == "uri");
        schema.is_some_and(|it| of(it) || it.get("items").is_some_and(of))
    }

    /// Declares that a model writes the value of `parameter` itself.
    #[must_use]
    pub fn generated(mut self, parameter: impl Into<String>) -> Self {
        self.generated.push(parameter.into());
        self
    }

    /// Declares that the text in `parameter` must have been seen.
    #[must_use]
    pub fn seen(mut self, parameter: impl Into<String>) -> Self {
        self.seen.push(parameter.into());
        self
    }

    /// Adds things people say when they want this tool.
    #[must_use]
    pub fn examples<S: Into<String>>(mut self, examples: impl IntoIterator<Item = S>) -> Self {
        self.examples.extend(examples.into_iter().map(Into::into));
        self
    }

    /// Declares that what it returned stays when a conversation is shortened.
    #[must_use]
    pub fn lasting(mut self) -> Self {
        self.lasting = true;
        self
    }

    /// Declares what it returns: a JSON Schema of an object.
    #[must_use]
    pub fn returns(mut self, schema: impl Into<Option<Value>>) -> Self {
        self.returns = schema.into();
        self
    }

    /// Declares that what it returns is text of files or programs, to be shown letter by letter.
    #[must_use]
    pub fn verbatim(mut self, verbatim: Verbatim) -> Self {
        self.verbatim = Some(verbatim);
        self
    }

    /// Says what it belongs together with.
    #[must_use]
    pub fn group(mut self, group: impl Into<Option<Arc<ToolGroup>>>) -> Self {
        self.group = group.into();
        self
    }

    /// Declares that its calls are runs of another agent.
    #[must_use]
    pub fn agent(mut self) -> Self {
        self.agent = true;
        self
    }

    /// Whether the parameter must be given.
    pub fn is_required(&self, parameter: &str) -> bool {
        let names = self.parameters.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|name| name == parameter))
    }

    /// Removes `null` given for a parameter that is optional: strict modes make models write every
    /// parameter, and nothing is what they mean by it.
    pub fn drop_empty_options(&self, arguments: &mut Arc<Value>) {
        let declared = |name: &str| {
            let fields = self.parameters.get("properties");
            fields.and_then(|fields| fields.get(name)).is_some_and(|it| !it.is_null())
        };
        let is_empty = |name: &str, value: &Value| {
            value.is_null() && !self.is_required(name) && declared(name)
        };
        let Some(map) = arguments.as_object() else { return };
        if map.iter().any(|(name, value)| is_empty(name, value))
            && let Some(map) = Arc::make_mut(arguments).as_object_mut()
        {
            map.retain(|name, value| !is_empty(name, value));
        }
    }

    /// The definition in OpenAI's form.
    pub fn definition(&self) -> Value {
        json!({
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": self.parameters,
            },
        })
    }
}

fn is_default(policy: &Policy) -> bool {
    *policy == Policy::default()
}
