//! `search`: the lines of files that match a regular expression.

use std::{fs::File, io, path::Path, sync::Arc, time::Duration};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use schemars::JsonSchema;
use serde::Deserialize;
use toolwright_core::{FnTool, Tool, ToolEffect, ToolError, ToolSpec, Verbatim, schema_of};

use super::{
    looked::{Looked, name, plain, refused},
    matches::{InFile, Matches},
    subject::{Reach, looking_at},
};
use crate::{
    Workspace,
    root::{Kind, Root},
};

const ABOUT: &str = "\
Search files for a regular expression (Rust's syntax, line by line), without .git, binary files and \
what .gitignore names. Each match is told as path:line: text, at most 200 of them.";

/// The most lines of context around a match.
const CONTEXT: u64 = 20;
/// How long a line may be: it is held in memory as a whole.
const LONGEST_LINE: usize = 16 << 20;
/// How large what a pattern is made into may be.
const LARGEST_PATTERN: usize = 10 << 20;

#[derive(Deserialize, JsonSchema)]
struct Search {
    /// The regular expression, such as `fn \w+_name`. Escape . ( ) [ ] { } ? * + | ^ $ and \ with a
    /// backslash where you mean the character.
    pattern: String,
    /// The file or folder to search, as its full path from the workspace root. The whole workspace
    /// where it is not given.
    path: Option<String>,
    /// Which files to search, such as *.rs or src/**/*.toml; with ! in front: which not to.
    glob: Option<String>,
    /// Whether large and small letters are the same.
    ignore_case: Option<bool>,
    /// How many lines to show before and after each match, up to 20.
    context: Option<u64>,
}

/// Things people say when they want it.
const EXAMPLES: [&str; 9] = [
    "what do our files say about the fee",
    "since when is Anna on the list",
    "where is main defined",
    "search for TODO",
    "find uses of parse_config",
    "grep for unwrap in src",
    "which files mention the licence",
    "is there anything that contains the word hello",
    "look for a function and show where it is defined",
];

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("search", ABOUT, schema_of::<Search>())
        .effect(ToolEffect::ReadOnly)
        .free_text("pattern")
        .timeout(Duration::from_secs(60))
        .generated("pattern")
        .generated("glob")
        .examples(EXAMPLES)
        .verbatim(Verbatim::Text);
    let shared = workspace.clone();
    let tool = FnTool::new(spec, move |arguments, context| {
        Box::pin(Looked::beside(shared.clone(), arguments, context, search))
    });
    looking_at(workspace, Arc::new(tool), "path", Reach::Below)
}

fn search(root: &Root, it: &Search, looked: &Looked) -> Result<String, ToolError> {
    let only = only(root, it.glob.as_deref())?;
    let place = Looked::place(root, it.path.as_deref())?;
    let entry = root.metadata(&place.relative).map_err(|error| refused(&place.absolute, &error))?;
    let mut first = None;
    for Attempt { matcher, said, most } in attempts(it)? {
        let matches = Matches::at_most(most);
        let mut searching = Searching { root, looked, matcher, searcher: searcher(it), matches };
        match entry.kind {
            Kind::File => searching.file(&place.relative)?,
            Kind::Folder => searching.folder(&place.relative, &only)?,
            kind => {
                let (path, kind) = (place.absolute.display(), kind.words());
                return Err(ToolError::new(format!("Invalid input: {path} is {kind}, not a file")));
            }
        }
        if searching.matches.has_some() {
            let note = it.path.as_deref().map(|typed| place.note(typed)).unwrap_or_default();
            let said = said.map(|it| format!("\n[{it}]")).unwrap_or_default();
            return Ok(searching.matches.words(&it.pattern) + &said + &note);
        }
        // That nothing was found is told of what was asked for.
        first.get_or_insert(searching.matches);
    }
    Ok(first.unwrap_or_default().words(&it.pattern))
}

/// A search on its way.
struct Searching<'a> {
    root: &'a Root,
    looked: &'a Looked,
    matcher: RegexMatcher,
    searcher: Searcher,
    matches: Matches,
}

