//! [`Lines`]: log lines on standard error, for people or for programs.

use std::{
    fmt::{self, Write as _},
    io::Write,
    time::SystemTime,
};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::{Map, Value};
use toolwright_core::is_hidden;
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id},
};
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// The span fields that name a run and its conversation.
pub(crate) const RUN: &str = "toolwright.run.id";
const CONVERSATION: &str = "gen_ai.conversation.id";

/// What log lines look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people; in colour on a terminal.
    #[default]
    Pretty,
    /// For programs: one JSON object each, with `time`, `level`, `target`, `message`, `fields`, and
    /// `conversation` and `run` where the line is about one.
    Json,
}

/// Log lines on standard error.
#[derive(Debug)]
pub(crate) struct Lines {
    format: LogFormat,
    is_coloured: bool,
}

impl Lines {
    pub(crate) fn new(format: LogFormat) -> Self {
        let choice = anstream::AutoStream::choice(&std::io::stderr());
        Self { format, is_coloured: choice != anstream::ColorChoice::Never }
    }

    /// A line is written in one piece, so that those of other threads are not in the middle of it.
    fn write(&self, line: &[u8]) -> std::io::Result<()> {
        match (self.format, self.is_coloured) {
            // It also knows consoles that have to be told of colours in another way.
            (LogFormat::Pretty, true) => anstream::stderr().lock().write_all(line),
            _ => std::io::stderr().lock().write_all(line),
        }
    }
}

/// A line as [`LogFormat::Json`] has it, for what is told in another way than by log lines.
pub fn json_line(
    level: Level,
    target: &str,
    message: &str,
    fields: &[(&'static str, &str)],
) -> Vec<u8> {
    let fields = fields.iter().map(|(name, value)| (*name, Value::from(*value))).collect();
    Said { message: message.to_owned(), fields }.json(level, target, &Place::default())
}

/// What a span names.
#[derive(Clone, Debug, Default, Serialize)]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Lines {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut place = Place::default();
        attributes.record(&mut place);
        if let (Some(_), Some(span)) = (&place.run, context.span(id)) {
            span.extensions_mut().insert(place);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let scope = context.event_scope(event).into_iter().flatten();
        let place = scope.filter_map(|span| span.extensions().get::<Place>().cloned()).next();
        let place = place.unwrap_or_default();
        let mut said = Said::default();
        event.record(&mut said);
        said.fields.retain(|(name, value)| !place.names(name, value));
        let (level, target) = (*event.metadata().level(), event.metadata().target());
        let (colour, faint) = match self.is_coloured {
            true => (style(level), Style::new().dimmed()),
            false => (Style::new(), Style::new()),
        };
        let line = match self.format {
            LogFormat::Pretty => said.pretty(level, &place, colour, faint).into_bytes(),
            LogFormat::Json => said.json(level, target, &place),
        };
        // What cannot be written has nobody to be told to.
        let _ = self.write(&line);
    }
}

impl Place {
    /// Whether it says this already.
    fn names(&self, name: &str, value: &Value) -> bool {
        let own = match name {
            "conversation" => &self.conversation,
            "run" => &self.run,
            _ => return false,
        };
        own.as_deref() == value.as_str() && own.is_some()
    }
}

impl Visit for Place {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            RUN => self.run = Some(value.to_owned()),
            CONVERSATION => self.conversation = Some(value.to_owned()),
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if matches!(field.name(), RUN | CONVERSATION) {
            self.record_str(field, &format!("{value:?}"));
        }
    }
}

/// What a line says.
#[derive(Default)]
struct Said {
    message: String,
    fields: Vec<(&'static str, Value)>,
}

impl Said {
    fn add(&mut self, field: &Field, value: impl Into<Value>) {
        match (field.name(), value.into()) {
            ("message", Value::String(message)) => self.message = message,
            (name, value) => self.fields.push((name, value)),
        }
    }

    /// `INFO what happened field=value`, on one line whatever was in it.
    fn pretty(&self, level: Level, place: &Place, colour: Style, faint: Style) -> String {
        let mut line = format!("{colour}{level:>5}{colour:#} ");
        for letter in self.message.chars() {
            plain(&mut line, letter);
        }
        let mut field = |name: &str, value: &str| {
            let _ = write!(line, " {faint}{name}={faint:#}");
            let is_plain = |it: char| !is_written_out(it) && it != ' ' && it != '"';
            match !value.is_empty() && value.chars().all(is_plain) {
                true => line.push_str(value),
                // `Debug` does not write out all that cannot be seen.
                false => format!("{value:?}").chars().for_each(|it| plain(&mut line, it)),
            }
        };
        for (name, value) in &self.fields {
            match value {
                Value::String(text) => field(name, text),
                // Nobody reads the sixteenth digit.
                Value::Number(number) if number.is_f64() => {
                    field(name, &format!("{:.3}", number.as_f64().unwrap_or_default()));
                }
                other => field(name, &other.to_string()),
            }
        }
        place.conversation.iter().for_each(|id| field("conversation", id));
        place.run.iter().for_each(|id| field("run", id));
        line.push('\n');
        line
    }

    fn json(&self, level: Level, target: &str, place: &Place) -> Vec<u8> {
        #[derive(Serialize)]
        struct Line<'a> {
            time: String,
            level: String,
            target: &'a str,
            message: &'a str,
            fields: Map<String, Value>,
            #[serde(flatten)]
            place: &'a Place,
        }
        let line = Line {
            time: humantime::format_rfc3339_millis(SystemTime::now()).to_string(),
            level: level.as_str().to_ascii_lowercase(),
            target,
            message: &self.message,
            fields: self
                .fields
                .iter()
                .map(|(name, value)| ((*name).into(), value.clone()))
                .collect(),
            place,
        };
        let json = serde_json::to_string(&line).unwrap_or_default();
        // JSON has its own way to write such a character out, and reads it back as what it was.
        let mut text = String::with_capacity(json.len() + 1);
        for letter in json.chars() {
            match is_written_out(letter) {
                true => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                    // Writing to a `String` cannot fail.
                    let _ = write!(text, "\\u{unit:04x}");
                }),
                false => text.push(letter),
            }
        }
        text.push('\n');
        text.into_bytes()
    }
}

impl Visit for Said {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format!("{value:?}"));
    }
}

/// A letter of a message. Arguments and results are in messages: what would move the cursor or
/// begin another line is written out.
fn plain(line: &mut String, letter: char) {
    if is_written_out(letter) {
        line.extend(letter.escape_default());
    } else {
        line.push(letter);
    }
}

/// Whether a character would be obeyed, begin another line, or not be seen.
fn is_written_out(letter: char) -> bool {
    letter.is_control() || is_hidden(letter) || (letter.is_whitespace() && letter != ' ')
}

fn style(level: Level) -> Style {
    let colour = match level {
        Level::ERROR => AnsiColor::Red,
        Level::WARN => AnsiColor::Yellow,
        Level::INFO => AnsiColor::Green,
        Level::DEBUG => AnsiColor::Blue,
        Level::TRACE => AnsiColor::Magenta,
    };
    colour.on_default()
}
