//! [`Rows`]: what results list of several things, each under its name.
//!
//! Objects in a list, objects under keys, lines and blocks that begin with a name, and the results of calls that
//! asked the same of different things. A list of the values of one thing ("High: 24", "Low: 21") is none: there is
//! no telling which words for it people use.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use toolwright_core::{Call, CallId, Conversation, ToolMessage, values::texts};

use super::scan::{What, scan};

/// Rows beyond this many are not read, and neither is a conversation with more text than this.
const MOST: usize = 2_000;
const BUDGET: usize = 2 << 20;
/// A longer text is no name.
const NAME: usize = 60;
/// A line of a list tells this many figures, or it is a value and no row.
const FIGURES: usize = 2;

/// What results list.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    /// What the results say besides.
    pub(super) rest: String,
    /// How many rows stood in lists.
    listed: usize,
}

/// One thing, and what results say of it.
pub(super) struct Row {
    /// What it is called, each name in its words, in lower case.
    pub(super) names: Vec<Vec<String>>,
    /// The first of them as it is written.
    pub(super) name: String,
    pub(super) text: String,
}

/// A row as it is read.
struct Found {
    names: Vec<String>,
    text: String,
}

impl Rows {
    /// Those of a conversation; none where there are too many to read.
    pub(super) fn of(conversation: &Conversation) -> Self {
        let results: Vec<&ToolMessage> =
            conversation.results().filter(|it| it.outcome.status.is_ok()).collect();
        let size: usize = results.iter().map(|it| it.outcome.said().len()).sum();
        if size > BUDGET {
            return Self::default();
        }
        let mut rows = Self::default();
        let asked = Asked::of(conversation, &results);
        for result in results {
            let (before, said) = (rows.listed, rows.rest.len());
            rows.read(result);
            let names = asked.names(result);
            if rows.listed == before && !names.is_empty() {
                // It is all about what was asked.
                let text = rows.rest.split_off(said);
                rows.add(Found { names, text });
            }
        }
        if rows.rows.len() > MOST { Self::default() } else { rows }
    }

    fn read(&mut self, result: &ToolMessage) {
        let said = result.outcome.said();
        match serde_json::from_str::<Value>(said) {
            Ok(value) => self.value(&value),
            Err(_) => self.lines(said),
        }
        if let Some(data) = &result.outcome.data {
            self.value(data);
        }
        if let Some(words) = &result.outcome.words {
            self.lines(words);
        }
    }

    /// Adds the rows of one list, each under the names that it has alone.
    fn list(&mut self, mut list: Vec<Found>) {
        let mut known: HashMap<String, usize> = HashMap::new();
        for name in list.iter().flat_map(|it| it.names.iter().collect::<HashSet<_>>()) {
            *known.entry(words(name).join(" ")).or_default() += 1;
        }
        for found in &mut list {
            found.names.retain(|it| known.get(&words(it).join(" ")) == Some(&1));
        }
        self.listed += list.len();
        list.into_iter().for_each(|found| self.add(found));
    }

    /// Adds what is said of a thing to what is known of it.
    fn add(&mut self, found: Found) {
        let Found { names, text } = found;
        let Some(name) = names.first().cloned() else { return self.say(&text) };
        let names: Vec<_> = names.iter().map(|it| words(it)).collect();
        let known = self.rows.iter_mut().find(|row| row.names.iter().any(|it| names.contains(it)));
        match known {
            Some(row) => {
                row.text.push('\n');
                row.text.push_str(&text);
                row.names.extend(names);
            }
            None => self.rows.push(Row { names, name, text }),
        }
    }

    fn say(&mut self, text: &str) {
        self.rest.push_str(text);
        self.rest.push('\n');
    }

    /// Reads data.
    fn value(&mut self, value: &Value) {
        let list: Vec<Found> = match value {
            Value::Array(items) => items.iter().filter_map(|it| object(it, "")).collect(),
            Value::Object(map) => map.iter().filter_map(|(key, it)| object(it, key)).collect(),
            _ => Vec::new(),
        };
        let has_names = list.iter().filter(|it| !it.names.is_empty()).count() >= 2;
        let is_list = match value {
            Value::Array(items) => list.len() == items.len() && has_names,
            Value::Object(map) => list.len() == map.len() && has_names && are_alike(map.values()),
            _ => false,
        };
        match value {
            _ if is_list => self.list(list),
            Value::Array(items) => items.iter().for_each(|it| self.value(it)),
            Value::Object(map) => map.values().for_each(|it| self.value(it)),
            scalar => self.say(&texts(scalar).join(" ")),
        }
    }

    /// Reads text.
    fn lines(&mut self, text: &str) {
        let mut list: Vec<Found> = Vec::new();
        let mut block: Option<Found> = None;
        for line in text.lines() {
            let bare = line.trim();
            let item = item(bare);
            if let (Some(_), Some(open)) = (item, &mut block) {
                open.text.push('\n');
                open.text.push_str(bare);
                continue;
            }
            list.extend(block.take());
            let names = names_of_line(item.unwrap_or(bare));
            match (item, names.is_empty()) {
                (_, true) => self.say(bare),
                (Some(_), false) => list.push(Found { names, text: bare.to_owned() }),
                (None, false) => block = Some(Found { names, text: bare.to_owned() }),
            }
        }
        list.extend(block);
        let (rows, values): (Vec<_>, Vec<_>) =
            list.into_iter().partition(|it| figures(&it.text) >= FIGURES);
        values.iter().for_each(|it| self.say(&it.text));
        self.list(rows);
    }
}

