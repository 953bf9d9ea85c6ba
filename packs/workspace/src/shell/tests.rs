//! What scripts are taken for. Tests are named after the statement they prove, with the attack's
//! number where there is one.

mod denied;
mod differential;
mod does_more;
mod parts;
mod random;
mod unclear;
mod unseen;

use toolwright_core::RuleTargets;

use super::subjects;

/// The subjects of a script, those that only an exact rule allows with `=` before them.
#[track_caller]
fn found(script: &str) -> Vec<String> {
    match subjects(script) {
        RuleTargets::These(all) => all
            .into_iter()
            .map(|it| if it.exact { format!("={}", it.text) } else { it.text })
            .collect(),
        other => panic!("{script:?}: {other:?}"),
    }
}

/// Why nobody can tell what a script runs.
#[track_caller]
fn reason(script: &str) -> String {
    match subjects(script) {
        RuleTargets::Unclear(reason) => reason,
        other => panic!("{script:?}: {other:?}"),
    }
}

/// Whether a script would run without a question.
fn only_looks(script: &str) -> bool {
    super::looks(script).is_some()
}
