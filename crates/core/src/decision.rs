//! [`Decision`]: what somebody said about one call, and [`Fingerprint`]: what exactly it was said of.

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::CallPreview;

/// A decision about one call. It is good for that call alone, and only as it was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Decision {
    /// Run it: calls like it were approved beforehand, or by a rule. Not enough for a call that
    /// somebody has to look at, be it that its JSON had to be mended or that care is needed.
    Allow,
    /// Run it: somebody looked at exactly this.
    AllowReviewed,
    /// Do not run it.
    Deny {
        /// Why, in words for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Not like this: with these arguments instead. They are checked as the model's are, and the
    /// call then waits for a decision again, so that what runs is what was shown.
    Edit {
        /// The arguments, all of them.
        arguments: Value,
    },
}

impl Decision {
    /// Do not run it, for this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny { reason: Some(reason.into()) }
    }
}

/// What exactly a decision is about: the tool, the arguments, the place, and what was shown of it. A
/// call that differs in any of these is another call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a call of `tool`.
    pub fn of(tool: &str, arguments: &Value, preview: &CallPreview) -> Self {
        let exactly = json!([tool, arguments, preview.place, preview.content]);
        let hash = Sha256::digest(exactly.to_string().as_bytes());
        let mut text = String::with_capacity(2 * hash.len());
        for byte in hash {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// The fingerprint in hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Fingerprint {
    fn from(text: String) -> Self {
        Self(text)
    }
}
