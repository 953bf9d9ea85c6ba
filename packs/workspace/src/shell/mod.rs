//! [`subjects`]: a script in its parts, so that rules can be held against each.
//!
//! A script is read with a grammar, then the tree is checked against what bash would make of the
//! same bytes ([`agree`]); where the two might differ, the answer is that nobody can tell. What can
//! do more than its first words say is marked, so that only a rule that names all of it allows it.

mod agree;
mod awk;
mod command;
mod feeds;
mod gather;
mod git;
mod heredoc;
mod inline;
mod judge;
mod looking;
mod looking_git;
mod looks;
mod marks;
mod options;
mod programs;
mod quoted;
mod sed;
mod sed_script;
mod shapes;
#[cfg(test)]
mod tests;
mod tree;
mod unseen;
mod word;
mod wrappers;

use toolwright_core::{OpaqueCommand, RuleTargets};

pub(crate) use self::looks::{Looking, looks};

/// The commands a script runs, each on its own.
pub(crate) fn subjects(script: &str) -> RuleTargets {
    match judge::all(script) {
        Ok(subjects) => RuleTargets::These(subjects),
        Err(unclear) => RuleTargets::Unclear(unclear.0),
    }
}

/// The commands of a script that runs where it cannot write. There git starts nothing that could
/// change anything, so that a rule about another program is not about it.
pub(crate) fn read_only_subjects(script: &str) -> RuleTargets {
    let mut subjects = subjects(script);
    if let RuleTargets::These(found) = &mut subjects {
        let git = found.iter_mut().filter(|it| it.text.starts_with("git "));
        git.for_each(|it| it.certain = None);
    }
    subjects
}

/// The commands of a script that carry out text from a file or from another command, in words; all of
/// the script where nobody can tell.
pub(crate) fn unseen(script: &str) -> Vec<OpaqueCommand> {
    judge::unseen(script)
}

/// Why nobody can tell what a script runs.
#[derive(Debug)]
struct Unclear(String);

impl Unclear {
    /// The script has something in it that bash may read differently.
    fn may_differ(what: &str) -> Self {
        Self(format!("{what}, which bash may read differently than expected"))
    }
}

/// Bounds on what is read: a script that is longer is not meant for a person to look at.
mod limits {
    use std::time::Duration;

    /// Bytes of a script.
    pub(super) const SCRIPT: usize = 64 << 10;
    /// Pipes: where something is wrong behind them, the grammar tries all of them again and again.
    pub(super) const PIPES: usize = 1_000;
    /// Brackets that are open at once.
    pub(super) const NESTING: usize = 200;
    /// How long the grammar may take.
    pub(super) const TIME: Duration = Duration::from_secs(5);
    /// Bytes of all the subjects together.
    pub(super) const TEXT: usize = 256 << 10;
    /// Scripts within scripts (`bash -c "bash -c …"`).
    pub(super) const SCRIPTS: usize = 4;
    /// Programs that start programs (`sudo nice env …`).
    pub(super) const WRAPPERS: usize = 8;
    /// Texts handed to a command in the script itself.
    pub(super) const HEREDOCS: usize = 16;
}
