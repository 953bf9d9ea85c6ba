//! Whatever is put together, nothing panics and nothing is hidden.

use proptest::prelude::*;
use toolwright_core::RuleTargets;

use super::subjects;

const PIECES: [&str; 58] = [
    "ls",
    " ",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "(",
    ")",
    "{",
    "}",
    "$",
    "$(",
    "`",
    "'",
    "\"",
    "\\",
    "#",
    "<",
    ">",
    ">>",
    "<<",
    "<<EOF\n",
    "\nEOF\n",
    "<<'A'\n",
    "\nA\n",
    "<(",
    "[",
    "]",
    "[[ ",
    " ]]",
    "((",
    "))",
    "$((",
    "${",
    "${a}",
    "a=b",
    "=",
    "if ",
    "; then ",
    "; fi",
    "case a in ",
    "a) ",
    ";; ",
    "esac",
    "for a in b; do ",
    "; done",
    "f() ",
    "!",
    "! ",
    "*",
    "é",
    "-c ",
    "bash ",
    "rm y",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_command_behind_any_script_is_found(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
    ) {
        let script: String = pieces.concat();
        let before = subjects(&script);
        let after = subjects(&format!("{script}; rm x"));
        let has_rm = |it: &RuleTargets| match it {
            RuleTargets::These(all) => all.iter().any(|it| it.text == "rm x"),
            _ => true,
        };
        if matches!(before, RuleTargets::These(_)) {
            // Behind a comment it is one itself.
            let last = script.rsplit('\n').next().unwrap_or_default();
            prop_assert!(has_rm(&after) || last.contains('#'), "{script:?}: {after:?}");
        }
        let own_line = subjects(&format!("{script}\nrm x"));
        if matches!(before, RuleTargets::These(_)) {
            prop_assert!(has_rm(&own_line), "{script:?}: {own_line:?}");
        }
    }

    #[test]
    fn any_text_is_read_or_not(script in "\\PC{0,200}") {
        let _either = subjects(&script);
    }
}
