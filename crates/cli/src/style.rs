//! Colours, and writing to standard error. Colours are stripped where there is no terminal, or
//! where `NO_COLOR` is set.

use std::io::Write;

use anstyle::{AnsiColor, Color, Style};

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

pub(crate) const ERROR: Shown = Shown(colour(AnsiColor::Red).bold());
pub(crate) const GOOD: Shown = Shown(colour(AnsiColor::Green));
pub(crate) const WARN: Shown = Shown(colour(AnsiColor::Yellow));
pub(crate) const NAME: Shown = Shown(colour(AnsiColor::Cyan));
pub(crate) const BOLD: Shown = Shown(Style::new().bold());
pub(crate) const DIM: Shown = Shown(Style::new().dimmed());
pub(crate) const END: End = End;

/// A style that begins where it is printed.
#[derive(Clone, Copy)]
pub(crate) struct Shown(Style);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.render().fmt(f)
    }
}

/// Where every style ends.
#[derive(Clone, Copy)]
pub(crate) struct End;

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        anstyle::Reset.render().fmt(f)
    }
}

/// A line on standard error. If that is closed there is nobody to tell.
pub(crate) fn line(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Text on standard output, at once.
pub(crate) fn out(text: &str) -> std::io::Result<()> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
