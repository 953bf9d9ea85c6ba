//! Newtypes for the identities that travel through everything: [`RunId`], [`ConversationId`],
//! [`CallId`], [`QuestionId`] and [`MessageId`].

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        // `Arc<str>`, because every event carries one and is cloned to every listener.
        #[derive(
            Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
        )]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps an identity that came from elsewhere.
            pub fn new(id: impl Into<Arc<str>>) -> Self {
                Self(id.into())
            }

            /// The identity as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.into())
            }
        }

        impl From<String> for $name {
            fn from(id: String) -> Self {
                Self(id.into())
            }
        }
    };
}

id! {
    /// Names one run: one question and everything done to answer it.
    RunId
}
id! {
    /// Names a conversation: the messages that one run after another adds to.
    ConversationId
}
id! {
    /// Names one call of a tool, unique within its conversation; pairs the call with its result.
    CallId
}
id! {
    /// Names a question that a tool asks the user, with the run in it.
    QuestionId
}
id! {
    /// Names a message that waits for a run to take it up.
    MessageId
}
