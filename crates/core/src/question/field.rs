//! [`QuestionField`]: one thing that a form asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that a form asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct QuestionField {
    /// Its name in the answer.
    pub name: String,
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be filled in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether the titles of its choices are written as `enumNames` where the question is passed on, as
    /// they were before MCP's revision 2025-11-25.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub enum_names: bool,
    /// What is filled in.
    #[serde(flatten)]
    pub kind: FieldKind,
}

/// What is filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum FieldKind {
    /// A text.
    Text {
        /// What kind of text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        format: Option<TextFormat>,
        /// How many characters it has at least.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_length: Option<u32>,
        /// How many characters it has at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_length: Option<u32>,
        /// What stands there at first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<String>,
    },
    /// A number.
    Number {
        /// The least.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<f64>,
        /// The greatest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<f64>,
        /// What stands there at first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<f64>,
    },
    /// A whole number.
    Integer {
        /// The least.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minimum: Option<i64>,
        /// The greatest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        maximum: Option<i64>,
        /// What stands there at first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<i64>,
    },
    /// Yes or no.
    Boolean {
        /// What stands there at first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<bool>,
    },
    /// One of several.
    Choice {
        /// Those there are.
        options: Vec<FieldOption>,
        /// The one that is chosen at first, by its value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        default: Option<String>,
    },
    /// Any of several.
    MultipleChoice {
        /// Those there are.
        options: Vec<FieldOption>,
        /// How many are chosen at least.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min_items: Option<u32>,
        /// How many are chosen at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max_items: Option<u32>,
        /// Those that are chosen at first, by their values.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        default: Vec<String>,
    },
}

/// What kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TextFormat {
    /// An address of electronic mail.
    Email,
    /// The address of something.
    Uri,
    /// A day: `2026-03-01`.
    Date,
    /// A moment: `2026-03-01T12:00:00Z`.
    DateTime,
    /// What nobody should see. No form may ask for it.
    Password,
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct FieldOption {
    /// What the answer says.
    pub value: String,
    /// What people read, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl FieldOption {
    /// Something that can be chosen, and is shown as it is.
    pub fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), title: None }
    }

    /// Says what people read.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What people read.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.value)
    }
}

impl From<&str> for FieldOption {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl From<String> for FieldOption {
    fn from(value: String) -> Self {
        Self::new(value)
    }
}

impl QuestionField {
    /// A field of any kind.
    pub fn new(name: impl Into<String>, kind: FieldKind) -> Self {
        let (title, description, required, enum_names) = (None, None, false, false);
        Self { name: name.into(), title, description, required, enum_names, kind }
    }

    /// Asks for a text.
    pub fn text(name: impl Into<String>) -> Self {
        let kind =
            FieldKind::Text { format: None, min_length: None, max_length: None, default: None };
        Self::new(name, kind)
    }

    /// Asks for a number.
    pub fn number(name: impl Into<String>) -> Self {
        Self::new(name, FieldKind::Number { minimum: None, maximum: None, default: None })
    }

    /// Asks for a whole number.
    pub fn integer(name: impl Into<String>) -> Self {
        Self::new(name, FieldKind::Integer { minimum: None, maximum: None, default: None })
    }

    /// Asks for yes or no.
    pub fn boolean(name: impl Into<String>) -> Self {
        Self::new(name, FieldKind::Boolean { default: None })
    }

    /// Asks for one of several.
    pub fn choice<T: Into<FieldOption>>(
        name: impl Into<String>,
        options: impl IntoIterator<Item = T>,
    ) -> Self {
        let options = options.into_iter().map(Into::into).collect();
        Self::new(name, FieldKind::Choice { options, default: None })
    }

    /// Asks for any of several.
    pub fn multiple_choice<T: Into<FieldOption>>(
        name: impl Into<String>,
        options: impl IntoIterator<Item = T>,
    ) -> Self {
        let options = options.into_iter().map(Into::into).collect();
        let (min_items, max_items, default) = (None, None, Vec::new());
        Self::new(name, FieldKind::MultipleChoice { options, min_items, max_items, default })
    }

    /// Says what people call it.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says what it is for.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Says that it must be filled in.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// What people call it; its name where nobody said.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }
}
