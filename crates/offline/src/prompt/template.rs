//! [`Template`]: how conversations are written for a model that nobody here taught, by the template in its file.
//!
//! The file may be anybody's, and so its template: it has no access to anything but the conversation, and can neither
//! go on for ever nor write without end.

use std::{io, sync::Arc};

use jiff::{Zoned, civil::Date};
use minijinja::{
    Environment, Error, ErrorKind, Value,
    syntax::SyntaxConfig,
    value::{Kwargs, Serde},
};
use minijinja_contrib::pycompat::unknown_method_callback;
use regex::Regex;
use serde::Serialize;
use serde_json::{Value as Json, ser::PrettyFormatter};
use toolwright_core::{Conversation, ToolSpec};

use super::{
    Prompt,
    json::spaced_as,
    messages::{Messages, instructions, plain_json},
};
use crate::{OfflineError, constrain::CallForm, tokens::Tokenizer, weights::Gguf};

/// More steps than any honest template needs.
const FUEL: u64 = 4_000_000;
/// The longest prompt, in bytes.
const LONGEST: usize = 1 << 20;
/// What its environment calls it.
const NAME: &str = "conversation";

/// The template that stands in a model's file.
pub(crate) struct Template {
    environment: Environment<'static>,
    calls: CallForm,
    /// Whether it has a place for tools.
    takes_tools: bool,
    begin: String,
    end: String,
}

impl Template {
    /// The one in a file; none where there is none.
    ///
    /// # Errors
    /// `Unsupported` where it cannot be followed here.
    pub(crate) fn read(gguf: &Gguf, tokenizer: &Tokenizer) -> Result<Option<Self>, OfflineError> {
        let Some(text) = gguf.text("tokenizer.chat_template") else { return Ok(None) };
        let (begin, end) = tokenizer.begin_and_end();
        Self::new(text, begin, end).map(Some)
    }

    fn new(text: &str, begin: &str, end: &str) -> Result<Self, OfflineError> {
        let mut environment = Environment::new();
        environment.set_fuel(Some(FUEL));
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| refused(&error))?);
        environment.set_unknown_method_callback(unknown_method_callback);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.add_filter("tojson", to_json);
        environment.add_function("raise_exception", |why: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, why))
        });
        environment
            .add_function("strftime_now", |format: &str| Zoned::now().strftime(format).to_string());
        environment
            .add_template_owned(NAME, without_marks(text))
            .map_err(|error| refused(&error))?;
        Ok(Self {
            environment,
            calls: form(text),
            takes_tools: text.contains("tools"),
            begin: begin.to_owned(),
            end: end.to_owned(),
        })
    }

    /// How the model writes calls.
    pub(crate) fn calls(&self) -> CallForm {
        self.calls
    }

    /// The prompt for the next turn of a conversation with these tools, in this order.
    pub(crate) fn render(
        &self,
        conversation: &Conversation,
        tools: &[Arc<ToolSpec>],
        today: Option<Date>,
        tokenizer: &Tokenizer,
    ) -> Result<Prompt, OfflineError> {
        let told = if self.takes_tools { String::new() } else { instructions(tools) };
        let messages = Messages::of(conversation, today, &told, &|text| tokenizer.unmarked(text));
        let tools: Vec<_> = tools.iter().map(|spec| Function::of(spec, tokenizer)).collect();
        let tools = (self.takes_tools && !tools.is_empty()).then_some(tools);
        let context = Given {
            messages: &messages.all,
            tools,
            add_generation_prompt: true,
            // Models that think first have their answer cut short here: what they think is nothing a reader sees.
            enable_thinking: false,
            bos_token: &self.begin,
            eos_token: &self.end,
        };
        let template = self.environment.get_template(NAME).map_err(|error| refused(&error))?;
        let mut written = Bounded(Vec::new());
        let rendered = template.render_captured_to(Serde(&context), &mut written);
        rendered.map_err(|error| refused(&error))?;
        let text = String::from_utf8(written.0)
            .map_err(|error| OfflineError::internal(error.to_string()))?;
        let (said, found) = (messages.said, messages.found);
        Ok(Prompt { text, said, found, ..Prompt::default() })
    }
}

/// What a template is given.
#[derive(Serialize)]
struct Given<'a> {
    messages: &'a [Value],
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<Function>>,
    add_generation_prompt: bool,
    enable_thinking: bool,
    bos_token: &'a str,
    eos_token: &'a str,
}

/// A tool, its parts in the order in which models were shown them.
#[derive(Serialize)]
struct Function {
    r#type: &'static str,
    function: Signature,
}

#[derive(Serialize)]
struct Signature {
    name: String,
    description: String,
    parameters: Json,
}

impl Function {
    fn of(spec: &ToolSpec, tokenizer: &Tokenizer) -> Self {
        let parameters = plain_json(&spec.parameters, &|text| tokenizer.unmarked(text));
        let description = tokenizer.unmarked(&spec.description);
        let function = Signature { name: spec.name.clone(), description, parameters };
        Self { r#type: "function", function }
    }
}

/// How calls look in a template.
fn form(template: &str) -> CallForm {
    let is_bare = !template.contains("<tool_call>") && template.contains(r#""parameters": "#);
    if is_bare { CallForm::Bare } else { CallForm::Lines }
}

/// Some templates mark what the model said, for those who train it. That is no part of the language.
fn without_marks(template: &str) -> String {
    match Regex::new(r"\{%-?\s*(end)?generation\s*-?%\}") {
        Ok(marks) => marks.replace_all(template, "").into_owned(),
        Err(_) => template.to_owned(),
    }
}

/// JSON as templates have it: in one line with spaces, or with so many before each level.
#[allow(clippy::needless_pass_by_value, reason = "filters are given what they are given")]
fn to_json(value: &Value, options: Kwargs) -> Result<String, Error> {
    let indent: Option<usize> = options.get("indent")?;
    // Which signs are escaped is decided here.
    let _: Option<bool> = options.get("ensure_ascii")?;
    options.assert_all_used()?;
    let written = match indent {
        None => spaced_as(value),
        Some(indent) => {
            let indent = " ".repeat(indent.min(16));
            let mut bytes = Vec::new();
            let formatter = PrettyFormatter::with_indent(indent.as_bytes());
            let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
            value.serialize(&mut serializer).map(|()| String::from_utf8_lossy(&bytes).into_owned())
        }
    };
    written.map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))
}

fn refused(error: &Error) -> OfflineError {
    let what = error.detail().map_or_else(|| error.to_string(), str::to_owned);
    OfflineError::unsupported(format!(
        "The template in the model's file cannot be followed: {what}."
    ))
    .with_advice("Take another file of the same model, or another model.")
}

/// A prompt that is written, as far as there is room for it.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LONGEST {
            return Err(io::Error::other("what it writes is too long"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