impl Searching<'_> {
    /// Searches the files in a folder. The walk only proposes names: what is opened is opened below
    /// the workspace's handle.
    fn folder(&mut self, relative: &Path, only: &Override) -> Result<(), ToolError> {
        let mut walk = self.root.walk(relative);
        walk.sort_by_file_name(Ord::cmp);
        for entry in walk.build() {
            self.looked.check_time()?;
            let Ok(entry) = entry else { continue };
            let is_file = entry.file_type().is_some_and(|it| it.is_file());
            let Ok(relative) = entry.path().strip_prefix(self.root.path()) else { continue };
            if is_file
                && !self.root.is_hidden(relative)
                && !only.matched(relative, false).is_ignore()
            {
                self.file(relative)?;
            }
            if self.matches.is_enough() {
                break;
            }
        }
        Ok(())
    }

    fn file(&mut self, relative: &Path) -> Result<(), ToolError> {
        let Ok(file) = self.root.open_file(relative) else {
            self.matches.unreadable += 1;
            return Ok(());
        };
        let mut found = InFile::new(&self.matcher, name(relative), self.matches.room());
        let reader = Watched { file, looked: self.looked };
        let searched = self.searcher.search_reader(&self.matcher, reader, &mut found);
        self.looked.check_time()?;
        match searched {
            Ok(()) => self.matches.take(&found),
            Err(_) => self.matches.unreadable += 1,
        }
        self.looked.tell(self.matches.files);
        Ok(())
    }
}

/// A file that is read for as long as somebody waits.
struct Watched<'a> {
    file: File,
    looked: &'a Looked,
}

impl io::Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.looked.is_stopped() {
            return Err(io::Error::other("stopped"));
        }
        self.file.read(buffer)
    }
}

/// A way to look for a pattern.
struct Attempt {
    matcher: RegexMatcher,
    /// What is told where it finds something; nothing where it is what was asked for.
    said: Option<String>,
    /// How many lines are told at most, where they may be of all kinds.
    most: Option<u64>,
}

/// How many words of a pattern are looked for in any order.
const WORDS: usize = 4;

/// How many letters a word has at least that is looked for without the others.
const TELLING: usize = 4;
/// How many lines are told that are not what was asked for.
const A_FEW: u64 = 20;
/// Words that stand anywhere.
const COMMON: [&str; 14] = [
    "about", "does", "each", "from", "have", "into", "line", "some", "text", "that", "this",
    "what", "when", "with",
];

/// How a pattern is looked for, each way only where those before it find nothing: as it is, in any case, and where it is
/// made of words, by these in any order, by how they begin (`years` finds `year`), by any of them, and a single one by how it
/// may be spelled otherwise.
fn attempts(it: &Search) -> Result<Vec<Attempt>, ToolError> {
    let any_case = it.ignore_case.unwrap_or(false);
    let asked = matcher(&it.pattern, any_case)?;
    let mut attempts = vec![Attempt { matcher: asked, said: None, most: None }];
    let mut add = |pattern: &str, said: String, most: Option<u64>| {
        let attempt = |matcher| Attempt { matcher, said: Some(said), most };
        attempts.extend(matcher(pattern, true).map(attempt));
    };
    let shown = plain(&it.pattern);
    if !any_case {
        let said = format!("no line has {shown} in these letters: these have it in others");
        add(&it.pattern, said, None);
    }
    let is_words = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | ',' | '\'' | '"');
    let words: Vec<&str> = it
        .pattern
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|it| !it.is_empty())
        .collect();
    if !it.pattern.chars().all(is_words) || !(1..=WORDS).contains(&words.len()) {
        return Ok(attempts);
    }
    if words.len() > 1 {
        let said = format!("no line has {shown}: these have its words, in any order");
        add(&in_any_order(&words).join("|"), said, None);
    }
    let begun: Vec<_> = words.iter().map(|word| format!(r"\b{}", stem(word))).collect();
    let begun: Vec<_> = begun.iter().map(String::as_str).collect();
    let said = format!("no line has {shown}: these have the like");
    add(&in_any_order(&begun).join("|"), said, Some(A_FEW));
    let is_telling = |it: &&&str| it.len() >= TELLING && !COMMON.contains(&&*it.to_lowercase());
    let telling: Vec<_> = words.iter().filter(is_telling).collect();
    if words.len() > 1 && !telling.is_empty() {
        let any: Vec<_> = telling.iter().map(|word| format!(r"\b{}", stem(word))).collect();
        let said = format!("no line has all of {shown}: these have some of it");
        add(&any.join("|"), said, Some(A_FEW));
    }
    if let [word] = words.as_slice()
        && let Some(near) = near(word)
    {
        let said = format!("no line has {shown}: these have nearly the same word");
        add(&near, said, Some(A_FEW));
    }
    Ok(attempts)
}

