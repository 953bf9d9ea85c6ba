//! Colours, and writing to standard error. Colours are stripped where there is no terminal, or
//! where `NO_COLOR` is set.

use std::{borrow::Cow, io::Write};

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

/// A text that somebody else wrote, with nothing in it that a terminal would obey or not show.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let text = toolwright_core::visible(text);
    if !text.chars().any(is_control) {
        return text;
    }
    // The pictures of the control characters: an escape is shown as ␛.
    let picture = |character: char| match u32::from(character) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or('�'),
        0x7f => '␡',
        _ => '�',
    };
    let shown = text.chars().map(|it| if is_control(it) { picture(it) } else { it });
    Cow::Owned(shown.collect())
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
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
