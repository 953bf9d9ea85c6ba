//! [`Prose`]: an answer as it is read, without its markup.

use super::{
    claimed::{Claim, Claimed, is_claim, is_prompt},
    numbers::digits,
};

/// An answer as it is read.
pub(super) struct Prose<'a> {
    pub(super) lines: Vec<Line<'a>>,
    /// Lines that are said to be what a command printed or what a file says.
    pub(super) claims: Vec<Claim>,
    /// Blocks under nothing but a file's name, each with that name.
    pub(super) named: Vec<(String, Vec<Claim>)>,
    /// How many items its lists and rows its tables have: what it says it shows, it may count.
    pub(super) items: usize,
}

/// A line of an answer.
pub(super) struct Line<'a> {
    /// As it stands in the answer, without the space around it.
    pub(super) written: &'a str,
    /// What is read for figures, dates and ids: without the number of a list's item.
    pub(super) text: String,
    /// What is read for names: none in headings, and without labels and code.
    pub(super) said: String,
}

/// Whether a line stands in a fence, and which.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fence {
    /// Words and data: it says something, but names there are spelled for programs.
    Data,
    /// The same under nothing but a file's name: perhaps what stands in it.
    Named,
    /// A program: its numbers say nothing about the world.
    Code,
    /// What something printed or says, to the letter.
    Claim(Claimed),
}

impl<'a> Prose<'a> {
    pub(super) fn of(answer: &'a str) -> Self {
        let (lines, claims, named) = (Vec::new(), Vec::new(), Vec::new());
        let mut prose = Self { lines, claims, named, items: 0 };
        let mut fence = None;
        let mut rows = 0;
        let mut numbered = 0;
        let mut lead = "";
        // Whether the lines behind `>` that are being read say what something printed or says.
        let mut quoted = None;
        let mut lines = answer.lines().peekable();
        while let Some(line) = lines.next() {
            let line = line.trim();
            let written = line;
            if let Some(info) = line.strip_prefix("```").or_else(|| line.strip_prefix("~~~")) {
                let first = lines.peek().copied().unwrap_or_default();
                fence = if fence.is_some() { None } else { Some(fence_of(info, lead, first)) };
                if fence == Some(Fence::Named) {
                    prose.named.extend(file_name(lead).map(|it| (it.to_owned(), Vec::new())));
                }
                continue;
            }
            match fence {
                Some(Fence::Code) => continue,
                Some(Fence::Claim(of)) => {
                    let claim = || Claim { line: line.to_owned(), of };
                    prose.claims.extend((!is_prompt(line)).then(claim));
                    continue;
                }
                Some(Fence::Data | Fence::Named) => {
                    if let (Some(Fence::Named), Some((_, block))) = (fence, prose.named.last_mut())
                    {
                        block.push(Claim { line: line.to_owned(), of: Claimed::File });
                    }
                    let text = digits(line).into_owned();
                    prose.lines.push(Line { written, text, said: String::new() });
                    continue;
                }
                None => {}
            }
            let behind = line.strip_prefix('>').map(str::trim);
            quoted = behind.map(|line| quoted.unwrap_or_else(|| is_claim("", lead, line)));
            if let (Some(line), Some(Some(of))) = (behind, quoted) {
                prose.claims.push(Claim { line: line.to_owned(), of });
                continue;
            }
            if is_ruler(line) {
                continue;
            }
            lead = if line.is_empty() { lead } else { line };
            let line = unescaped(&digits(line));
            if line.starts_with('|') {
                let header = lines.peek().is_some_and(|next| is_ruler(next.trim()));
                rows = if header { 0 } else { rows + 1 };
                prose.items += usize::from(!header);
                let (text, said) = row(&line, rows);
                prose.lines.push(Line { written, text, said });
            } else {
                let (text, item) = item(&line, &mut numbered);
                prose.items += usize::from(item);
                let (text, said) = (text.to_owned(), said(&line, text));
                prose.lines.push(Line { written, text, said });
            }
        }
        prose
    }
}

fn fence_of(info: &str, lead: &str, first: &str) -> Fence {
    if let Some(of) = is_claim(info, lead, first) {
        return Fence::Claim(of);
    }
    match info.trim().to_lowercase().as_str() {
        "" | "text" | "txt" if file_name(lead).is_some() => Fence::Named,
        "" | "text" | "txt" | "json" | "csv" | "yaml" | "markdown" | "md" => Fence::Data,
        _ => Fence::Code,
    }
}

/// The file that a line names, where it says nothing else: `README.md:`, "**In `src/app.toml`:**".
fn file_name(lead: &str) -> Option<&str> {
    let is_mark = |c: char| matches!(c, '*' | '_' | '#' | '`' | ' ');
    let bare = lead.trim_matches(is_mark).strip_suffix(':')?.trim_matches(is_mark);
    let name = bare.strip_prefix("In ").unwrap_or(bare).trim_matches(is_mark);
    let is_file = name.contains('.') && !name.contains(char::is_whitespace) && !name.ends_with('.');
    is_file.then_some(name)
}

