//! [`pick`]: one of the conversations there are: searched as somebody types at a terminal, listed elsewhere.

use std::io::{self, IsTerminal};

use console::{Key, Term};
use toolwright_core::{ConversationId, truncate_line};
use toolwright_store::{ConversationPage, ConversationSummary, Store};
use unicode_width::UnicodeWidthChar;

use crate::{
    commands::approving::read,
    error::{CommandError, Result},
    reading::{is_dumb, is_person, reading},
    style::{BOLD, DIM, END, NAME, line, tame},
    time::ago,
};

/// How many of the latest conversations can be picked.
const LATEST: usize = 200;
/// How many are in sight.
const SHOWN: usize = 10;

/// One of the latest conversations, chosen by a person; nothing where they chose none, or where none is there to
/// choose: then the list is all there is.
pub(super) async fn pick(store: &Store) -> Result<Option<ConversationId>> {
    let latest = latest(store).await?;
    if latest.is_empty() {
        line(&format!("{DIM}There are no conversations yet.{END}"));
        return Ok(None);
    }
    if is_person() && io::stderr().is_terminal() && !is_dumb() {
        let picked = reading(move || Picker::new(latest).run()).await;
        return Ok(picked.transpose()?.flatten());
    }
    for (at, it) in latest.iter().take(SHOWN).enumerate() {
        line(&format!("{:>3}  {}", at + 1, row(it)));
    }
    if !io::stdin().is_terminal() {
        line(&format!("{DIM}/conversations N goes on with one of them.{END}"));
        return Ok(None);
    }
    match read("Number, or words to look for; Enter leaves it: ").await {
        Some(answer) if !answer.trim().is_empty() => named(store, answer.trim()).await.map(Some),
        _ => Ok(None),
    }
}

/// The conversation that is meant: by its number in the list, by its id or the beginning of it, by words that only it has.
pub(super) async fn named(store: &Store, typed: &str) -> Result<ConversationId> {
    if let Ok(number) = typed.parse::<usize>() {
        let latest = latest(store).await?;
        let chosen = number.checked_sub(1).and_then(|at| latest.get(at));
        return chosen.map(|it| it.id.clone()).ok_or_else(|| {
            let what = format!("there is no conversation {number}");
            CommandError::unusable(what).with_advice("/conversations lists them").into()
        });
    }
    if typed.starts_with("conv_") {
        return Ok(store.find(typed).await?.id);
    }
    let mut found: Vec<ConversationSummary> = Vec::new();
    for hit in store.search(typed, 20).await? {
        if !found.iter().any(|it| it.id == hit.summary.id) {
            found.push(hit.summary);
        }
    }
    match found.as_slice() {
        [only] => Ok(only.id.clone()),
        [] => {
            let what = format!("nothing has all of these words: {}", tame(typed));
            Err(CommandError::unusable(what).with_advice("/conversations lists the latest").into())
        }
        several => {
            several.iter().for_each(|it| line(&format!("  {}", row(it))));
            let what = "several conversations have these words";
            let advice = "name one: /conversations and the beginning of its id";
            Err(CommandError::unusable(what).with_advice(advice).into())
        }
    }
}

async fn latest(store: &Store) -> Result<Vec<ConversationSummary>> {
    Ok(store.list(&ConversationPage { limit: LATEST, ..ConversationPage::default() }).await?)
}

fn row(it: &ConversationSummary) -> String {
    let (when, title) = (ago(it.updated_at), truncate_line(&it.title, 60));
    format!("{NAME}{}{END}  {DIM}{when:>6}{END}  {}", it.id, tame(&title))
}

/// A list that is searched as somebody types.
struct Picker {
    all: Vec<ConversationSummary>,
    typed: String,
    /// The place in the list of what fits.
    at: usize,
}

impl Picker {
    fn new(all: Vec<ConversationSummary>) -> Self {
        Self { all, typed: String::new(), at: 0 }
    }

    /// What was picked. Waits for keys.
    fn run(mut self) -> io::Result<Option<ConversationId>> {
        let terminal = Term::stderr();
        loop {
            let rows = self.draw(usize::from(terminal.size().1));
            rows.iter().for_each(|it| line(it));
            let key = terminal.read_key_raw();
            terminal.clear_last_lines(rows.len())?;
            match key? {
                Key::Enter => return Ok(self.fitting().nth(self.at).map(|it| it.id.clone())),
                Key::Escape | Key::CtrlC | Key::Char('\u{4}') => return Ok(None),
                key => self.take(&key),
            }
        }
    }