/// How many letters a word has at least of which one may be another, missing or too many.
const SPELLED: usize = 5;

/// What a word looks like with one letter other than its first another, missing or too many: `licence` finds `license`.
fn near(word: &str) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < SPELLED || !letters.iter().all(|it| it.is_alphabetic()) {
        return None;
    }
    let text = |letters: &[char]| letters.iter().collect::<String>();
    let at = |at: usize| {
        let (before, behind) = letters.split_at(at);
        let (before, rest) = (text(before), text(behind.get(1..).unwrap_or_default()));
        format!(r"{before}\w?{rest}|{before}\w{}", text(behind))
    };
    Some(format!(r"\b(?:{})\b", (1..letters.len()).map(at).collect::<Vec<_>>().join("|")))
}

/// A word without an ending of English, where enough is left.
fn stem(word: &str) -> &str {
    let stems = ["ies", "ing", "es", "ed", "s"].iter().filter_map(|it| word.strip_suffix(it));
    stems.into_iter().find(|it| it.len() >= TELLING - 1).unwrap_or(word)
}

/// The words in every order, with anything between them.
fn in_any_order(words: &[&str]) -> Vec<String> {
    if let [only] = words {
        return vec![(*only).to_owned()];
    }
    let mut orders = Vec::new();
    for (at, first) in words.iter().enumerate() {
        let mut rest = words.to_vec();
        rest.remove(at);
        orders.extend(in_any_order(&rest).iter().map(|rest| format!("{first}.*{rest}")));
    }
    orders
}

fn matcher(pattern: &str, any_case: bool) -> Result<RegexMatcher, ToolError> {
    if pattern.is_empty() {
        return Err(ToolError::new("Invalid input: pattern is empty: every line would match"));
    }
    RegexMatcherBuilder::new()
        .case_insensitive(any_case)
        .line_terminator(Some(b'\n'))
        .size_limit(LARGEST_PATTERN)
        .build(pattern)
        .map_err(|error| {
            ToolError::new(format!(
                "Invalid input: pattern is no regular expression that can be searched for: {error}\n\
                 Escape . ( ) [ ] {{ }} ? * + | ^ $ and \\ with a backslash where you mean the \
                 character. A match cannot go over the end of a line."
            ))
        })
}

fn searcher(it: &Search) -> Searcher {
    let context = usize::try_from(it.context.unwrap_or(0).min(CONTEXT)).unwrap_or(0);
    SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .before_context(context)
        .after_context(context)
        .heap_limit(Some(LONGEST_LINE))
        .line_number(true)
        .build()
}

/// Which files are searched.
fn only(root: &Root, glob: Option<&str>) -> Result<Override, ToolError> {
    let Some(glob) = glob.filter(|it| !it.is_empty()) else { return Ok(Override::empty()) };
    let mut builder = OverrideBuilder::new(root.path());
    builder.add(glob).and_then(|it| it.build()).map_err(|error| {
        ToolError::new(format!(
            "Invalid input: glob is no pattern for files: {error}. Write it as *.rs or src/**/*.toml"
        ))
    })
}