/// The line under a table's head, or one across the page.
fn is_ruler(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// Without the backslashes that only keep a sign from being markup.
fn unescaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            out.push(c);
        }
    }
    out
}

/// What is read of a table's row, and what of it for names; `number` is which of its table, 0 for the head. Its first
/// cell is a label.
fn row(line: &str, number: usize) -> (String, String) {
    let inner = line.trim_matches('|');
    let (first, rest) = inner.split_once('|').unwrap_or(("", inner));
    let numbered = number > 0 && first.trim().parse() == Ok(number);
    let text = if numbered { rest } else { inner }.to_owned();
    let said = if number == 0 { String::new() } else { without_code(rest) };
    (text, said)
}

/// What a line says without the mark of a list's item, and whether it had one. `last` is the number of
/// the item before.
fn item<'l>(line: &'l str, last: &mut usize) -> (&'l str, bool) {
    let bare = line.trim_start_matches(['#', '>', ' ', '*', '_']);
    let digits = bare.find(|c: char| !c.is_ascii_digit()).unwrap_or(bare.len());
    let after = bare.get(digits..).unwrap_or_default();
    let mark = after.strip_prefix(['.', ')', ':']).filter(|_| (1..=3).contains(&digits));
    // `24.5` begins with a number and `24.` is one; `24. Rome` is the item of that number.
    if let Some(rest) = mark.filter(|rest| rest.starts_with([' ', '*'])) {
        return (rest, true);
    }
    if let Some((number, rest)) = counted(line).filter(|(it, _)| *it == 1 || *it == *last + 1) {
        *last = number;
        return (rest, true);
    }
    let bullet = ["- ", "* ", "• ", "+ ", "– "].iter().find_map(|it| line.strip_prefix(it));
    match bullet {
        Some(rest) => (rest, true),
        None => (line, false),
    }
}

/// The number that a line counts its items with, where it follows on the one before, and the rest:
/// `Step 13: …`, `(13) …`, `#13 …`.
fn counted(line: &str) -> Option<(usize, &str)> {
    const LABELS: &[&str] =
        &["step", "part", "item", "option", "question", "task", "phase", "rule"];
    let bare = line.trim_start_matches(['>', ' ', '*', '_', '-']);
    let opened = bare.trim_start_matches("## ").trim_start_matches(['#', '(', '[', ' ', '*']);
    let word = opened.split(' ').next().unwrap_or_default();
    let labelled = LABELS.contains(&word.to_lowercase().as_str());
    let marked = labelled || opened.len() < bare.len();
    let from = if labelled { opened.get(word.len() + 1..)? } else { opened };
    let digits = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
    let rest = from.get(digits..)?;
    let ends = rest.is_empty() || rest.starts_with([' ', ')', ']', ':', '.', '*']);
    let number = from.get(..digits)?.parse().ok().filter(|_| marked && ends)?;
    Some((number, rest))
}

/// What of a line is read for names.
fn said(line: &str, text: &str) -> String {
    let bold = text.trim().strip_prefix("**").and_then(|it| it.strip_suffix("**"));
    let heading = line.starts_with('#') || bold.is_some_and(|it| !it.contains("**"));
    let shouted = !line.chars().any(char::is_lowercase);
    if heading || shouted {
        return String::new();
    }
    let text = without_code(&without_labels(text));
    match label(&text) {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// What follows a label at the start of a line: `Day High: 24,500`.
fn label(text: &str) -> Option<&str> {
    const MOST: usize = 48;
    let (label, rest) = text.split_once(':')?;
    let short = label.len() <= MOST && !label.contains(['.', '!', '?', ',']);
    // Not in a time, not in an address.
    (short && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/')).then_some(rest)
}

/// Without bold words that end in, or are followed by, a colon.
fn without_labels(text: &str) -> String {
    let mut out = String::new();
    let mut pieces = text.split("**").enumerate().peekable();
    while let Some((number, piece)) = pieces.next() {
        let bold = number % 2 == 1 && pieces.peek().is_some();
        let colon = pieces.peek().is_some_and(|(_, next)| next.starts_with(':'));
        if bold && (colon || piece.trim_end().ends_with(':')) {
            out.push('|');
        } else {
            out.push_str(piece);
            out.push_str(if pieces.peek().is_some() { "**" } else { "" });
        }
    }
    out
}

/// With a bar in the place of code.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    for (number, piece) in text.split('`').enumerate() {
        out.push_str(if number % 2 == 0 { piece } else { " | " });
    }
    out
}
