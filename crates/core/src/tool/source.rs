//! [`ToolSource`]: where tools come from that are not compiled in, and what they are called here.

use std::{collections::HashMap, sync::Arc};

use futures_core::future::BoxFuture;
use sha2::{Digest as _, Sha256};

use super::{ContentSource, Tool};
use crate::UnavailableTool;

/// Where tools come from that are not compiled in: a server, a folder of programs, an API. What it has
/// may change while the program runs.
pub trait ToolSource: Send + Sync {
    /// What it is called: the beginning of the names of its tools.
    fn name(&self) -> &str;

    /// What it has now. Asked before every request to a model, so it is cheap, and the same [`Arc`] for as
    /// long as nothing changed.
    fn tools(&self) -> Arc<SourceTools>;

    /// Waits until it has what it has at first, or knows why it has not. The first run waits for those that have
    /// no tools yet, within bounds of its own, and every run for one that is [`missing`](Self::missing): whoever
    /// implements it bounds how long that may take.
    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// What it has for the user besides tools, where it can have anything.
    fn content(&self) -> Option<&dyn ContentSource> {
        None
    }

    /// Why no run may go on without it: it was said to be required, and once it was [`ready`](Self::ready) it was
    /// not there. Nothing, for most.
    fn missing(&self) -> Option<String> {
        None
    }
}

/// What a source has at some moment.
#[derive(Clone, Default)]
pub struct SourceTools {
    /// Its tools, by their [qualified names](qualified_names).
    pub tools: Vec<Arc<dyn Tool>>,
    /// Those that are not offered, and why: they changed since they were approved, or cannot be used.
    pub withheld: Vec<UnavailableTool>,
}

/// The longest name that every provider takes.
const LONGEST: usize = 64;

/// Between the name of a source and that of its tool.
pub const SEPARATOR: &str = "__";

/// What the tools of a source are called here: `source__tool`, in the letters that every provider takes, and
/// at most 64 of them. Where that leaves two alike, or cuts one, a digest of the whole name is behind it, so that
/// no name depends on the order, or on what else there is at the moment it is cut.
///
/// ```
/// use toolwright_core::qualified_names;
///
/// let names = qualified_names("files", ["read", "list.all", "list_all"]);
/// assert_eq!(names[0], "files__read");
/// assert!(names[1].starts_with("files__list_all_") && names[1] != names[2]);
/// ```
pub fn qualified_names<'a>(source: &str, tools: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let tools: Vec<_> = tools.into_iter().collect();
    let plain: Vec<_> = tools.iter().map(|tool| plain(source, tool)).collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for name in &plain {
        *times.entry(name.to_ascii_lowercase()).or_default() += 1;
    }
    let is_alone = |name: &String| times.get(&name.to_ascii_lowercase()) == Some(&1);
    let named = plain.iter().zip(tools);
    named
        .map(|(plain, tool)| match plain.len() <= LONGEST && is_alone(plain) {
            true => plain.clone(),
            false => told_apart(plain, source, tool),
        })
        .collect()
}

fn plain(source: &str, tool: &str) -> String {
    let letters = |text: &str| -> String {
        let is_taken = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        text.chars().map(|c| if is_taken(c) { c } else { '_' }).collect()
    };
    format!("{}{SEPARATOR}{}", letters(source), letters(tool))
}

fn told_apart(plain: &str, source: &str, tool: &str) -> String {
    let digest = Sha256::digest([source.as_bytes(), &[0], tool.as_bytes()].concat());
    let digest: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let room = LONGEST - digest.len() - 1;
    // All of it is ASCII.
    format!("{}_{digest}", plain.get(..room).unwrap_or(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_every_provider_takes() {
        let long = "x".repeat(200);
        for tool in ["a", "a.b/c", "ä", "", &long, "a b\n"] {
            for source in ["s", "s.t", &long] {
                let names = qualified_names(source, [tool]);
                let name = names.first().unwrap();
                assert!((1..=LONGEST).contains(&name.len()), "{name}");
                assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)));
            }
        }
    }

    #[test]
    fn names_that_would_be_alike_are_told_apart_in_any_order() {
        let forward = qualified_names("s", ["a.b", "a_b", "A_b", "c"]);
        let mut backward = qualified_names("s", ["c", "A_b", "a_b", "a.b"]);
        backward.reverse();
        assert_eq!(forward, backward);
        let apart: std::collections::HashSet<_> =
            forward.iter().map(|it| it.to_ascii_lowercase()).collect();
        assert_eq!(apart.len(), 4, "{forward:?}");
        assert_eq!(forward.last().unwrap(), "s__c");
    }
}
