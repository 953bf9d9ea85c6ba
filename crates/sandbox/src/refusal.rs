//! [`not_started`]: why a program was not started, in words that help.

use crate::{NoSandbox, person::Person};

/// How bubblewrap begins to say that it may not open what it should show.
const UNOPENED: &str = "Can't find source path ";

/// Why a program was not started, by what was said about it.
pub(super) fn not_started(said: impl Into<String>, person: Person) -> NoSandbox {
    let said = said.into();
    if let Some((path, why)) = unopened(&said) {
        let who = match person {
            Person::Nobody => "nobody, as whom programs of root run, cannot".to_owned(),
            Person::Owner(user, _) => format!("user {user}, as whom it runs, cannot"),
            Person::Own | Person::Root => "it cannot".to_owned(),
        };
        return NoSandbox::new(
            format!("{who} open {path} ({why})"),
            "put it where others may read it, as in /opt or /srv; or let programs of root run as root: \
             `allow_root = true` under `[sandbox]` in your toolwright.toml",
        );
    }
    NoSandbox::new(said, "`toolwright doctor` says whether the sandbox works")
}

fn unopened(said: &str) -> Option<(&str, &str)> {
    let line = said.lines().find_map(|it| Some(it.split_once(UNOPENED)?.1))?;
    line.rsplit_once(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_not_be_opened_is_told_in_a_sentence() {
        let said = "bwrap: Can't find source path /root/a: b: Permission denied";
        let told = not_started(said, Person::Nobody);
        assert!(told.reason.contains("open /root/a: b (Permission denied)"), "{told:?}");
        assert!(!told.reason.contains("bwrap"), "{told:?}");
        assert_eq!(not_started("else", Person::Own).reason, "else");
    }
}
