//! [`Case`]: one conversation that is scored, as it stands in a file of questions.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use serde::Deserialize;
use serde_json::Value;

/// One conversation that is scored. `crates/offline/eval/README.md` tells the format.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) id: String,
    /// The task it is asked in; not used where the case brings tools of its own.
    #[serde(default)]
    pub(crate) task: String,
    pub(crate) split: Split,
    pub(crate) group: String,
    /// The notes there are beforehand.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    /// The files of the workspace beforehand, beside those that are always there.
    #[serde(default)]
    pub(crate) workspace: BTreeMap<String, String>,
    /// What files of the workspace must hold afterwards.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, Content>,
    /// Tools that are only described, in OpenAI's form: then the first reply alone is scored.
    #[serde(default)]
    pub(crate) tools: Vec<Value>,
    pub(crate) turns: Vec<Turn>,
}

/// Whether a case may be looked at while something is tuned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Split {
    /// For looking at.
    Dev,
    /// Only ever scored.
    Held,
}

/// What a file must and must not hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content {
    /// One of these texts and nothing else, but for a last line that ends or does not; anything where there is none.
    #[serde(default)]
    pub(crate) is: Vec<String>,
    #[serde(default)]
    pub(crate) has: Vec<String>,
    #[serde(default)]
    pub(crate) not: Vec<String>,
}

/// One question of a conversation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    pub(crate) ask: String,
    /// The steps of a chain, and the calls of each step in any order. None: no call is wanted.
    #[serde(default)]
    pub(crate) calls: Vec<Vec<Wanted>>,
    /// Whatever is called is right: only the answer counts, and what files hold.
    #[serde(default)]
    pub(crate) is_free: bool,
    #[serde(default)]
    pub(crate) answer: Said,
}

/// What the answer must and must not say.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    #[serde(default)]
    pub(crate) must: Vec<Value>,
    #[serde(default)]
    pub(crate) not: Vec<String>,
}

/// A call that is wanted.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Written")]
pub(crate) struct Wanted {
    /// The ways to make it, one of which is enough.
    pub(crate) ways: Vec<Way>,
    /// It may be left out.
    pub(crate) optional: bool,
    /// One call may be two of those that are wanted: a quote of two shares.
    pub(crate) share: bool,
    /// Its tool cannot do it, and says so.
    pub(crate) fails: bool,
}

/// One way to make a call: the tool, and what its arguments must be.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Way {
    pub(crate) tool: String,
    pub(crate) args: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    one: Option<Way>,
    #[serde(default)]
    any: Vec<Way>,
    #[serde(default)]
    optional: bool,
    #[serde(default)]
    share: bool,
    #[serde(default)]
    fails: bool,
}

impl From<Written> for Wanted {
    fn from(written: Written) -> Self {
        let Written { one, any, optional, share, fails } = written;
        Self { ways: one.into_iter().chain(any).collect(), optional, share, fails }
    }
}

impl Case {
    /// Whether some turn of it takes one call after another.
    #[cfg(test)]
    pub(crate) fn is_chain(&self) -> bool {
        let needed = |step: &&Vec<Wanted>| step.iter().any(|call| !call.optional);
        self.turns.iter().any(|turn| turn.calls.iter().filter(needed).count() >= 2)
    }
}

/// All cases in the `.jsonl` files of a folder, in the order of the files' names.
pub(crate) fn read(folder: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let told = |error: &dyn Error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(|error| told(&error))?;
    let mut paths = entries.map(|it| Ok(it?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        for (number, line) in (1..).zip(fs::read_to_string(&path)?.lines()) {
            let case = serde_json::from_str(line);
            cases.push(case.map_err(|it| format!("{}:{number}: {it}", path.display()))?);
        }
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, path::Path};

    use regex::Regex;
    use serde_json::Value;

    use super::{Case, Split, read};
    use crate::days::day;

    fn questions() -> Vec<Case> {
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../offline/eval/questions")).unwrap()
    }

    #[test]
    fn there_are_as_many_as_there_should_be() {
        let cases = questions();
        let count = |wanted: fn(&Case) -> bool| cases.iter().filter(|it| wanted(it)).count();
        assert!(cases.len() >= 260);
        assert!(count(|it| it.group == "none") >= 45);
        assert!(count(Case::is_chain) >= 65);
        assert!(count(|it| it.turns.len() > 1) >= 30);
        let held = count(|it| it.split == Split::Held);
        assert!(held.abs_diff(cases.len() / 2) <= 5, "{held} of {}", cases.len());
        let ids: HashSet<_> = cases.iter().map(|it| &it.id).collect();
        assert_eq!(ids.len(), cases.len(), "each has an id of its own");
    }

    #[test]
    fn every_wanted_call_can_be_made_in_some_way() {
        for case in questions() {
            for call in case.turns.iter().flat_map(|it| &it.calls).flatten() {
                assert!(!call.ways.is_empty(), "{}", case.id);
            }
            let has_none = case.turns.iter().all(|it| it.calls.is_empty());
            assert_eq!(has_none, case.group == "none", "{}", case.id);
        }
    }

    /// Every form of what is wanted, and those within it.
    fn check(wanted: &Value) {
        match wanted {
            Value::Object(form) => form.iter().for_each(|(kind, it)| match (kind.as_str(), it) {
                ("from_result" | "re", Value::String(text)) => {
                    let pattern = Regex::new(text).unwrap();
                    assert!(kind == "re" || pattern.captures_len() > 1, "{text}");
                }
                ("free" | "within", Value::Bool(true)) | ("has", Value::String(_)) => {}
                ("any" | "words" | "holds" | "else", it) => check(it),
                (segment, Value::Array(_)) if segment.contains('_') => check(it),
                _ => panic!("{kind} is not known"),
            }),
            Value::Array(items) => items.iter().for_each(check),
            Value::String(text) => {
                let symbol = text.strip_prefix("date:");
                let today = "2026-11-15".parse().unwrap();
                assert!(symbol.is_none_or(|it| day(it, today).is_some()), "{text}");
            }
            _ => {}
        }
    }

    #[test]
    fn what_is_wanted_is_written_in_forms_that_are_known() {
        for turn in questions().iter().flat_map(|it| &it.turns) {
            turn.answer.must.iter().for_each(check);
            let ways = turn.calls.iter().flatten().flat_map(|it| &it.ways);
            ways.flat_map(|it| it.args.values()).for_each(check);
        }
    }
}
