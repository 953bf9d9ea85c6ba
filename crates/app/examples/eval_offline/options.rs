//! [`Options`]: what was asked for on the command line.

use std::{env, path::PathBuf};

use crate::question::{Case, Split};

/// How to use the program.
pub(crate) const USAGE: &str = "\
usage: eval_offline [--model NAME] [--questions DIR]… [--split dev|held] [--group NAME]…
                    [--only ID]… [--most N] [--models DIR] [--json]

  --questions  folders with .jsonl files [default: crates/offline/eval/questions]
  --most       so many of each group at most
  --models     where what models need is kept [default: target/eval-offline/models]
  --json       one case a line; what is held out tells its score only";

const QUESTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../offline/eval/questions");

/// What was asked for.
pub(crate) struct Options {
    pub(crate) model: String,
    pub(crate) questions: Vec<PathBuf>,
    pub(crate) models: PathBuf,
    pub(crate) style: Style,
    split: Option<Split>,
    groups: Vec<String>,
    only: Vec<String>,
    pub(crate) most: Option<usize>,
}

/// How results are told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Table,
    Json,
}

impl Options {
    /// Those of the command line.
    pub(crate) fn read() -> Result<Self, String> {
        Self::parse(env::args().skip(1))
    }

    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            model: "offline".to_owned(),
            questions: Vec::new(),
            models: PathBuf::from("target/eval-offline/models"),
            style: Style::Table,
            split: None,
            groups: Vec::new(),
            only: Vec::new(),
            most: None,
        };
        while let Some(flag) = words.next() {
            if flag == "--json" {
                options.style = Style::Json;
                continue;
            }
            let value = words.next().ok_or(USAGE)?;
            match flag.as_str() {
                "--model" => options.model = value,
                "--questions" => options.questions.push(value.into()),
                "--models" => options.models = value.into(),
                "--group" => options.groups.push(value),
                "--only" => options.only.push(value),
                "--most" => options.most = Some(value.parse().map_err(|_| USAGE)?),
                "--split" => options.split = Some(split(&value).ok_or(USAGE)?),
                _ => return Err(USAGE.to_owned()),
            }
        }
        if options.questions.is_empty() {
            options.questions.push(QUESTIONS.into());
        }
        Ok(options)
    }

    /// Whether a case was asked for.
    pub(crate) fn wants(&self, case: &Case) -> bool {
        let in_list =
            |list: &[String], name: &str| list.is_empty() || list.iter().any(|it| it == name);
        self.split.is_none_or(|it| it == case.split)
            && in_list(&self.groups, &case.group)
            && in_list(&self.only, &case.id)
    }
}

fn split(word: &str) -> Option<Split> {
    match word {
        "dev" => Some(Split::Dev),
        "held" => Some(Split::Held),
        _ => None,
    }
}
