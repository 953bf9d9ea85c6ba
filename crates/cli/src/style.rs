//! [`line`] and [`out`]: all that this program writes, and the colours it writes in.
//!
//! Whatever stands in a text is somebody else's until proven otherwise: a name that a model made up, an
//! error of a server, a file's name. So nothing is trusted for where it comes from: what is written to a
//! terminal is escaped here, as a whole, and the only sequences let through are the styles of this
//! module, which carry a mark that nobody outside of this process knows.

use std::{
    hash::{BuildHasher, RandomState},
    io::{self, IsTerminal, Write},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Color, Style};
use toolwright_core::{printable, truncate_line};
use toolwright_telemetry::json_line;
use tracing::Level;

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

pub(crate) const ERROR: Shown = Shown(colour(AnsiColor::Red).bold());
pub(crate) const GOOD: Shown = Shown(colour(AnsiColor::Green));
pub(crate) const WARN: Shown = Shown(colour(AnsiColor::Yellow));
pub(crate) const NAME: Shown = Shown(colour(AnsiColor::Cyan));
pub(crate) const BOLD: Shown = Shown(Style::new().bold());
pub(crate) const DIM: Shown = Shown(Style::new().dimmed());
pub(crate) const ITALIC: Shown = Shown(Style::new().italic());
pub(crate) const UNDERLINED: Shown = Shown(Style::new().underline());
pub(crate) const STRUCK: Shown = Shown(Style::new().strikethrough());
pub(crate) const END: End = End;

/// A style that begins where it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shown(Style);

impl Shown {
    /// Both at once.
    pub(crate) fn and(self, more: Self) -> Self {
        let colour = more.0.get_fg_color().or(self.0.get_fg_color());
        Self(Style::new().fg_color(colour).effects(self.0.get_effects() | more.0.get_effects()))
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{mark}{}{mark}", self.0.render(), mark = mark())
    }
}

/// Where every style ends.
#[derive(Clone, Copy)]
pub(crate) struct End;

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{mark}{}{mark}", anstyle::Reset.render(), mark = mark())
    }
}

/// What stands before and behind a style until it is written: new in every process, so that no text from
/// outside has it.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\u{1b}{:016x}", RandomState::new().hash_one(0_u8)))
}

/// What becomes of the parts of a text on its way out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// Nothing in it is obeyed or hidden.
    Escaped,
    /// As it is: a file or a program gets what was said.
    Exact,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Styles {
    Kept,
    Dropped,
}

/// The text as it is written.
fn rendered(text: &str, parts: Text, styles: Styles) -> String {
    let mut all = String::with_capacity(text.len());
    // Between two marks is a style, then text, then a style.
    for (at, part) in text.split(mark()).enumerate() {
        match (at % 2, parts) {
            (0, Text::Escaped) => all.push_str(&printable(part)),
            (0, Text::Exact) => all.push_str(part),
            _ if styles == Styles::Kept => all.push_str(part),
            _ => {}
        }
    }
    all
}

/// Writes it in one piece. Where there are colours, the stream also knows consoles that have to be told of
/// them in another way.
fn write<S: anstream::stream::RawStream + anstream::stream::AsLockedWrite>(
    stream: S,
    text: &str,
    parts: Text,
) -> io::Result<()> {
    let styles = match AutoStream::choice(&stream) {
        ColorChoice::Never => Styles::Dropped,
        _ => Styles::Kept,
    };
    let text = rendered(text, parts, styles);
    let mut stream = AutoStream::always(stream);
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Whether standard error is for programs: one JSON object a line, as log lines are.
static IS_FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// From now on all lines on standard error are for programs.
pub(crate) fn tell_programs() {
    IS_FOR_PROGRAMS.store(true, Ordering::Relaxed);
}

/// Tells programs something in place of lines, where standard error is for them; whether it is.
pub(crate) fn told_programs(level: Level, text: &str, fields: &[(&'static str, &str)]) -> bool {
    let is_for_programs = IS_FOR_PROGRAMS.load(Ordering::Relaxed);
    if is_for_programs {
        let text = rendered(text, Text::Exact, Styles::Dropped);
        let line = json_line(level, "toolwright", text.trim_end_matches('\n'), fields);
        let _ = io::stderr().lock().write_all(&line);
    }
    is_for_programs
}

/// A line on standard error. What goes on in further lines is marked as such: it cannot pass for a line
/// of its own. If nobody listens there is nobody to tell.
pub(crate) fn line(text: &str) {
    if told_programs(Level::INFO, text, &[]) {
        return;
    }
    let _ = write(io::stderr(), &as_line(text), Text::Escaped);
}

/// The same on standard output, where it is a part of what was asked for.
pub(crate) fn line_out(text: &str) -> io::Result<()> {
    write(io::stdout(), &as_line(text), Text::Escaped)
}

fn as_line(text: &str) -> String {
    format!("{}\n", text.trim_end_matches('\n').replace('\n', "\n  │ "))
}

/// A question on standard error, whose answer is typed behind it.
pub(crate) fn question(text: &str) -> io::Result<()> {
    write(io::stderr(), &text.replace('\n', " "), Text::Escaped)
}

/// Text on standard output, at once. A terminal obeys what it is sent; a file keeps it.
pub(crate) fn out(text: &str) -> io::Result<()> {
    let parts = if io::stdout().is_terminal() { Text::Escaped } else { Text::Exact };
    write(io::stdout(), text, parts)
}

/// Gives the terminal a text for its clipboard, in base64: nothing in that is obeyed.
pub(crate) fn to_clipboard(base64: &str) -> io::Result<()> {
    let mut terminal = io::stderr();
    terminal.write_all(format!("\u{1b}]52;c;{base64}\u{7}").as_bytes())?;
    terminal.flush()
}

/// A text for those few who write to the terminal themselves: on one line, with nothing in it to obey.
pub(crate) fn tame(text: &str) -> String {
    printable(&truncate_line(text, 200)).into_owned()
}

/// What a text looks like where there are no colours.
#[cfg(test)]
pub(crate) fn shown_plainly(text: &str) -> String {
    rendered(text, Text::Escaped, Styles::Dropped)
}
