//! Edits that must not happen, and what an edit leaves alone.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
};

use serde_json::json;

use crate::support::World;

/// An edit that fails in these words and leaves the file alone.
fn untouched(content: &[u8], old: &str, new: &str, because: &str) {
    let world = World::new();
    world.put("file.txt", content);
    let before = fs::metadata(world.at("file.txt")).unwrap();
    let error = world.edit("file.txt", old, new).unwrap_err();
    assert!(error.starts_with("Invalid input: ") && error.contains(because), "{error}");
    let after = fs::metadata(world.at("file.txt")).unwrap();
    assert_eq!(
        (before.ino(), before.mtime(), before.mtime_nsec()),
        (after.ino(), after.mtime(), after.mtime_nsec())
    );
    assert_eq!(fs::read(world.at("file.txt")).unwrap(), content);
    world.is_clean();
}

#[test]
fn p11_a_text_that_is_absent_changes_nothing() {
    untouched(b"one\ntwo\n", "three", "four", "old_string is not in ");
    untouched(
        b"one\n  two\n",
        "one\n    two\n",
        "x",
        "Lines 1-2 differ from it only in whitespace",
    );
    untouched(b"", "x", "y", "old_string is not in ");
}

#[test]
fn p12_a_text_that_occurs_more_than_once_changes_nothing() {
    untouched(b"x\ny\nx\nx\n", "x", "z", "old_string occurs 3 times");
    untouched(b"x\ny\nx\nx\n", "x", "z", "in lines 1, 3, 4");
    untouched(b"aaa", "aa", "b", "occurs 2 times");
}

#[test]
fn p12_unless_all_are_meant() {
    let world = World::new();
    world.put("file.txt", "x\ny\nx\n");
    let arguments = json!({
        "file_path": "file.txt", "old_string": "x", "new_string": "z", "replace_all": true,
    });
    world.call("edit", arguments).unwrap();
    assert_eq!(world.read("file.txt"), "z\ny\nz\n");
}

#[test]
fn p13_an_empty_text_or_the_same_changes_nothing() {
    untouched(b"one\n", "", "two", "old_string is empty");
    untouched(b"", "", "two", "old_string is empty");
    untouched(b"one\n", "one", "one", "are the same");
}

#[test]
fn p16_bytes_that_are_no_text_are_marked_and_never_rewritten() {
    let world = World::new();
    let content = b"caf\xe9 one\n\xff\xfe\xc3\n";
    world.put("latin.txt", content);
    let shown = world.show("latin.txt").unwrap();
    assert!(shown.starts_with("     1\tcaf\\xE9 one\n     2\t\\xFF\\xFE\\xC3\n"), "{shown}");
    assert!(shown.contains("not valid UTF-8 and are shown as \\xNN"), "{shown}");
    world.edit("latin.txt", "one", "two").unwrap();
    assert_eq!(fs::read(world.at("latin.txt")).unwrap(), b"caf\xe9 two\n\xff\xfe\xc3\n");
    world.put("program", b"\x7fELF\0\x01one\xff");
    assert_eq!(
        world.show("program").unwrap(),
        "This is a binary file of 10 bytes. It is not shown."
    );
    world.edit("program", "one", "three").unwrap();
    assert_eq!(fs::read(world.at("program")).unwrap(), b"\x7fELF\0\x01three\xff");
}

/// What is a picture by its bytes is given back as one; a name makes none.
#[test]
fn a_picture_is_shown_as_a_picture() {
    let world = World::new();
    world.put("chart", b"\x89PNG\r\n\x1a\n\0\0");
    assert_eq!(world.show("chart").unwrap(), "Attached: chart (image/png, 10 bytes)");
    world.put("words.png", "one\n");
    assert!(world.show("words.png").unwrap().starts_with("     1\tone"));
    let mut large = b"\x89PNG\r\n\x1a\n\0\0".to_vec();
    large.resize((20 << 20) + 1, 0);
    world.put("large.png", large);
    assert!(world.show("large.png").unwrap().starts_with("This is a binary file of 20,971,521"));
}

#[test]
fn an_edit_keeps_mode_and_owner() {
    let world = World::new();
    world.put("run.sh", "one");
    fs::set_permissions(world.at("run.sh"), fs::Permissions::from_mode(0o4751)).unwrap();
    let owned = std::os::unix::fs::chown(world.at("run.sh"), Some(1234), Some(4321)).is_ok();
    fs::set_permissions(world.at("run.sh"), fs::Permissions::from_mode(0o4751)).unwrap();
    world.edit("run.sh", "one", "two").unwrap();
    let after = fs::metadata(world.at("run.sh")).unwrap();
    assert_eq!(after.mode() & 0o7777, 0o4751);
    if owned {
        assert_eq!((after.uid(), after.gid()), (1234, 4321));
    }
}

#[test]
fn an_edit_keeps_the_line_endings_of_the_file() {
    let world = World::new();
    world.put("dos.txt", "one\r\ntwo\r\nthree\r\n");
    let told = world.edit("dos.txt", "one\ntwo\n", "1\n2\n2.5\n").unwrap();
    assert_eq!(world.read("dos.txt"), "1\r\n2\r\n2.5\r\nthree\r\n");
    assert!(told.contains("-one\n-two\n+1\n+2\n+2.5\n three\n"), "{told}");
}

#[test]
fn a_file_that_is_too_large_is_not_edited() {
    let world = World::new();
    world.put("large", "one");
    fs::File::options()
        .write(true)
        .open(world.at("large"))
        .unwrap()
        .set_len((64 << 20) + 1)
        .unwrap();
    let error = world.edit("large", "one", "two").unwrap_err();
    assert!(error.contains("more than the 64 MiB"), "{error}");
}
