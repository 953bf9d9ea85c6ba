//! What scripts are taken for. Tests are named after the statement they prove, with the attack's
//! number where there is one.

mod differential;
mod does_more;
mod parts;
mod random;
mod unclear;

use toolwright_core::Subjects;

use super::subjects;

/// The subjects of a script, those that only an exact rule allows with `=` before them.
#[track_caller]
fn found(script: &str) -> Vec<String> {
    match subjects(script) {
        Subjects::These(all) => all
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
        Subjects::Unclear(reason) => reason,
        other => panic!("{script:?}: {other:?}"),
    }
}

/// Whether a pattern covers a subject's text, as rules do it: `*` stands for anything, and one that
/// ends in ` *` is also for a command without arguments.
fn covers(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix(" *") {
        Some(start) => {
            text == start || text.strip_prefix(start).is_some_and(|it| it.starts_with(' '))
        }
        None => pattern == text,
    }
}

/// Whether a script would run without a question.
fn only_looks(script: &str) -> bool {
    let looking = super::looking();
    match subjects(script) {
        Subjects::These(all) => all.iter().all(|it| {
            looking.iter().any(|pattern| {
                // As the runtime's rules do: a pattern names nothing.
                match it.exact {
                    true => *pattern == it.text && !pattern.contains('*'),
                    false => covers(pattern, &it.text),
                }
            })
        }),
        _ => false,
    }
}
