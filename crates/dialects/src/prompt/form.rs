//! [`Form`]: how a dialect writes calls and results, as data.

use std::borrow::Cow;

use toolwright_core::{Call, ToolMessage};

use super::{
    tame::tame,
    template::fill,
    written::{Arguments, Value, spaced},
};

/// How a dialect writes calls and results, as data. The texts are templates:
///
/// - of a call, `$name`, `$arguments`, `$id`, its `$number` in the turn from 0, its `$ordinal` from
///   1, and `$function`, the id as Kimi counts it;
/// - of an argument, `$key`, `$value`, its `$type` in JSON, and whether it is a `$string`;
/// - of a result, `$name`, `$id`, `$number`, `$function`, `$result`, and `$json`, the same as a JSON
///   string.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// What stands for text in front of calls; `$text` is the text.
    pub(super) said: &'static str,
    /// Before the first call; it may name it.
    pub(super) before: &'static str,
    /// One call.
    pub(super) call: &'static str,
    /// Between two calls.
    pub(super) between: &'static str,
    /// After the last call.
    pub(super) after: &'static str,
    /// How arguments are written.
    pub(super) arguments: Style,
    /// How results are written.
    pub(super) results: Results,
    /// How the model is told of it.
    pub(super) telling: Telling,
}

/// How arguments are written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style {
    /// A JSON object.
    Json,
    /// One after another, each like this.
    Each(&'static str, Value),
    /// `a=1, b="x"`, with these words for true, false and null.
    Python([&'static str; 3]),
    /// `a:1,b:QxQ`, with this token for the quotes.
    Braces(&'static str),
    /// Elements named like the arguments, each tag behind this token.
    Nested(&'static str),
}

/// How the results of one turn are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Results {
    pub(super) before: &'static str,
    pub(super) one: &'static str,
    pub(super) between: &'static str,
    pub(super) after: &'static str,
}

/// How a model is told of its tools.
#[derive(Clone, Copy, Debug)]
pub(super) enum Telling {
    /// A list a person could read, and these words about how to use one.
    Words(&'static str),
    /// The definitions as they are, and an example.
    Example,
}

impl Form {
    /// Text in front of calls.
    pub(super) fn said(&self, text: &str) -> String {
        let mut out = String::new();
        fill(self.said, &mut out, |_, out| out.push_str(text.trim_end()));
        out
    }

    /// The calls of one turn.
    pub(super) fn calls(&self, calls: &[Call]) -> String {
        let mut out = String::new();
        for (number, call) in calls.iter().enumerate() {
            let name = plain(&call.name);
            let put = |word: &str, out: &mut String| match word {
                "arguments" => self.arguments(&Arguments::of(call), out),
                word => named(word, &name, call.id.as_str(), number, out),
            };
            fill(if number == 0 { self.before } else { self.between }, &mut out, put);
            fill(self.call, &mut out, put);
        }
        out.push_str(self.after);
        out
    }

    fn arguments(&self, arguments: &Arguments, out: &mut String) {
        match self.arguments {
            Style::Json => arguments.json(out),
            Style::Each(template, style) => arguments.each(template, style, out),
            Style::Python(words) => arguments.python(words, out),
            Style::Braces(quote) => arguments.braces(quote, out),
            Style::Nested(token) => arguments.nested(token, out),
        }
    }

    /// The results of one turn.
    pub(super) fn results<'a>(&self, results: impl IntoIterator<Item = &'a ToolMessage>) -> String {
        let form = self.results;
        let mut out = form.before.to_owned();
        for (number, result) in results.into_iter().enumerate() {
            if number > 0 {
                out.push_str(form.between);
            }
            let name = plain(&result.name);
            fill(form.one, &mut out, |word, out| match word {
                "result" => out.push_str(&tame(&result.outcome.text, form.one)),
                "json" => spaced(&tame(&result.outcome.text, form.one), out),
                word => named(word, &name, result.call.as_str(), number, out),
            });
        }
        out.push_str(form.after);
        out
    }
}

/// What calls and results have in common.
fn named(word: &str, name: &str, id: &str, number: usize, out: &mut String) {
    match word {
        "name" => out.push_str(name),
        "id" => out.push_str(id),
        "number" => out.push_str(&number.to_string()),
        "ordinal" => out.push_str(&(number + 1).to_string()),
        // The model's own id is echoed; it counts through the whole conversation.
        "function" if id.starts_with("functions.") => out.push_str(id),
        "function" => out.push_str(&format!("functions.{name}:{number}")),
        _ => {}
    }
}

/// The name, without what would end the place it stands in: one that a model made up may have any
/// letters in it.
fn plain(name: &str) -> Cow<'_, str> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    if name.chars().all(fits) {
        return Cow::Borrowed(name);
    }
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect::<String>().into()
}
