//! [`runs_nothing`]: whether a script of sed starts no program.
//!
//! Two of sed's commands do: `e`, and `s` with the flag `e`. To find them a script is read whole;
//! what is not understood may be one of them.

use super::word::{Kind, Word};

/// Whether a command of sed starts no program, whatever it changes.
pub(super) fn runs_nothing(arguments: &[Word]) -> bool {
    let Some((scripts, operands)) = scripts(arguments) else { return false };
    let first = operands.first().filter(|_| scripts.is_empty());
    let mut all = scripts.iter().chain(first).peekable();
    all.peek().is_some()
        && all.all(|it| it.kind == Kind::Plain && Reading(it.text.as_str()).script().is_some())
}

/// The scripts that options give, and what is no option; nothing where an option may be another.
fn scripts(arguments: &[Word]) -> Option<(Vec<Word>, Vec<Word>)> {
    let (mut scripts, mut operands) = (Vec::new(), Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if !word.may_be_option() || is_path(word) {
            operands.push(word.clone());
            continue;
        }
        if word.kind != Kind::Plain {
            return None;
        }
        match &*word.text {
            "--" => {
                operands.extend(words.cloned());
                break;
            }
            "-" => operands.push(word.clone()),
            "--quiet" | "--silent" | "--in-place" | "--regexp-extended" | "--null-data"
            | "--separate" => {}
            "--expression" => scripts.push(words.next()?.clone()),
            text => match text.strip_prefix("--") {
                Some(long) => {
                    let script = long.strip_prefix("expression=");
                    let is_suffix = long.starts_with("in-place=");
                    scripts.extend(script.map(Word::plain));
                    (script.is_some() || is_suffix).then_some(())?;
                }
                None => match cluster(text)? {
                    Some("") => scripts.push(words.next()?.clone()),
                    Some(script) => scripts.push(Word::plain(script)),
                    None => {}
                },
            },
        }
    }
    Some((scripts, operands))
}

/// Whether a word that only running it tells stays one, and begins like a path.
fn is_path(word: &Word) -> bool {
    let inside = word.text.strip_prefix('"').filter(|it| it.ends_with('"'));
    word.kind == Kind::Open
        && inside
            .is_some_and(|it| it.starts_with(|it: char| it.is_alphanumeric() || "./".contains(it)))
}

/// The script in short options; nothing where one of them is not known.
fn cluster(text: &str) -> Option<Option<&str>> {
    let mut letters = text.chars();
    letters.next();
    while let Some(letter) = letters.next() {
        match letter {
            'n' | 'E' | 'r' | 'z' | 's' | 'u' => {}
            // What follows is the end of a file's name.
            'i' => return Some(None),
            'e' => return Some(Some(letters.as_str())),
            _ => return None,
        }
    }
    Some(None)
}

/// What is left of a script.
struct Reading<'s>(&'s str);

impl Reading<'_> {
    /// Reads a script to its end.
    fn script(&mut self) -> Option<()> {
        loop {
            self.0 = self.0.trim_start_matches([' ', '\t', '\n', ';', '}']);
            if self.0.is_empty() {
                return Some(());
            }
            self.addresses()?;
            self.command()?;
        }
    }

    fn next(&mut self) -> Option<char> {
        let mut rest = self.0.chars();
        let next = rest.next()?;
        self.0 = rest.as_str();
        Some(next)
    }

    /// Past `12`, `$`, `/…/I`, `1~2`, `/a/,+3`, and `!`.
    fn addresses(&mut self) -> Option<()> {
        loop {
            self.0 = self.0.trim_start_matches([' ', '\t', '!', ',', '~', '+', '$']);
            self.0 = self.0.trim_start_matches(|it: char| it.is_ascii_digit());
            if self.0.starts_with('/') {
                self.next();
                self.past('/')?;
                self.0 = self.0.trim_start_matches(['I', 'M']);
            } else if !self.0.starts_with([' ', '\t', '!', ',', '~', '+', '$']) {
                return Some(());
            }
        }
    }

    fn command(&mut self) -> Option<()> {
        match self.next()? {
            '{' => Some(()),
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {
                self.end()
            }
            'q' | 'Q' | 'l' => {
                self.0 = self.0.trim_start_matches(|it: char| it.is_ascii_digit() || it == ' ');
                self.end()
            }
            'b' | 't' | 'T' | ':' => {
                let is_label = |it: char| it.is_ascii_alphanumeric() || " \t_.-".contains(it);
                self.0 = self.0.trim_start_matches(is_label);
                self.end()
            }
            // Text, or the name of a file, to the end of the line; some versions take what follows
            // a backslash at that end as well.
            'a' | 'i' | 'c' | 'r' | 'R' | 'w' | 'W' => {
                let (line, rest) = self.0.split_once('\n').unwrap_or((self.0, ""));
                self.0 = rest;
                (rest.is_empty() || !line.contains('\\')).then_some(())
            }
            '#' => {
                self.0 = self.0.split_once('\n').map_or("", |it| it.1);
                Some(())
            }
            's' => {
                let mark = self.mark()?;
                self.past(mark)?;
                self.past(mark)?;
                let is_flag = |it: char| {
                    it.is_ascii_digit() || matches!(it, 'g' | 'p' | 'i' | 'I' | 'm' | 'M')
                };
                self.0 = self.0.trim_start_matches(is_flag);
                match self.0.strip_prefix('w') {
                    Some(file) => {
                        self.0 = file.split_once('\n').map_or("", |it| it.1);
                        Some(())
                    }
                    None => self.end(),
                }
            }
            'y' => {
                let mark = self.mark()?;
                self.past(mark)?;
                self.past(mark)?;
                self.end()
            }
            _ => None,
        }
    }

    fn mark(&mut self) -> Option<char> {
        self.next().filter(|it| it.is_ascii_punctuation() && *it != '\\')
    }

    /// Past the next mark that is not escaped. A mark within brackets may or may not end it, so there
    /// is none.
    fn past(&mut self, mark: char) -> Option<()> {
        let mut in_brackets = false;
        loop {
            match self.next()? {
                '\n' => return None,
                '\\' => drop(self.next()?),
                it if it == mark => return (!in_brackets).then_some(()),
                '[' => in_brackets = true,
                ']' => in_brackets = false,
                _ => {}
            }
        }
    }

    /// The end of a command.
    fn end(&mut self) -> Option<()> {
        self.0 = self.0.trim_start_matches([' ', '\t']);
        (self.0.is_empty() || self.0.starts_with([';', '\n', '}', '#'])).then_some(())
    }
}
