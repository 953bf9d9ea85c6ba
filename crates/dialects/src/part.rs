//! [`DecodedPart`]: a piece of what a decoder made of a model's text.

/// A piece of what a decoder made of a model's text. The pieces do not depend on how the text was
/// cut, but for where texts and arguments are split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedPart {
    /// Text for the person.
    Text(String),
    /// The model's reasoning.
    Reasoning(String),
    /// A call begins. Provisional, like its arguments, until [`DecodedPart::Call`] confirms it.
    CallName {
        /// Which call of this reply.
        index: usize,
        /// The tool.
        name: String,
    },
    /// A piece of a call's arguments, as JSON.
    CallArguments {
        /// Which call of this reply.
        index: usize,
        /// The piece.
        json: String,
    },
    /// A call, whole.
    Call {
        /// Which call of this reply.
        index: usize,
        /// The call.
        call: ExtractedCall,
    },
    /// A call that had begun is none; its text follows, or the reply was cut off in it.
    Withdrawn {
        /// Which call of this reply.
        index: usize,
        /// Why.
        why: WithdrawReason,
    },
    /// The reply ended inside a call: of this, nothing is shown and nothing must run.
    CutOff,
}

/// Why a call that had begun is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithdrawReason {
    /// It cannot be read, even with repairs. Its text is given back.
    Broken,
    /// The reply ended inside it.
    CutOff,
    /// It stood in a reasoning block that was closed after all.
    Reasoning,
}

/// A call found in a model's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractedCall {
    /// The id, where the dialect carries one.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments: a JSON object.
    pub arguments: String,
    /// Whether something had to be mended to read it.
    pub repaired: bool,
}
