//! [`Context`]: what values may be taken from.

use std::sync::Arc;

use jiff::civil::Date;
use serde_json::Value;
use toolwright_core::ToolSpec;

use crate::asked::asking;

use super::{
    asking::is_asked,
    change::{Changed, changes, has_place, lines_meant, may_take_out},
    days::Days,
    list::List,
    numbers::Numbers,
    spans::Spans,
};

/// What values may be taken from: what the person said and what tools returned.
pub struct Context {
    /// All of it.
    pub(super) all: Words,
    /// What names a thing: all that tools returned, and of what the person said only words that are no
    /// words of a language.
    pub(super) ids: Words,
    /// What an answer may be made of.
    pub(super) grounds: Grounds,
    /// Where something is to be taken out of what was found, the lines that it stands in; else nothing.
    pub(super) taken_out: Spans,
    /// Whether something is to go: what stands in its place may be nothing then.
    pub(super) takes_out: bool,
    found: Vec<String>,
    /// What the person asks for, where that is known.
    request: Option<String>,
    today: Option<Date>,
}

/// What an answer may be made of, besides words.
pub(super) struct Grounds {
    /// How numbers may be written.
    pub(super) figures: List<()>,
    /// What may stand between backticks.
    pub(super) code: Spans,
    /// What may stand alone in a line and means something else, each with its bit.
    pub(super) pointers: List<u16>,
}

/// The pieces and the numbers of some texts.
pub(super) struct Words {
    pub(super) spans: Spans,
    pub(super) numbers: Numbers,
}

impl Context {
    /// Of what the person said and what tools returned, as far as the model has read it.
    pub fn new(said: &[String], found: &[String]) -> Self {
        Self::answering(said, found, &[], &[])
    }

    /// The same, where an answer may also quote what tools were `called` with, and point at something.
    pub fn answering(
        said: &[String],
        found: &[String],
        called: &[String],
        pointers: &[String],
    ) -> Self {
        let all = Words::new(said.iter().chain(found));
        let named: Vec<_> = said.iter().flat_map(|text| names(text)).map(str::to_owned).collect();
        let ids = Words::new(named.iter().chain(found));
        // Where something was found, a figure that somebody only said is no figure of it: `do I hold 100 of them?`
        let told = match found.is_empty() {
            true => None,
            false => {
                let told: Vec<_> = found.iter().chain(called).map(String::as_str).collect();
                Some(read(&told).0)
            }
        };
        let told = told.as_ref().unwrap_or(&all.numbers);
        let figures = told.figures.iter().map(|figure| (figure.as_bytes().into(), ()));
        let code = said.iter().chain(found).chain(called).map(String::as_str);
        let bits = (0..u16::BITS).map(|at| 1 << at);
        let pointers = pointers.iter().map(|it| it.as_bytes().into()).zip(bits);
        let grounds = Grounds {
            figures: List::new(figures),
            code: Spans::quotable(code),
            pointers: List::new(pointers),
        };
        let (found, taken_out) = (found.to_vec(), Spans::new([]));
        let (request, today, takes_out) = (None, None, true);
        Self { all, ids, grounds, taken_out, takes_out, found, request, today }
    }

    /// The same, where it is known what the person [asks for](toolwright_core::Conversation::request): what changes
    /// something is called only where that is asked for.
    #[must_use]
    pub fn asking(mut self, request: &[&str]) -> Self {
        let request = request.join("\n");
        self.taken_out = Spans::new(lines_meant(&request, &self.found));
        self.takes_out = may_take_out(&request);
        self.request = Some(request);
        self
    }

    /// The same on this day, from which the days are told that the person speaks of.
    #[must_use]
    pub fn on(self, today: Option<Date>) -> Self {
        Self { today, ..self }
    }

    /// The days that the person speaks of.
    pub(super) fn days(&self) -> Days {
        let told = self.request.as_ref().zip(self.today);
        told.map_or_else(Days::default, |(request, today)| Days::of(request, today))
    }

    /// What lines that were shown may become, where the person says what is to stand there.
    pub(super) fn changes(&self) -> Option<Vec<Changed>> {
        changes(self.request.as_ref()?, &self.found)
    }

    /// Whether the person asks for a tool, or whatever it does is no harm.
    pub(super) fn asks_by(&self, spec: &ToolSpec, tools: &[Arc<ToolSpec>]) -> bool {
        let asks = |request: &String| is_asked(spec, tools, request);
        spec.effect.is_read_only() || self.request.as_ref().is_none_or(asks)
    }

    /// Whether the person asks for a parameter of a tool.
    pub(super) fn asks_for(&self, spec: &ToolSpec, parameter: &str) -> bool {
        // What has a place beside something does not go to the end.
        if parameter == "append" && self.request.as_deref().is_some_and(has_place) {
            return false;
        }
        let asks = |it: &String| spec.is_asked_for(parameter, &asking(it).join("\n"));
        self.request.as_ref().is_none_or(asks)
    }
}

impl Words {
    fn new<'a>(texts: impl Iterator<Item = &'a String>) -> Self {
        let texts: Vec<_> = texts.map(String::as_str).collect();
        let (numbers, inner) = read(&texts);
        let spans = Spans::new(texts.into_iter().chain(inner.iter().map(String::as_str)));
        Self { spans, numbers }
    }
}

/// The numbers that some texts give, and what JSON in them says that its text does not.
fn read(texts: &[&str]) -> (Numbers, Vec<String>) {
    let mut numbers = Numbers::default();
    let mut inner = Vec::new();
    for text in texts {
        numbers.add(text);
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
        numbers.count(lines);
        if text.starts_with(['{', '['])
            && let Ok(value) = serde_json::from_str(text)
        {
            walk(&value, &mut numbers, &mut inner);
        }
    }
    (numbers, inner)
}

/// The words of a text that may name a thing: those with a digit, an underscore or large letters
/// behind small ones, but no percentages.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let around = |it: char| "?!.,;\"'()".contains(it);
    text.split_whitespace().map(move |word| word.trim_matches(around)).filter(|word| {
        let mut rest = word.chars().skip_while(|it| !it.is_lowercase());
        let has = |it: char| it.is_ascii_digit() || it == '_';
        !word.ends_with('%') && (word.contains(has) || rest.any(char::is_uppercase))
    })
}

/// Collects what JSON says that its text does not: strings that are escaped in it, and how many
/// items a list has.
fn walk(value: &Value, numbers: &mut Numbers, strings: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(['"', '\\', '\n', '\t']) => strings.push(text.clone()),
        Value::Array(items) => {
            numbers.count(items.len());
            items.iter().for_each(|item| walk(item, numbers, strings));
        }
        Value::Object(fields) => fields.values().for_each(|it| walk(it, numbers, strings)),
        _ => {}
    }
}
