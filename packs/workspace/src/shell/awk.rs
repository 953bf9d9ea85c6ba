//! [`runs_nothing`]: whether a program for awk starts no other.

use super::word::{Kind, Word};

/// Whether a command of awk starts nothing. Its language has few ways to: `system`, a pipe, and
/// (gawk's) what is loaded, included or called by a name that is put together.
pub(super) fn runs_nothing(arguments: &[Word]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word.kind != Kind::Plain {
            return false;
        }
        match &*word.text {
            "-F" | "-v" => {
                if !words.next().is_some_and(is_data) {
                    return false;
                }
            }
            "--" => {
                return words.next().is_some_and(is_plain);
            }
            text if text.starts_with("-F") || text.starts_with("-v") => {}
            text if text.starts_with('-') => return false,
            _ => return is_plain(word),
        }
    }
    false
}

/// Whether a word stays one: what a variable is set to is data, whatever it holds.
fn is_data(word: &Word) -> bool {
    let is_quoted = || word.text.contains("=\"") && word.text.ends_with('"');
    word.kind == Kind::Plain || is_quoted()
}

fn is_plain(program: &Word) -> bool {
    let text = program.text.replace("||", "");
    program.kind == Kind::Plain && !text.contains(['|', '@']) && !text.contains("system")
}
