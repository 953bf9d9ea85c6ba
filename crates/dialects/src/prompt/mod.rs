//! [`Prompt`]: what a model that only writes text is told and shown.
//!
//! One [`Form`] says how a dialect writes calls and results; the section that tells the model how to
//! write one shows an example made with the same form, so that what it is told, what it is shown
//! of its own calls, and what is understood cannot disagree.

mod form;
mod forms;
mod listing;
mod tame;
mod template;
mod written;

use toolwright_core::{Call, ToolChoice, ToolDefinitions, ToolMessage};

use self::form::{Form, Telling};
use crate::Dialect;

/// What a model that only writes text is told about its tools, and how calls and results are
/// shown to it, in one dialect.
#[derive(Clone, Copy, Debug)]
pub struct Prompt(Form);

/// Behind the instructions of every dialect: what small models get wrong first.
const WAIT: &str = "The results come in the next message: never write them yourself.";

impl Prompt {
    /// The prompt of a dialect. A model whose dialect is to be recognised is told the generic one.
    pub fn new(dialect: Dialect) -> Self {
        Self(forms::of(dialect))
    }

    /// The section of the system prompt that offers these tools; nothing where there are none.
    pub fn section(&self, tools: &ToolDefinitions) -> String {
        if tools.is_empty() {
            return String::new();
        }
        match self.0.telling {
            Telling::Words(how) => {
                format!("# Available Tools\n\n{}{how}\n\n{WAIT}", listing::readable(tools))
            }
            Telling::Example => {
                let example = Call::new("abc123def", "tool_name", r#"{"param1": "value1"}"#);
                format!(
                    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n\
                     You are provided with function signatures within <tools></tools> XML tags:\n\
                     <tools>\n{}</tools>\n\n\
                     To call a function, write exactly this form, with the function's own name and \
                     arguments:\n{}\n\n{WAIT}",
                    listing::schemas(tools),
                    self.0.calls(&[example]),
                )
            }
        }
    }

    /// A turn of the model's that said this and made these calls, as it would have written it.
    pub fn turn(&self, text: &str, calls: &[Call]) -> String {
        match (text.trim().is_empty(), calls.is_empty()) {
            (_, true) => text.to_owned(),
            (true, false) => self.0.calls(calls),
            (false, false) => self.0.said(text) + &self.0.calls(calls),
        }
    }

    /// The results of one turn's calls, as one message to the model.
    pub fn results<'a>(&self, results: impl IntoIterator<Item = &'a ToolMessage>) -> String {
        self.0.results(results)
    }

    /// What is said about calling tools in one round; nothing where the model decides.
    pub fn choice(&self, choice: &ToolChoice) -> Option<String> {
        match choice {
            ToolChoice::Auto => None,
            ToolChoice::Required => {
                Some("You must use a tool now: respond with a call and nothing else.".to_owned())
            }
            ToolChoice::Tool(name) => Some(format!(
                "You must use the tool `{name}` now: respond with that call and nothing else."
            )),
            ToolChoice::None => {
                Some("Do not use a tool now: answer with what you already know.".to_owned())
            }
        }
    }
}
