//! [`Guard`]: a check a call must pass before it runs, or an answer before it is given.
//!
//! Guards are small and pure: they look at a call and the conversation and say yes, or say no in
//! words that tell the model what was wrong and what it could use instead. A call that any guard
//! refuses does not run.

mod duplicate;
mod failed_text;
mod grounded;
mod one_at_a_time;
mod placeholders;
mod prerequisites;
mod repetition;
mod seen;
mod unfinished;

use std::{cell::RefCell, fmt, sync::Arc};

use serde_json::Value;

pub use self::{
    duplicate::Duplicate,
    failed_text::FailedText,
    grounded::Grounded,
    one_at_a_time::OneAtATime,
    placeholders::{Placeholders, is_placeholder},
    prerequisites::Prerequisites,
    repetition::Repetition,
    seen::Seen,
    unfinished::UnfinishedAnswer,
};
use crate::{Call, CallPreview, Conversation, Provenance, ToolCatalog, ToolSpec};

/// A check a call must pass before it runs, or an answer before it is given.
///
/// ```
/// use toolwright_core::{Guard, guard::{CallCheck, Refusal}};
///
/// /// No transfer beyond a limit, whatever the model was talked into.
/// struct AtMost(f64);
///
/// impl Guard for AtMost {
///     fn name(&self) -> &str {
///         "at_most"
///     }
///
///     fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
///         match check.arguments["amount"].as_f64() {
///             Some(amount) if amount > self.0 => Err(Refusal::new(format!("{amount} is too much."))
///                 .instead(format!("Transfer {} at most, or ask the user.", self.0))),
///             _ => Ok(()),
///         }
///     }
/// }
/// ```
pub trait Guard: Send + Sync {
    /// The name shown beside a refusal.
    fn name(&self) -> &str;

    /// Checks a call.
    ///
    /// # Errors
    /// When the call must not run.
    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        let _ = check;
        Ok(())
    }

    /// Checks what a call would do, as its tool tells it, before somebody decides about it. Only calls that somebody
    /// decides about get here, and none whose arguments a person changed: they decide about it themselves.
    ///
    /// # Errors
    /// When the call must not run.
    fn check_preview(&self, check: &PreviewCheck<'_>) -> Result<(), Refusal> {
        let _ = check;
        Ok(())
    }

    /// Checks an answer. A refused answer is sent back to the model once.
    ///
    /// # Errors
    /// When the answer is unusable.
    fn check_answer(&self, check: &AnswerCheck<'_>) -> Result<(), Refusal> {
        let _ = check;
        Ok(())
    }
}

impl<G: Guard + ?Sized> Guard for Arc<G> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        (**self).check_call(check)
    }

    fn check_preview(&self, check: &PreviewCheck<'_>) -> Result<(), Refusal> {
        (**self).check_preview(check)
    }

    fn check_answer(&self, check: &AnswerCheck<'_>) -> Result<(), Refusal> {
        (**self).check_answer(check)
    }
}

/// What a guard sees of a call.
#[non_exhaustive]
pub struct CallCheck<'a> {
    /// The call as the model wrote it, or as it was changed.
    pub call: &'a Call,
    /// The tool.
    pub spec: &'a ToolSpec,
    /// The arguments, parsed and valid against the schema.
    pub arguments: &'a Value,
    /// The arguments as the model wrote them, where somebody changed them.
    pub original_arguments: Option<&'a Value>,
    /// Which call of its reply it is, from 0.
    pub index: usize,
    /// Whether the model replies only once: it cannot look first and go on then.
    pub single_shot: bool,
    /// Everything said so far, the reply this call is in included, its results not.
    pub conversation: &'a Conversation,
    /// Where values in the arguments came from, as far as it was looked up while they were checked: the
    /// event that says that the call passed tells it.
    provenance: RefCell<Vec<Provenance>>,
}

impl<'a> CallCheck<'a> {
    /// The first call of a reply, as the model wrote it.
    pub fn new(
        call: &'a Call,
        spec: &'a ToolSpec,
        arguments: &'a Value,
        conversation: &'a Conversation,
    ) -> Self {
        let provenance = RefCell::default();
        Self {
            call,
            spec,
            arguments,
            original_arguments: None,
            index: 0,
            single_shot: false,
            conversation,
            provenance,
        }
    }

    /// Takes note of where values came from. The values were looked up anyway, to decide about them.
    fn trace(&self, provenance: impl IntoIterator<Item = Provenance>) {
        self.provenance.borrow_mut().extend(provenance);
    }

    /// Where values came from, once every guard has looked.
    pub(crate) fn into_provenance(self) -> Vec<Provenance> {
        self.provenance.into_inner()
    }
}

/// What a guard sees of what a call would do.
#[non_exhaustive]
pub struct PreviewCheck<'a> {
    /// The tool.
    pub spec: &'a ToolSpec,
    /// The arguments, as they were checked.
    pub arguments: &'a Value,
    /// What the tool says it would do with them.
    pub preview: &'a CallPreview,
    /// Everything said so far, the reply this call is in included, its results not.
    pub conversation: &'a Conversation,
}

impl<'a> PreviewCheck<'a> {
    /// A call of this tool that would do this.
    pub fn new(
        spec: &'a ToolSpec,
        arguments: &'a Value,
        preview: &'a CallPreview,
        conversation: &'a Conversation,
    ) -> Self {
        Self { spec, arguments, preview, conversation }
    }
}

/// What a guard sees of an answer.
#[non_exhaustive]
pub struct AnswerCheck<'a> {
    /// The answer.
    pub text: &'a str,
    /// Everything said so far, the answer included.
    pub conversation: &'a Conversation,
    /// The tools.
    pub catalog: &'a dyn ToolCatalog,
}

impl<'a> AnswerCheck<'a> {
    /// This answer to this conversation.
    pub fn new(
        text: &'a str,
        conversation: &'a Conversation,
        catalog: &'a dyn ToolCatalog,
    ) -> Self {
        Self { text, conversation, catalog }
    }
}

/// Why a guard said no, and what to do instead, in words for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: String,
    instead: Option<String>,
}

impl Refusal {
    /// A refusal for this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), instead: None }
    }

    /// Adds what to do or use instead.
    #[must_use]
    pub fn instead(mut self, instead: impl Into<String>) -> Self {
        self.instead = Some(instead.into());
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &self.instead {
            Some(instead) => write!(f, " {instead}"),
            None => Ok(()),
        }
    }
}

/// The guards that are on unless told otherwise: all but [`OneAtATime`].
pub fn defaults() -> Vec<Arc<dyn Guard>> {
    vec![
        Arc::new(Placeholders),
        Arc::new(Prerequisites),
        Arc::new(Grounded::default()),
        Arc::new(Seen),
        Arc::new(FailedText),
        Arc::new(Duplicate),
        Arc::new(Repetition::default()),
        Arc::new(UnfinishedAnswer),
    ]
}
