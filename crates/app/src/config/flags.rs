//! [`Flags`]: what was given on the command line.

use std::{collections::BTreeMap, path::PathBuf};

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--data`.
    pub data: Option<PathBuf>,
    /// `--log`.
    pub log: Option<String>,
    /// `--review`.
    pub review: Option<String>,
    /// `--task`.
    pub task: Option<String>,
    /// `--model`.
    pub model: Option<String>,
    /// `--tool-mode`.
    pub tool_mode: Option<String>,
    /// `--dialect`.
    pub dialect: Option<String>,
    /// `--option`, each with its value.
    pub options: Vec<(String, String)>,
    /// `--max-rounds`.
    pub rounds: Option<u32>,
    /// `--tool-timeout`.
    pub tool_timeout: Option<String>,
    /// `--single-shot`.
    pub single_shot: bool,
    /// What was given of packs: by the pack's name and the key's.
    pub packs: BTreeMap<(&'static str, &'static str), String>,
    /// `--cassette`.
    pub cassette: Option<PathBuf>,
    /// `--cassette-mode`.
    pub cassette_mode: Option<String>,
    /// `--addr`.
    pub addr: Option<String>,
    /// `--auth`.
    pub auth: Option<String>,
    /// `--engine`.
    pub engine: Option<String>,
    /// `--addr` of a worker.
    pub worker_addr: Option<String>,
    /// What becomes of a task that was set and cannot be used.
    pub on_bad_task: OnBadTask,
}

/// What becomes of a task that was set, in a file or in the environment, and cannot be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnBadTask {
    /// Nothing is done without it.
    #[default]
    Refuse,
    /// It is told, and the usual one is in its place: for commands that show what is wrong.
    Tell,
}
