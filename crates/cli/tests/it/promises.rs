//! Every promise of the README names what holds it, and that is there.

use std::{fs, path::Path, process::Command};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// What the script that `make lint` runs says of a README; nothing where it is content.
fn complaint(readme: &Path) -> Option<String> {
    let script = root().join("scripts/promises.sh");
    let ended = Command::new("sh").arg(script).arg(readme).output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.success(), said.is_empty(), "{said}");
    (!ended.status.success()).then_some(said)
}

#[test]
fn what_holds_each_promise_is_there() {
    assert_eq!(complaint(&root().join("README.md")), None);
}

/// Each reference by itself: a test that was renamed and an item that lost its comment are found.
#[test]
fn a_promise_that_nothing_holds_is_found() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("README.md");
    let tests: Vec<_> = readme
        .split_whitespace()
        .filter_map(|it| it.strip_prefix("crates/")?.split_once('#').map(|(_, name)| name))
        .collect();
    assert!(tests.len() >= 20, "{tests:?}");
    for name in tests {
        fs::write(&path, readme.replacen(name, "renamed_since", 1)).unwrap();
        let said = complaint(&path).unwrap_or_default();
        assert!(said.contains("has no test renamed_since"), "{name}: {said}");
    }
    let promises = readme.split_once("## What it promises").unwrap().1;
    let comments: Vec<_> = promises.split("<!-- held by:").skip(1).collect();
    assert!(comments.len() >= 8);
    for comment in comments {
        let comment = comment.split("-->").next().unwrap();
        fs::write(&path, readme.replacen(&format!("<!-- held by:{comment}-->"), "", 1)).unwrap();
        assert!(complaint(&path).unwrap_or_default().contains("nothing holds"), "{comment}");
    }
}
