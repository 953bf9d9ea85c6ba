//! What `list` shows.

use std::fs;

use serde_json::json;

use crate::{Desk, link};

#[tokio::test]
async fn a_listing_shows_folders_files_and_sizes_in_order() {
    let desk = Desk::with(&[
        ("b.txt", b"12345"),
        ("a/one.rs", b"x"),
        ("a/deep/two.rs", &[b'x'; 2048]),
        (".hidden-file", b""),
        (".git/config", b"x"),
    ]);
    assert_eq!(
        desk.list(json!({})).await,
        ".hidden-file (0 bytes)\na/\na/deep/\na/one.rs (1 byte)\nb.txt (5 bytes)\n\n[folders 2 deep \
         were not looked into: list a larger depth to see more]"
    );
    let deep = desk.list(json!({"depth": 3})).await;
    assert!(deep.contains("a/deep/two.rs (2 KiB)") && !deep.contains('['), "{deep}");
    assert_eq!(desk.list(json!({"path": "a/deep"})).await, "a/deep/two.rs (2 KiB)");
    let absolute = desk.root().join("a/deep").display().to_string();
    assert_eq!(desk.list(json!({"path": absolute})).await, "a/deep/two.rs (2 KiB)");
}

#[tokio::test]
async fn what_git_ignores_and_what_is_hidden_is_not_listed() {
    let desk = Desk::with(&[
        (".gitignore", b"target/\n*.log\n!keep.log\n"),
        ("target/x", b""),
        ("a.log", b""),
        ("keep.log", b""),
        ("sub/.gitignore", b"inner\n"),
        ("sub/inner", b""),
        ("sub/shown", b""),
        ("data/store.db", b""),
    ]);
    let listed = desk.list(json!({"depth": 10})).await;
    assert!(listed.contains("keep.log") && listed.contains("sub/shown"), "{listed}");
    for hidden in ["target", "a.log", "sub/inner", "data", "store.db"] {
        assert!(!listed.contains(hidden), "{listed}");
    }
    assert!(desk.call("list", json!({"path": "data"})).await.is_err());
}

#[tokio::test]
async fn a_file_is_listed_as_what_it_is() {
    let desk = Desk::with(&[("src/Main.rs", b"12345")]);
    assert_eq!(
        desk.list(json!({"path": "src/Main.rs"})).await,
        "src/Main.rs (5 bytes)\n\n[src/Main.rs is a file: show tells what is in a file]"
    );
    let listed = desk.list(json!({"path": "SRC"})).await;
    assert_eq!(listed, "src/Main.rs (5 bytes)\n[this is src: there is no SRC]");
}

#[tokio::test]
async fn links_are_shown_and_not_followed() {
    let desk = Desk::with(&[("real/file.txt", b"x")]);
    link(desk.outside(), desk.root().join("folder"));
    link(desk.outside().join("secret.txt"), desk.root().join("file"));
    link("real", desk.root().join("inside"));
    link("nowhere", desk.root().join("broken"));
    let listed = desk.list(json!({"depth": 5})).await;
    assert!(
        listed.contains("inside -> real\n") && listed.contains("broken -> nowhere"),
        "{listed}"
    );
    assert!(listed.contains("folder -> /") && !listed.contains("folder/"), "{listed}");
    assert!(!listed.contains("folder/secret") && !listed.contains("inside/"), "{listed}");
    // A link to a folder of the workspace may be named; one that leads out may not.
    assert_eq!(desk.list(json!({"path": "inside"})).await, "real/file.txt (1 byte)");
    for path in ["folder", "folder/..", "../outside", "/etc", "/proc/self/root", "file"] {
        let error = desk.call("list", json!({"path": path})).await.unwrap_err();
        assert!(error.message().starts_with("Invalid input: "), "{error}");
        assert!(!error.message().contains("secret.txt:"), "{error}");
    }
}

#[tokio::test]
async fn a_listing_has_an_end_and_says_so() {
    let names: Vec<_> = (0..1_234).map(|it| format!("many/{it:04}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|it| (it.as_str(), b"".as_slice())).collect();
    let desk = Desk::with(&files);
    let listed = desk.list(json!({})).await;
    assert_eq!(listed.lines().count(), 1_002);
    assert!(
        listed
            .ends_with("[235 more entries are left out: list a folder in it, or a smaller depth]")
    );
}

#[tokio::test]
async fn what_is_wrong_is_told_with_what_to_do() {
    let desk = Desk::with(&[("a.txt", b"")]);
    for (arguments, wanted) in [
        (json!({"depth": 0}), "depth is 1 to 10"),
        (json!({"depth": 11}), "depth is 1 to 10"),
        (json!({"path": "nope"}), "does not exist"),
        (json!({"path": "a\u{0}b"}), "NUL"),
    ] {
        let error = desk.call("list", arguments).await.unwrap_err();
        assert!(error.message().contains(wanted), "{error}");
    }
    fs::remove_file(desk.root().join("a.txt")).unwrap();
    assert!(desk.list(json!({})).await.contains("nothing in the workspace"));
}

#[tokio::test]
async fn names_cannot_pretend_to_be_lines() {
    let desk = Desk::with(&[("a\nb", b""), ("c\u{202e}d", b""), ("e\u{1b}[2J", b"")]);
    let listed = desk.list(json!({})).await;
    assert_eq!(listed.lines().count(), 3, "{listed}");
    assert!(!listed.contains('\u{1b}') && !listed.contains('\u{202e}'), "{listed}");
}
