//! [`Grammar`]: a dialect as data: its markers, and the forms it uses without any.

mod tables;

use std::sync::OnceLock;

use crate::{Dialect, marker::Markers};

/// A dialect as data.
pub(crate) struct Grammar {
    pub(crate) dialect: Dialect,
    pub(crate) markers: Markers<Token>,
    forms: u16,
    pub(crate) triggers: Triggers,
}

/// Bytes at which something other than plain text may begin.
pub(crate) struct Triggers(Vec<Trigger>);

/// Up to three bytes, which are looked for together.
#[derive(Clone, Copy)]
pub(crate) struct Trigger([u8; 3]);

impl Triggers {
    /// The most groups a grammar has.
    pub(crate) const GROUPS: usize = 4;

    fn new(is: impl Fn(u8) -> bool) -> Self {
        let bytes: Vec<u8> = (0..=u8::MAX).filter(|byte| is(*byte)).collect();
        debug_assert!(bytes.len() <= 3 * Self::GROUPS);
        let group = |bytes: &[u8]| {
            let last = bytes.last().copied().unwrap_or_default();
            Trigger(std::array::from_fn(|at| bytes.get(at).copied().unwrap_or(last)))
        };
        Self(bytes.chunks(3).map(group).collect())
    }

    pub(crate) fn groups(&self) -> &[Trigger] {
        &self.0
    }
}

impl Trigger {
    /// Where the first of them is.
    #[inline]
    pub(crate) fn find(self, bytes: &[u8]) -> Option<usize> {
        let [one, two, three] = self.0;
        memchr::memchr3(one, two, three, bytes)
    }
}

/// What a marker means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    /// A call follows.
    Call(Body),
    /// Reasoning follows, up to one of these marks.
    Think(&'static [&'static str]),
    /// Text in which nothing is a call follows, up to one of these marks.
    Quiet(&'static [&'static str]),
    /// Markup: closes something.
    Mark(&'static str),
    /// Wraps an answer, where nothing but reasoning stands before it.
    Answer(&'static str),
    /// The model's turn is over, if nothing follows.
    EndOfTurn,
}

/// In which form the call behind a marker is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body {
    /// Whatever the next bytes show: JSON, tags, Python, a name with keys and values.
    Wrapper {
        /// The mark that closes it.
        close: &'static str,
        /// Whose JSON it holds.
        dialect: Dialect,
    },
    /// JSON objects whose only key is the tool.
    Keyed,
    /// Wrappers round wrappers: the marker alone is not a call.
    Section(&'static str),
    /// `[TOOL_CALLS]`: JSON, or a name and then JSON.
    Mistral,
    /// `<function=`: a name, then JSON or tags.
    Function,
    /// `<function`, `<invoke`, with or without a namespace: the name is an attribute.
    Element,
    /// A header with the name, a separator, then JSON.
    Header,
    /// An id, a name and arguments, each behind a token.
    Solar,
    /// `call:name{…}`, with a token for a quote.
    Braces {
        /// The token that opens and closes a string.
        quote: &'static str,
        /// The mark that closes the call.
        close: &'static str,
        /// Whose it is.
        dialect: Dialect,
    },
    /// `<|python_tag|>`: JSON, or a call in Python.
    PythonTag,
    /// A message with a header that says who speaks to whom.
    Message,
    /// `<|open|>`: an element of XTML.
    Xtml,
    /// `]<]minimax[>[`: an element whose children are the arguments.
    Nested,
    /// `<|message_model|>`: a message whose kind follows.
    Typed,
}

/// Forms without a marker.
#[derive(Clone, Copy, Debug)]
#[repr(u16)]
pub(crate) enum Form {
    /// JSON objects and lists in prose and in fences.
    Json = 1,
    /// A JSON object that only lacks the opening mark in front of it.
    Orphan = 2,
    /// `functools[…]`.
    Functools = 4,
    /// `[f(a=1)]`.
    Python = 8,
    /// A fence labelled `tool_code`.
    ToolCode = 16,
    /// `Thought:`, `Action:`, `Action Input:`.
    Lines = 32,
    /// `Action:` and a fence.
    Actions = 64,
    /// `>>>name` and a new line.
    Recipients = 128,
    /// ` to=name<|message|>` at the beginning.
    Headers = 256,
    /// Entities in tagged values are decoded.
    Entities = 512,
    /// Calls in reasoning count.
    ThinkingCalls = 1024,
}

impl Grammar {
    /// The grammar of a dialect, made once.
    pub(crate) fn of(dialect: Dialect) -> &'static Self {
        static GRAMMARS: [OnceLock<Grammar>; Dialect::ALL.len() + 1] =
            [const { OnceLock::new() }; Dialect::ALL.len() + 1];
        static AUTO: OnceLock<Grammar> = OnceLock::new();
        let cell = GRAMMARS.get(dialect as usize).unwrap_or(&AUTO);
        cell.get_or_init(|| Self::new(dialect))
    }

    /// No dialect at all.
    pub(crate) fn none() -> &'static Self {
        static NONE: OnceLock<Grammar> = OnceLock::new();
        NONE.get_or_init(|| Self {
            dialect: Dialect::Auto,
            markers: Markers::new([]),
            forms: 0,
            triggers: Triggers::new(|_| false),
        })
    }

    fn new(dialect: Dialect) -> Self {
        let (groups, forms) = tables::of(dialect);
        let forms = forms.iter().fold(0, |all, form| all | *form as u16);
        let entries = groups.iter().copied().flatten().copied();
        let markers = Markers::new(entries.chain(tables::COMMON.iter().copied()));
        let none = Triggers::new(|_| false);
        let grammar = Self { dialect, markers, forms, triggers: none };
        Self { triggers: Triggers::new(|byte| grammar.triggers_on(byte)), ..grammar }
    }

    fn triggers_on(&self, byte: u8) -> bool {
        let bare = match byte {
            b'{' => self.has(Form::Json) || self.has(Form::Orphan),
            b'[' => {
                self.has(Form::Json)
                    || self.has(Form::Orphan)
                    || self.has(Form::Python)
                    || self.has(Form::Functools)
            }
            b'`' | b'~' => {
                self.has(Form::Json) || self.has(Form::ToolCode) || self.has(Form::Python)
            }
            b'\n' => self.has(Form::Lines) || self.has(Form::Actions),
            b'>' => self.has(Form::Recipients),
            _ => false,
        };
        bare || self.markers.may_begin(byte)
    }

    pub(crate) fn has(&self, form: Form) -> bool {
        self.forms & form as u16 != 0
    }
}
