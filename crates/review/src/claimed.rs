//! [`is_claim`]: whether a block, in a fence or behind `>`, claims to be what a command printed or what a file says; and
//! [`made_up`]: which lines of such a block no source has.
//!
//! A block that proposes something (a program, a command to type, an example) claims nothing. What is
//! claimed is compared line by line and without white space, so that data may be indented anew and
//! lines may be numbered; `…` stands for what was left out.

use std::collections::HashSet;

use serde_json::Value;
use toolwright_core::{
    Conversation, Message, Status,
    values::{Leaf, each_leaf, texts},
};

/// Lines beyond this many are not looked for.
const MOST: usize = 256;
/// A line with fewer letters and digits could stand anywhere.
const LEAST: usize = 3;

/// What a line claims to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    /// What a program printed.
    Printed,
    /// What a file says.
    File,
}

/// A line that is said to be what a program printed or what a file says.
pub(super) struct Claim {
    pub(super) line: String,
    pub(super) of: Claimed,
}

/// Whether a block claims to be what a program printed or a file says: by its language, by the line
/// that leads to it, or by its first line.
pub(super) fn is_claim(language: &str, lead: &str, first: &str) -> Option<Claimed> {
    const PRINTED: &[&str] =
        &["console", "shell-session", "terminal", "output", "stdout", "stderr", "log", "logs"];
    let language = language.trim().to_lowercase();
    if PRINTED.contains(&language.as_str()) || is_prompt(first) {
        return Some(Claimed::Printed);
    }
    let lead = lead.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '#' | '>'));
    if !lead.ends_with(':') {
        return None;
    }
    let lower = lead.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let has = |list: &[&str]| words().any(|word| list.contains(&word));
    let starts = words().find(|word| !word.is_empty()).unwrap_or_default();
    let proposes = PROPOSING.contains(&starts) || has(SUPPOSING) || lower.contains("like this");
    let is_plain =
        matches!(language.as_str(), "" | "text" | "txt" | "json" | "csv" | "yaml" | "xml");
    if proposes {
        return None;
    }
    let printed = || (is_plain && has(PRINTING)).then_some(Claimed::Printed);
    if has(QUOTING) { Some(Claimed::File) } else { printed() }
}

/// What a file, or whoever reads it out, is said to do.
const QUOTING: &[&str] = &["content", "contents", "contains", "reads"];
/// What a command is said to do.
const PRINTING: &[&str] = &[
    "output",
    "outputs",
    "prints",
    "printed",
    "returned",
    "returns",
    "stdout",
    "stderr",
    "says",
    "said",
    "shows",
    "showed",
    "log",
    "logs",
    "result",
    "results",
    "got",
    "replied",
    "responded",
];
/// How a sentence begins that tells somebody what to do.
const PROPOSING: &[&str] = &[
    "run", "try", "use", "add", "change", "replace", "create", "write", "put", "set", "save",
    "paste", "execute", "type", "copy", "make", "to",
];
/// Words of what is not, or not yet.
const SUPPOSING: &[&str] = &[
    "would", "should", "could", "will", "might", "may", "can", "expect", "expected", "example",
    "sample", "template", "if", "format", "schema", "suppose", "imagine", "e", "instead",
];

/// Whether a line is a command somebody typed.
pub(super) fn is_prompt(line: &str) -> bool {
    ["$ ", "% ", "# $ ", "> $ ", "PS> "].iter().any(|it| line.trim_start().starts_with(it))
}

/// Whether a line says enough to be looked for.
pub(super) fn is_telling(line: &str) -> bool {
    pieces(line).next().is_some()
}

/// The pieces of a line, between what it leaves out, that say enough to be looked for.
fn pieces(line: &str) -> impl Iterator<Item = String> {
    let pieces = line.split("...").flat_map(|it| it.split('…')).map(solid);
    pieces.filter(|it| it.chars().filter(|c| c.is_alphanumeric()).count() >= LEAST)
}

/// Those of the lines that no source has.
pub(super) fn made_up<'l>(lines: &'l [Claim], conversation: &Conversation) -> Vec<&'l str> {
    let mut wanted: Vec<Wanted<'l>> = lines.iter().take(MOST).flat_map(Wanted::of).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut find = |text: &str, of: &[Claimed]| {
        if !wanted.is_empty() {
            let solid = solid(text);
            wanted.retain(|it| !(of.contains(&it.of) && it.is_in(&solid)));
        }
    };
    let any = [Claimed::Printed, Claimed::File];
    let mut good = HashSet::new();
    for message in conversation.messages().iter().rev() {
        if let Some(typed) = message.edited_arguments() {
            texts(typed).iter().for_each(|text| find(text, &any));
        }
        match &**message {
            Message::User(user) if user.is_turn() => {
                user.texts().for_each(|text| find(text, &any));
            }
            Message::Tool(result) if result.outcome.status != Status::Refused => {
                if result.outcome.status.is_ok() {
                    good.insert(&result.call);
                }
                let said = result.outcome.said();
                find(said, &any);
                let parsed = serde_json::from_str::<Value>(said).ok();
                let all = parsed.iter().chain(&result.outcome.data);
                all.for_each(|data| strings(data, &mut |text| find(text, &any)));
            }
            // What was written into a file is what the file says, and nothing that was printed.
            Message::Assistant(reply) => {
                for call in reply.calls.iter().filter(|call| good.contains(&call.id)) {
                    if let Ok(arguments) = call.parse() {
                        strings(&arguments, &mut |text| find(text, &[Claimed::File]));
                    }
                }
            }
            _ => {}
        }
    }
    let mut lines: Vec<&str> = wanted.into_iter().map(|it| it.line).collect();
    lines.dedup();
    lines
}

/// Whether a block under a file's name is what stands in the file, and no draft of it: the file was looked at since
/// the question, and most of the lines are there.
pub(super) fn is_quotation(name: &str, block: &[Claim], conversation: &Conversation) -> bool {
    let mut calls = conversation.turn().iter().flat_map(|it| it.calls());
    let is_looked_at = calls.any(|call| call.arguments.contains(name));
    let telling = block.iter().filter(|it| is_telling(&it.line)).count();
    let missing = made_up(block, conversation).len();
    is_looked_at && telling > 2 * missing
}

fn strings(data: &Value, read: &mut dyn FnMut(&str)) {
    each_leaf(data, &mut |leaf| match leaf {
        Leaf::Key { name, .. } => read(name),
        Leaf::Scalar { value: Value::String(text), .. } => read(text),
        Leaf::Scalar { .. } => {}
    });
}

/// A piece of a line that is looked for.
struct Wanted<'l> {
    line: &'l str,
    /// Without white space.
    solid: String,
    of: Claimed,
}

impl<'l> Wanted<'l> {
    /// The pieces of a line, between what it leaves out.
    fn of(claim: &'l Claim) -> Vec<Self> {
        let Claim { line, of } = claim;
        pieces(line).map(|solid| Self { line, solid, of: *of }).collect()
    }

    fn is_in(&self, text: &str) -> bool {
        // `12: fn main()`, where the source has no numbers, or has them apart.
        let digits = self.solid.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = digits.strip_prefix([':', '|', '.', ')', '→']).unwrap_or(digits);
        let numbered = digits.len() < self.solid.len() && !bare.is_empty();
        text.contains(&self.solid) || (numbered && text.contains(bare))
    }
}

fn solid(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
