//! [`Question`]: what a tool asks the user while its call runs. MCP calls it an elicitation.
//!
//! A tool asks with [`RunContext::ask`](crate::RunContext::ask). Whoever wrote the question may be a
//! stranger, so it is bounded, nothing hides in it, it asks for no secrets, and who asks is told beside it.

mod answer;
mod bounds;
mod field;
mod format;
mod schema;
mod secret;

use futures_core::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use self::{
    answer::QuestionAnswer,
    field::{FieldKind, FieldOption, QuestionField, TextFormat},
};

/// How many questions one call may ask.
pub const MAX_QUESTIONS: u32 = 8;

/// What a tool asks the user while its call runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Question {
    /// Who asks, where it is not the tool itself: the server that the tool belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<String>,
    /// What it is called among the questions of its call, where answers are given by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is asked, in words.
    pub message: String,
    /// How it is answered.
    #[serde(flatten)]
    pub kind: QuestionKind,
}

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "mode", rename_all = "snake_case")]
#[non_exhaustive]
pub enum QuestionKind {
    /// By filling in a form. One without fields asks for a yes.
    Form {
        /// The fields, in order.
        fields: Vec<QuestionField>,
    },
    /// By visiting an address. What the user does there the tool learns elsewhere.
    Url {
        /// The address; `https` only.
        url: String,
        /// Whose address it is, as a browser reads it.
        host: String,
    },
}

/// Why a question is not put to the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// It asks for something that no form may ask for.
    #[error(
        "the field `{0}` asks for a secret, and a form must not: what is typed there is kept with the \
         conversation. Take it from the configuration, or send the user to a page of your own (a \
         question with a URL)"
    )]
    Secret(String),
    /// Something in it is longer, or there is more of it, than is shown.
    #[error("{what} of the question: at most {most} are shown, and there are {found}")]
    TooLong {
        /// What.
        what: String,
        /// How many there may be.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// A form cannot be made of its schema.
    #[error("no form can be made of the question's schema: {0}")]
    Schema(String),
    /// Nobody is sent to this address.
    #[error("nobody is sent to the question's address: {0}")]
    Url(String),
    /// The call has asked often enough.
    #[error("a call asks the user at most {MAX_QUESTIONS} questions, and this one asked them all")]
    TooMany,
}

/// Who puts questions to the user, for one call.
pub type QuestionAsker = Arc<dyn Fn(Question) -> BoxFuture<'static, QuestionAnswer> + Send + Sync>;

/// How many questions a call has asked. Whoever bounds the call's time looks at it: while it changes, or
/// any is open, the time is the user's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuestionCount {
    /// Those that were asked, answered or not.
    pub asked: u32,
    /// Those that wait for their answer.
    pub open: u32,
}

impl Question {
    /// A question that is answered with yes or no, until a [field](Self::field) is added.
    ///
    /// ```
    /// use toolwright_core::{Question, QuestionField};
    ///
    /// let question = Question::new("Which table?")
    ///     .field(QuestionField::choice("place", ["inside", "outside"]).required())
    ///     .field(QuestionField::integer("guests").title("How many are you?"));
    /// assert!(question.checked().is_ok());
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        let kind = QuestionKind::Form { fields: Vec::new() };
        Self { asker: None, name: None, message: message.into(), kind }
    }

    /// Asks the user to visit an address. `https` only.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        let url = url.into();
        let host = bounds::host_of(&url).unwrap_or_default();
        let kind = QuestionKind::Url { url, host };
        Self { asker: None, name: None, message: message.into(), kind }
    }

    /// A question with the fields of a flat JSON Schema, as MCP's `requestedSchema` is one: strings, numbers,
    /// integers, booleans and lists of choices. Required fields come first, in the order in which they are
    /// said to be.
    ///
    /// # Errors
    /// When no form can be made of the schema.
    pub fn from_schema(
        message: impl Into<String>,
        schema: &serde_json::Value,
    ) -> Result<Self, QuestionError> {
        let fields = schema::fields_of(schema)?;
        let kind = QuestionKind::Form { fields };
        Self { asker: None, name: None, message: message.into(), kind }.checked()
    }

    /// Adds a field. A question with a URL has none.
    #[must_use]
    pub fn field(mut self, field: QuestionField) -> Self {
        if let QuestionKind::Form { fields } = &mut self.kind {
            fields.push(field);
        }
        self
    }

    /// Says who asks, where it is not the tool itself.
    #[must_use]
    pub fn asker(mut self, name: impl Into<String>) -> Self {
        self.asker = Some(name.into());
        self
    }

    /// Says what it is called among the questions of its call. A client of MCP that knows the name can answer with
    /// its call, before it is asked.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The fields; none where the user is sent elsewhere.
    pub fn fields(&self) -> &[QuestionField] {
        match &self.kind {
            QuestionKind::Form { fields } => fields,
            QuestionKind::Url { .. } => &[],
        }
    }

    /// The flat JSON Schema of its fields, as MCP writes it: for whoever passes the question on.
    pub fn schema(&self) -> serde_json::Value {
        schema::schema_of(self.fields())
    }
}
