//! What real bash runs is among the subjects, or nobody can tell.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use proptest::prelude::*;
use toolwright_core::RuleTargets;

use super::subjects;

/// Programs that only note how they were called.
const PROGRAMS: [&str; 4] = ["one", "two", "three", "four"];

/// Scripts in which bash has to find the same commands; some are made to be read differently.
const SCRIPTS: [&str; 74] = [
    "one",
    "one a b",
    "one 'a b' \"c\"",
    "one; two",
    "one && two",
    "one || two",
    "one | two",
    "one & two",
    "one\ntwo",
    "(one; two)",
    "{ one; two; }",
    "! one",
    "if one; then two; fi",
    "one $(two a)",
    "one `two a`",
    "one \"$(two \"$(three)\")\"",
    "one <(two)",
    "one > >(two)",
    "one <<< $(two)",
    "a=$(two) one",
    "a=b; one",
    "f() { one a; }; f",
    "for i in 1 2; do one $i; done",
    "case a in a) one;; *) two;; esac",
    "while one; do two; break; done",
    "one # two\nthree",
    "one a#b; two",
    "one \\# a; two",
    "one \\\n a\ntwo",
    "o\\\nne a",
    "cat <<EOF\none\nEOF\ntwo",
    "cat <<'EOF'\n$(one)\nEOF\ntwo",
    "cat <<EOF\n$(one)\nEOF\ntwo",
    "cat <<-EOF\n\tone\n\tEOF\ntwo",
    "cat <<EOF\n EOF\n'\nEOF\ntwo\n: '\nEOF",
    "cat <<EOF\nEOFX\n: '\nEOF\ntwo\n: '\n",
    "cat <<E'O'F\na\nEOF\ntwo",
    "cat <<EOF | two\na\nEOF",
    "cat <<EOF; one\na\nEOF\ntwo",
    "cat <<A <<B\na\nA\none\nB\ntwo",
    "one $'a\\'; two; : '",
    "one $'a\\\\' ; two ; : 'b'",
    "one \"a\\\"; two; : \"",
    "one 'a'\\''b'; two",
    "one \"a`two`b\"",
    "one \"`two \"a\"`\"",
    "one ${a:-$(two)}",
    "one \"${a:-'}\"; two; : \"'}\"",
    "one ${a:-'}'}; two",
    "one $((1 + 1)); two",
    "((1 + 1)); one",
    "( (one); two)",
    "((one); two)",
    "$( (one); two)",
    "[ a = b ] || one",
    "[[ a == b ]] || one",
    "[[ a =~ ^[a-z]$ ]] && one",
    "[ -n a ] && one; two",
    "one {a,b} {}",
    "eval 'one a'",
    "bash -c 'one a; two b'",
    "env A=b one c",
    "command one a",
    "exec one a",
    "timeout 5 one a",
    "nice -n 1 one a",
    "find . -maxdepth 0 -exec one {} \\;",
    "echo a | xargs one",
    "\\one a; 'one' b; o''ne c",
    "one a;two b;{ three c;};(four d)",
    "one && { two || three; } && four",
    "time one a",
    "trap 'one a' EXIT; two",
    "one a 2>&1 >/dev/null | two b",
];

#[test]
fn whatever_bash_runs_is_among_the_subjects() {
    let folder = tempfile::tempdir().unwrap();
    programs(folder.path());
    let read = SCRIPTS.iter().filter(|it| agrees(folder.path(), it)).count();
    assert!(read >= 50, "only {read} of them were read");
}

/// Pieces that are put together at random, and what is put in between to break them.
const PIECES: [&str; 46] = [
    "one",
    "two a",
    "three 'b c'",
    "four \"d\"",
    " one a",
    "; two",
    " && three",
    " | four",
    "\n",
    "\none b\n",
    "\ntwo",
    "(one)",
    "{ two; }",
    "$(three)",
    "`four`",
    "\"$(one c)\"",
    "\"`two`\"",
    "<(three)",
    "'a\nb'",
    "\"a\nb\"",
    " # four\n",
    "#",
    " \\\n ",
    "\\\n",
    "cat <<EOF\none\nEOF\n",
    "cat <<'E'\n$(one)\nE\n",
    "cat <<-EOF\n\ttwo\n\tEOF\n",
    " <<EOF\n",
    "\nEOF\n",
    "\n EOF\n",
    "\nEOFX\n",
    "if one; then two; fi",
    "for i in a b; do three; done",
    "case a in a) one;; *) two;; esac",
    "[ a = b ] || ",
    "[[ a == b ]] || ",
    "! one",
    "f() { one; }\n",
    "a=b ",
    " >/dev/null",
    " 2>&1",
    "$'a\\'b'",
    "${a:-b}",
    " {a,b}",
    "eval 'one a'",
    "bash -c 'two b'",
];
const MARKS: [&str; 22] = [
    "'", "\"", "\\", "`", "$", "#", "(", ")", "{", "}", "[", "]", "<", ">", "&", "|", ";", " ",
    "\n", "!", "=", "\t",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_bash_runs_of_any_script_is_among_the_subjects(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 1..8),
        marks in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&MARKS[..])), 0..3),
    ) {
        let mut script = pieces.concat();
        for (at, mark) in marks {
            let at = at.index(script.len() + 1);
            script.insert_str(at, mark);
        }
        let folder = tempfile::tempdir().unwrap();
        programs(folder.path());
        agrees(folder.path(), &script);
    }
}

/// Checks that whatever bash runs of a script is among its subjects; says whether there are any.
#[track_caller]
fn agrees(folder: &Path, script: &str) -> bool {
    let RuleTargets::These(found) = subjects(script) else { return false };
    let texts: Vec<_> = found.iter().map(|it| it.text.as_str()).collect();
    for command in run(folder, script) {
        let program = command.split(' ').next().unwrap_or_default();
        // What is only known at run time is among them by its name, or not even by that.
        let is_same = |it: &str| {
            let bare = strip(it);
            let is_open = bare.contains(['$', '`', '<', '{', '>', '*', '?', '[']);
            let name = bare.split(' ').next().unwrap_or_default();
            bare == command || is_open && (name == program || name.contains(['$', '`']))
        };
        let is_started = |it: &str| it.contains("xargs") && texts.contains(&program);
        assert!(
            texts.iter().any(|it| is_same(it) || is_started(it)),
            "{script:?} ran {command:?}, not among {texts:?}",
        );
    }
    true
}

/// The text without the quotes that make it unmistakable, and without what is set before it.
fn strip(text: &str) -> String {
    let text = text.replace(r"'\''", "\u{1}").replace('\'', "").replace('\u{1}', "'");
    match text.split_once(' ') {
        Some((set, rest)) if set.contains('=') => rest.to_owned(),
        _ => text,
    }
}

fn programs(folder: &Path) {
    for program in PROGRAMS {
        let path = folder.join("bin").join(program);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // One write a call, so that those at the same time do not mix.
        let script = format!("#!/bin/sh\nprintf '%s\\0' \"{program}${{*:+ $*}}\" >> \"$LOG\"\n");
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// What bash ran of the programs.
fn run(folder: &Path, script: &str) -> Vec<String> {
    let log = folder.join("log");
    fs::write(&log, "").unwrap();
    let work = tempfile::tempdir_in(folder).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.join("bin").display());
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{script}\nwait")]).current_dir(&work).env_clear();
    bash.env("PATH", path).env("LOG", &log).stdin(std::process::Stdio::null());
    // All that it starts have its output open, so all have ended when that ends.
    bash.output().unwrap();
    fs::read_to_string(&log).unwrap().split_terminator('\0').map(str::to_owned).collect()
}
