//! [`asked`]: what somebody looks at before they approve it, and the question.
#![cfg_attr(not(any(feature = "mcp", feature = "openapi")), allow(dead_code))]

use std::io::{self, BufRead, IsTerminal};

use toolwright_core::{printable, revealed};

use crate::{
    error::{CommandError, Result},
    style::{END, ERROR, GOOD, question},
};

/// Asks a question that is answered with yes or no. Where nobody is there to be asked, `flag` would have said it.
pub(super) fn asked(text: &str, flag: &str) -> Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(CommandError::unusable(
            "somebody has to look at this, and this is no terminal",
        )
        .with_advice(format!("run it at a terminal, or give {flag} once you have looked"))
        .into());
    }
    question(&format!("{text} [y/N] "))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Lines that went, and lines that came.
pub(super) fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut text = String::new();
    for line in old.iter().filter(|it| !new.contains(it)) {
        text.push_str(&format!("    {ERROR}- {}{END}\n", shown(line)));
    }
    for line in &new {
        let line_text = shown(line);
        match old.contains(line) {
            true => text.push_str(&format!("      {line_text}\n")),
            false => text.push_str(&format!("    {GOOD}+ {line_text}{END}\n")),
        }
    }
    text
}

/// A text, further in.
pub(super) fn indented(text: &str, by: &str) -> String {
    text.lines().filter(|it| !it.trim().is_empty()).map(|it| format!("{by}{it}\n")).collect()
}

/// A text by which somebody decides: nothing hides in it, and no terminal obeys it, be it one that shows a file that
/// this was written to.
pub(super) fn shown(text: &str) -> String {
    printable(&revealed(text)).into_owned()
}