    fn take(&mut self, key: &Key) {
        let last = self.fitting().count().saturating_sub(1);
        match key {
            Key::ArrowUp | Key::BackTab => self.at = self.at.saturating_sub(1),
            Key::ArrowDown | Key::Tab => self.at = (self.at + 1).min(last),
            Key::PageUp => self.at = self.at.saturating_sub(SHOWN),
            Key::PageDown => self.at = (self.at + SHOWN).min(last),
            Key::Backspace => {
                self.typed.pop();
                self.at = 0;
            }
            Key::Char('\u{15}') => self.typed.clear(),
            Key::Char(letter) if !letter.is_control() => {
                self.typed.push(*letter);
                self.at = 0;
            }
            _ => {}
        }
    }

    /// Those that have all the words.
    fn fitting(&self) -> impl Iterator<Item = &ConversationSummary> {
        let words: Vec<_> = self.typed.split_whitespace().map(str::to_lowercase).collect();
        self.all.iter().filter(move |it| {
            let answer = it.last_answer.as_deref().unwrap_or_default();
            let text = format!("{} {} {answer}", it.id, it.title).to_lowercase();
            words.iter().all(|word| text.contains(word))
        })
    }

    /// What is in sight, a line each; no line is longer than the terminal is wide.
    fn draw(&self, width: usize) -> Vec<String> {
        let fitting: Vec<_> = self.fitting().collect();
        let from = self.at.saturating_sub(SHOWN - 1);
        let counted = format!("{} of {}", fitting.len(), self.all.len());
        let head = fitted(&format!("Search: {}▏  {counted}", tame(&self.typed)), width);
        let rows = fitting.iter().enumerate().skip(from).take(SHOWN).map(|(at, it)| {
            let text = format!("{:>6}  {}", ago(it.updated_at), tame(&it.title));
            let text = fitted(&text, width.saturating_sub(2));
            match at == self.at {
                true => format!("{NAME}›{END} {BOLD}{text}{END}"),
                false => format!("  {text}"),
            }
        });
        let keys = "↑ ↓ choose · Enter goes on with it · Esc leaves";
        let rows: Vec<_> = rows.collect();
        let keys = format!("{DIM}{}{END}", fitted(keys, width));
        [head].into_iter().chain(rows).chain([keys]).collect()
    }
}

/// As much of a text as fits so many columns.
fn fitted(text: &str, columns: usize) -> String {
    let mut taken = 0;
    // The last column is left free: some terminals go on to the next line when it is written to.
    let fits = text.chars().take_while(|letter| {
        taken += letter.width().unwrap_or(0);
        taken < columns
    });
    fits.collect()
}

#[cfg(test)]
mod tests {
    use console::Key;
    use toolwright_core::{ConversationId, Timestamp};
    use toolwright_store::{ConversationStatus, ConversationSummary};

    use super::{Picker, SHOWN, fitted};
    use crate::style::shown_plainly;

    fn picker(titles: &[&str]) -> Picker {
        let summary = |(at, title): (usize, &&str)| ConversationSummary {
            id: ConversationId::from(format!("conv_{at}")),
            title: (*title).to_owned(),
            created_at: Timestamp(0),
            updated_at: Timestamp(0),
            runs: 1,
            messages: 2,
            state: ConversationStatus::Idle,
            is_silent: false,
            last_answer: None,
            owner: None,
        };
        Picker::new(titles.iter().enumerate().map(summary).collect())
    }

    #[test]
    fn what_is_typed_narrows_the_list() {
        let mut picker = picker(&["Weather in Rome?", "Tips", "Weather in Oslo?"]);
        for letter in "oslo WEATHER".chars() {
            picker.take(&Key::Char(letter));
        }
        let found: Vec<_> = picker.fitting().map(|it| it.title.as_str()).collect();
        assert_eq!(found, ["Weather in Oslo?"]);
        picker.take(&Key::Char('\u{15}'));
        picker.take(&Key::ArrowDown);
        picker.take(&Key::PageDown);
        assert_eq!((picker.at, picker.fitting().count()), (2, 3));
    }

    /// However narrow it is and however wide its letters are: a line that wraps could not be taken back.
    #[test]
    fn no_line_is_wider_than_the_terminal() {
        use unicode_width::UnicodeWidthStr;
        let many: Vec<_> =
            (0..30).map(|_| "東京の天気はどうですか、そして明日は？ 👩\u{200d}👧").collect();
        let picker = picker(&many);
        for width in [1, 20, 40, 80] {
            let lines = picker.draw(width);
            assert_eq!(lines.len(), SHOWN + 2);
            for line in lines {
                let line = shown_plainly(&line);
                assert!(line.width() <= width.max(2), "{width}: {line:?}");
            }
        }
        assert_eq!(fitted("気気", 4), "気");
    }
}
