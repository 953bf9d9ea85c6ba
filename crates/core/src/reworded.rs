//! [`Words`]: the programs and words of a call, to find a command of a result that was reworded.
//!
//! Something added, another order, a variable or a wrapper make another text of a command, and the
//! same deed. So a program and what it is given are compared, wherever in the call they stand.

use std::collections::HashSet;

use crate::quoted::{SEPARATORS, normal};

/// The programs and words of a call.
pub(crate) struct Words {
    programs: HashSet<String>,
    words: HashSet<String>,
}

/// How many words behind a program in a result are looked at.
const REACH: usize = 12;

impl Words {
    /// Those of a command line, of which these pieces were not said by the user; nothing where it is
    /// no command line.
    pub(crate) fn of(text: &str, pieces: &[String]) -> Option<Self> {
        let text = normal(text);
        if !text.contains(' ') {
            return None;
        }
        let programs: HashSet<_> = pieces.iter().flat_map(|it| programs(it)).collect();
        let mut words = HashSet::new();
        for word in text.split(SEPARATORS).flat_map(str::split_whitespace) {
            let value = word.split_once('=').map(|(_, value)| value);
            for word in [Some(word), value].into_iter().flatten() {
                words.insert(settled(word).to_owned());
                words.insert(base(word).to_owned());
            }
        }
        (!programs.is_empty()).then_some(Self { programs, words })
    }

    /// The first command of a result that has a program of these and shares what it is given.
    pub(crate) fn stands_in(&self, result: &str) -> Option<String> {
        let result = result.replace("\\\n", " ");
        result.split(SEPARATORS).find_map(|segment| {
            let segment = normal(segment);
            let words: Vec<_> = segment.split(' ').collect();
            (0..words.len()).find_map(|at| {
                let (program, rest) = words.get(at..)?.split_first()?;
                let program = base(program);
                let rest = rest.get(..REACH).unwrap_or(rest);
                let is_same = self.programs.contains(program) && self.shares(program, rest);
                is_same.then(|| format!("{program} {}", rest.join(" ")))
            })
        })
    }

    /// Whether these words behind a program are among those of the call. The name of what a program
    /// is to do (`git add`) is everybody's.
    fn shares(&self, program: &str, rest: &[&str]) -> bool {
        let rest = match HAS_COMMANDS.contains(&program) {
            true => rest.get(1..).unwrap_or_default(),
            false => rest,
        };
        rest.iter().any(|word| {
            let word = settled(word.trim_end_matches(['.', ',', ':']));
            tells(word) && word != program && self.words.contains(word)
        })
    }
}

/// The programs that a piece of a command line may start.
fn programs(piece: &str) -> Vec<String> {
    let words = piece.split(' ').filter(|it| !it.starts_with('-') && !it.contains('='));
    let mut words = words.map(base).peekable();
    match words.peek() {
        // What it starts may be any of them.
        Some(first) if STARTERS.contains(first) => words.map(str::to_owned).collect(),
        _ => words.next().map(str::to_owned).into_iter().collect(),
    }
}

/// Whether a word tells one command from another.
fn tells(word: &str) -> bool {
    const COMMON: [&str; 26] = [
        "all", "an", "and", "are", "as", "at", "be", "by", "file", "files", "for", "from", "in",
        "into", "is", "it", "of", "on", "or", "that", "the", "this", "to", "with", "you", "your",
    ];
    word.len() > 1 && !word.starts_with('-') && !COMMON.contains(&word)
}

/// A path without what leads nowhere.
fn settled(word: &str) -> &str {
    let mut word = word.trim_start_matches(['<', '>']);
    while let Some(rest) = word.strip_prefix("./") {
        word = rest;
    }
    word
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
}

/// Programs whose first argument is what they are to do.
const HAS_COMMANDS: [&str; 14] = [
    "apt", "apt-get", "brew", "bun", "cargo", "docker", "git", "go", "kubectl", "npm", "pip",
    "pnpm", "uv", "yarn",
];

/// Words before a program that leave it the same.
const STARTERS: [&str; 36] = [
    "!", "bash", "builtin", "busybox", "chroot", "chrt", "command", "coproc", "dash", "do", "doas",
    "elif", "else", "env", "eval", "exec", "fakeroot", "find", "flock", "if", "ionice", "ksh",
    "nice", "nohup", "parallel", "prlimit", "setarch", "setsid", "sh", "stdbuf", "sudo", "then",
    "time", "timeout", "xargs", "zsh",
];