/// What calls of the same tool asked, each of something else.
struct Asked<'c> {
    calls: HashMap<&'c CallId, &'c Call>,
    /// The arguments that more than one call of a tool has, or that its only call has.
    shared: HashSet<(String, String)>,
}

impl<'c> Asked<'c> {
    fn of(conversation: &'c Conversation, results: &[&ToolMessage]) -> Self {
        let calls = conversation.messages().iter().flat_map(|it| it.calls());
        let calls: HashMap<_, _> = calls.map(|call| (&call.id, call)).collect();
        let mut times: HashMap<(String, String), usize> = HashMap::new();
        let mut of_tool: HashMap<&str, usize> = HashMap::new();
        for result in results {
            *of_tool.entry(result.name.as_str()).or_default() += 1;
            for argument in calls.get(&result.call).into_iter().flat_map(|call| arguments(call)) {
                *times.entry((result.name.clone(), argument.to_lowercase())).or_default() += 1;
            }
        }
        let is_alone = |tool: &str| of_tool.get(tool).is_none_or(|many| *many < 2);
        let shared = times.into_iter().filter(|((tool, _), many)| *many > 1 || is_alone(tool));
        Self { shared: shared.map(|(it, _)| it).collect(), calls }
    }

    fn names(&self, result: &ToolMessage) -> Vec<String> {
        let arguments = self.calls.get(&result.call).into_iter().flat_map(|call| arguments(call));
        let own =
            arguments.filter(|it| !self.shared.contains(&(result.name.clone(), it.to_lowercase())));
        own.collect()
    }
}

fn arguments(call: &Call) -> Vec<String> {
    let parsed = call.parse().unwrap_or_default();
    let values = parsed.as_object().into_iter().flat_map(serde_json::Map::values);
    values.filter_map(Value::as_str).filter(|it| is_name(it)).map(str::to_owned).collect()
}

/// An object of a list, with the names that its fields and its key give it.
fn object(value: &Value, key: &str) -> Option<Found> {
    let map = value.as_object()?;
    let fields = map.iter().filter(|(key, _)| is_naming(key));
    let mut names: Vec<String> = fields
        .filter_map(|(_, it)| it.as_str())
        .filter(|it| is_name(it))
        .map(str::to_owned)
        .collect();
    if is_name(key) {
        names.push(key.to_owned());
    }
    Some(Found { names, text: texts(value).join(" | ") })
}

/// Whether objects have the same fields.
fn are_alike<'v>(mut values: impl Iterator<Item = &'v Value>) -> bool {
    let fields = |it: &Value| it.as_object().map(|map| map.keys().cloned().collect::<HashSet<_>>());
    let first = values.next().and_then(fields);
    first.is_some() && values.all(|it| fields(it) == first)
}

/// Whether a field says what a thing is called: by the last word of its name.
fn is_naming(key: &str) -> bool {
    const NAMING: &[&str] = &[
        "name", "title", "symbol", "label", "ticker", "login", "customer", "product", "city",
        "country", "location", "place", "flight", "item", "company",
    ];
    let start = key.rfind(|c: char| c == '_' || c == '-' || c.is_uppercase()).unwrap_or(0);
    let last = key.get(start..).unwrap_or(key).trim_start_matches(['_', '-']).to_lowercase();
    NAMING.contains(&last.as_str()) || NAMING.contains(&key.to_lowercase().as_str())
}

fn is_name(text: &str) -> bool {
    text.len() <= NAME && text.chars().filter(|it| it.is_alphabetic()).count() >= 2
}

/// What an item of a list says.
fn item(line: &str) -> Option<&str> {
    let bullet = ["- ", "* ", "• "].iter().find_map(|it| line.strip_prefix(it));
    bullet.or_else(|| {
        let digits = line.find(|c: char| !c.is_ascii_digit()).filter(|it| *it > 0)?;
        line.get(digits..)?.strip_prefix(". ")
    })
}

/// What a line names at its beginning: `Nifty 50 (NIFTY), IDX_I 13: 25,715.00`, `| TCS | 3,900 |`.
fn names_of_line(line: &str) -> Vec<String> {
    let label = match line.strip_prefix('|') {
        Some(row) => row.split('|').next().unwrap_or_default(),
        None => match line.split_once(": ") {
            Some((label, rest)) if rest.contains(|c: char| c.is_ascii_digit()) => label,
            _ => return Vec::new(),
        },
    };
    let label = label.split(',').next().unwrap_or_default();
    let names = label.split(['(', ')']).map(|it| it.trim_matches(['*', '_', '`', ' ']));
    // A sentence is no name.
    if label.contains(['.', '!', '?', ';']) {
        return Vec::new();
    }
    names.filter(|it| is_name(it)).map(str::to_owned).collect()
}

fn figures(text: &str) -> usize {
    let mut count = 0;
    for line in text.lines() {
        scan(line, &mut |mention| count += usize::from(matches!(mention.what, What::Figure(_))));
    }
    count
}

/// A text in its words, in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_lowercase).collect()
}
