//! [`listing`]: what all tools can do, for people.

use std::{collections::BTreeMap, sync::Arc};

use toolwright_core::{ToolGroup, ToolSpec};

/// How many things a line tells.
const THINGS: usize = 8;
/// How many characters a thing has.
const LENGTH: usize = 80;

/// What all tools can do: a line for each group of them, in the order of the tools. Nothing where there are none.
pub(super) fn listing(tools: &[Arc<ToolSpec>]) -> String {
    let mut groups: Vec<(Option<&ToolGroup>, Vec<&ToolSpec>)> = Vec::new();
    let mut places: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for spec in tools {
        let group = spec.group.as_deref();
        let at = *places.entry(group.map(|it| it.name.as_str())).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, specs)) => specs.push(spec),
            None => groups.push((group, vec![spec])),
        }
    }
    let lines = groups.iter().map(|(group, specs)| line(*group, specs));
    lines.collect::<Vec<_>>().join("\n")
}

/// A group that says what it is for is told by that; of any other one is told what its tools do.
fn line(group: Option<&ToolGroup>, specs: &[&ToolSpec]) -> String {
    if let Some(group) = group.filter(|it| !it.about.is_empty()) {
        return format!("- help with {}", group.about);
    }
    let title = group.map(|it| format!("{}: ", it.name)).unwrap_or_default();
    let things: Vec<_> = specs.iter().take(THINGS).map(|spec| thing(spec)).collect();
    let more = match specs.len().saturating_sub(THINGS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("- {title}{}{more}", things.join("; "))
}

/// What a tool does, in a few words: how its description begins.
fn thing(spec: &ToolSpec) -> String {
    let text = spec.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.find([':', '(', ';']).into_iter().chain(text.find(". ")).min();
    let text = end.and_then(|end| text.get(..end)).unwrap_or(&text);
    let text = text.trim_end_matches(['.', ' ', ',']);
    if text.is_empty() {
        return spec.name.replace(['_', '-'], " ");
    }
    let mut chars = text.chars();
    // A word in large letters is a name.
    let is_name = text.chars().nth(1).is_some_and(char::is_uppercase);
    let first = chars.next().filter(|_| !is_name).map(char::to_lowercase);
    let text = match first {
        Some(first) => first.chain(chars).collect(),
        None => text.to_owned(),
    };
    toolwright_core::truncate_line(&text, LENGTH)
}
