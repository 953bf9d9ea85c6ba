//! What `search` finds.

use std::{
    io::Write as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::json;
use toolwright_core::{CallId, RunContext, ToolUpdate};

use crate::{Desk, link};

#[tokio::test]
async fn matches_are_told_by_file_and_line() {
    let desk = Desk::with(&[
        ("src/a.rs", b"fn one() {}\nfn two() {}\n"),
        ("src/b.rs", b"// nothing\nlet two = 2;\n"),
        ("c.md", b"Two\n"),
    ]);
    let found = desk.search(json!({"pattern": "two"})).await;
    assert_eq!(found, "src/a.rs:2: fn two() {}\n\nsrc/b.rs:2: let two = 2;\n");
    let found = desk.search(json!({"pattern": "TWO", "ignore_case": true})).await;
    assert_eq!(found.matches(": ").count(), 3, "{found}");
    let found = desk.search(json!({"pattern": r"fn \w+", "path": "src/a.rs", "context": 1})).await;
    assert_eq!(found, "src/a.rs:1: fn one() {}\nsrc/a.rs:2: fn two() {}\n");
    let found = desk.search(json!({"pattern": "= 2", "path": "src", "context": 1})).await;
    assert_eq!(found, "src/b.rs-1-// nothing\nsrc/b.rs:2: let two = 2;\n");
    for (glob, files) in [("*.md", 0), ("*.rs", 2), ("src/**/*.rs", 2), ("!*.rs", 0), ("b.*", 1)] {
        let found = desk.search(json!({"pattern": "two", "glob": glob})).await;
        assert_eq!(found.matches(".rs:").count(), files, "{glob}: {found}");
    }
}

#[tokio::test]
async fn no_match_says_how_much_was_searched() {
    let desk = Desk::with(&[("a", b"x\n"), ("b", b"y\n"), ("c.bin", b"z\0z\n")]);
    assert_eq!(
        desk.search(json!({"pattern": "nothing"})).await,
        "No match for nothing in the 2 files searched.\n[1 binary file was skipped]"
    );
}

#[tokio::test]
async fn what_is_not_found_as_it_is_is_found_by_its_words() {
    let desk = Desk::with(&[("a.md", b"Fix the Login page\nthe page of login\nlogin\n")]);
    let found = desk.search(json!({"pattern": "LOGIN"})).await;
    assert_eq!(found.matches("a.md:").count(), 3, "{found}");
    assert!(
        found.ends_with("[no line has LOGIN in these letters: these have it in others]"),
        "{found}"
    );
    let found = desk.search(json!({"pattern": "page login"})).await;
    assert_eq!(found.matches("a.md:").count(), 2, "{found}");
    assert!(
        found.ends_with("[no line has page login: these have its words, in any order]"),
        "{found}"
    );
    // What is found as it is, is all that is told; and a pattern is not taken apart.
    let found = desk.search(json!({"pattern": "login"})).await;
    assert_eq!(found, "a.md:2: the page of login\na.md:3: login\n");
    assert!(desk.search(json!({"pattern": r"page\s+login"})).await.starts_with("No match for"));
    assert!(
        desk.search(json!({"pattern": "side nowhere"}))
            .await
            .starts_with("No match for side nowhere")
    );
}

#[tokio::test]
async fn what_is_not_found_by_its_words_is_found_by_the_like_and_by_some() {
    let many = "the fee of all\n".repeat(60);
    let desk =
        Desk::with(&[("a.md", b"# TODO: one year\nSet the fees.\n"), ("b.md", many.as_bytes())]);
    let found = desk.search(json!({"pattern": "years"})).await;
    assert_eq!(found, "a.md:1: # TODO: one year\n\n[no line has years: these have the like]");
    let found = desk.search(json!({"pattern": "setting fees"})).await;
    assert!(found.starts_with("a.md:2: Set the fees.\n"), "{found}");
    // What has some of it is a lead, and a lead is short.
    let found = desk.search(json!({"pattern": "membership fees"})).await;
    assert_eq!(found.matches(".md:").count(), 20, "{found}");
    assert!(found.contains("41 more matches are left out"), "{found}");
    assert!(
        found.ends_with("[no line has all of membership fees: these have some of it]"),
        "{found}"
    );
    // A letter may be another one, missing or too many.
    let spelled = Desk::with(&[("p.toml", b"license = \"MIT\"\ncolor = 1\nbehavior = 2\n")]);
    for (pattern, line) in
        [("licence", "1: license"), ("colour", "2: color"), ("behaviour", "3: behavior")]
    {
        let found = spelled.search(json!({"pattern": pattern})).await;
        assert!(found.starts_with(&format!("p.toml:{line}")), "{pattern}: {found}");
        assert!(found.ends_with("these have nearly the same word]"), "{pattern}: {found}");
    }
    let found = spelled.search(json!({"pattern": "violence"})).await;
    assert!(found.starts_with("No match for violence"), "{found}");
    // Words that stand anywhere, and short ones, are none; and names of code are not taken apart.
    for pattern in ["from nowhere", "of it", "fee_total", r"years\b"] {
        let found = desk.search(json!({"pattern": pattern})).await;
        assert!(found.starts_with("No match for"), "{pattern}: {found}");
    }
}

#[tokio::test]
async fn what_git_ignores_and_what_is_hidden_is_not_searched() {
    let desk = Desk::with(&[
        (".gitignore", b"target/\n"),
        ("target/x", b"CANARY\n"),
        ("data/store.db", b"CANARY\n"),
        (".git/config", b"CANARY\n"),
        ("shown", b"shown\n"),
    ]);
    for pattern in ["CANARY", "."] {
        let found = desk.search(json!({"pattern": pattern})).await;
        assert!(!found.contains("CANARY\n") && !found.contains("store.db"), "{found}");
    }
    for path in ["data", "data/store.db"] {
        assert!(desk.call("search", json!({"pattern": "x", "path": path})).await.is_err());
    }
}

#[tokio::test]
async fn links_that_lead_out_are_not_followed() {
    let desk = Desk::with(&[("real/file.txt", b"inside\n")]);
    link(desk.outside(), desk.root().join("folder"));
    link(desk.outside().join("secret.txt"), desk.root().join("file"));
    link("real", desk.root().join("inside"));
    let found = desk.search(json!({"pattern": "."})).await;
    assert_eq!(found, "real/file.txt:1: inside\n");
    for path in ["folder", "folder/secret.txt", "file", "../outside", "/etc/passwd"] {
        let error = desk.call("search", json!({"pattern": ".", "path": path})).await.unwrap_err();
        assert!(!error.message().contains("CANARY"), "{error}");
    }
    let found = desk.search(json!({"pattern": ".", "path": "inside"})).await;
    assert_eq!(found, "real/file.txt:1: inside\n");
}

#[tokio::test]
async fn pipes_and_devices_are_passed_by() {
    let desk = Desk::with(&[("a", b"x\n")]);
    let pipe = desk.root().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(desk.search(json!({"pattern": "x"})).await, "a:1: x\n");
    let error = desk.call("search", json!({"pattern": "x", "path": "pipe"})).await.unwrap_err();
    assert!(error.message().contains("a pipe"), "{error}");
}

#[tokio::test]
async fn matches_have_an_end_and_say_so() {
    let many = "match here\n".repeat(500);
    let desk = Desk::with(&[("a", many.as_bytes()), ("b", many.as_bytes())]);
    let found = desk.search(json!({"pattern": "match"})).await;
    assert_eq!(found.matches("match here").count(), 200);
    assert!(found.contains("[800 more matches are left out"), "{found}");
    let wide = format!("{}\n", "wide ".repeat(200)).repeat(300);
    let desk = Desk::with(&[("a", wide.as_bytes())]);
    let found = desk.search(json!({"pattern": "wide", "context": 20})).await;
    assert!(found.len() < 52_000, "{}", found.len());
    let endless = "x\n".repeat(50_000);
    let desk = Desk::with(&[("a", endless.as_bytes())]);
    let found = desk.search(json!({"pattern": "x"})).await;
    assert!(found.contains("[at least 9,800 more matches"), "{found}");
}

#[tokio::test]
async fn long_lines_are_cut_around_the_match() {
    let line = format!("{}NEEDLE{}\n", "a".repeat(100_000), "é".repeat(100_000));
    let desk = Desk::with(&[("min.js", line.as_bytes())]);
    let found = desk.search(json!({"pattern": "NEEDLE"})).await;
    assert!(found.contains("aNEEDLEé") && found.chars().count() < 330, "{found}");
    assert_eq!(found.matches('…').count(), 2, "{found}");
    let exact = "b".repeat(300);
    let desk = Desk::with(&[("b", exact.as_bytes())]);
    assert_eq!(desk.search(json!({"pattern": "b"})).await, format!("b:1: {exact}\n"));
}

#[tokio::test]
async fn text_that_is_none_is_marked() {
    let desk = Desk::with(&[("a", b"caf\xe9 x\n"), ("b", "x\u{202e}\u{1b}[2J\n".as_bytes())]);
    let found = desk.search(json!({"pattern": "x"})).await;
    assert!(found.contains("a:1: caf\\xE9 x"), "{found}");
    assert!(!found.contains('\u{202e}') && !found.contains('\u{1b}'), "{found}");
}

#[tokio::test]
async fn a_pattern_that_is_none_is_told_with_what_to_do() {
    let desk = Desk::with(&[("a", b"f(x)\n")]);
    for pattern in
        ["f(x", "[a", "*", "a\\nb", "(?P<a>", "\\p{Nope}", "((a{1,1000}){1,1000}){1,1000}"]
    {
        let error = desk.call("search", json!({"pattern": pattern})).await.unwrap_err();
        let message = error.message();
        assert!(
            message.starts_with("Invalid input: pattern") && message.contains("Escape"),
            "{error}"
        );
    }
    assert!(desk.call("search", json!({"pattern": ""})).await.is_err());
    let error = desk.call("search", json!({"pattern": "a", "glob": "[a"})).await.unwrap_err();
    assert!(error.message().contains("glob is no pattern"), "{error}");
    assert_eq!(desk.search(json!({"pattern": r"f\(x\)"})).await, "a:1: f(x)\n");
}

#[tokio::test]
async fn a_line_that_never_ends_costs_no_memory() {
    let desk = Desk::with(&[("b", b"x\n")]);
    let mut huge = std::fs::File::create(desk.root().join("a")).unwrap();
    let block = vec![b'x'; 1 << 20];
    for _ in 0..40 {
        huge.write_all(&block).unwrap();
    }
    let found = desk.search(json!({"pattern": "y|x$"})).await;
    assert_eq!(found, "b:1: x\n\n[1 file could not be read]");
}

#[tokio::test]
async fn a_long_search_says_how_far_it_is_and_ends_when_nobody_waits_for_it() {
    let desk = Desk::with(&[]);
    // 80 GB, if somebody searched all of it.
    let first = desk.root().join("first");
    std::fs::write(&first, "x\n".repeat(2 << 20)).unwrap();
    for number in 0..20_000 {
        std::fs::hard_link(&first, desk.root().join(format!("{number}"))).unwrap();
    }
    let alive = Arc::new(AtomicUsize::new(0));
    let counted = Counted::new(alive.clone());
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let watch: toolwright_core::CallObserver = Arc::new(move |said| {
        let _held = &counted;
        let _ = told.send(said);
    });
    let context = RunContext::new().for_call(CallId::new("call"), watch);
    let tool = desk.tool("search");
    let call = tool.call(Arc::new(json!({"pattern": "[a-w]+y$"})), &context);
    tokio::select! {
        done = call => panic!("it ended by itself: {done:?}"),
        said = heard.recv() => match said {
            Some(ToolUpdate::Progress(text)) => assert!(text.ends_with(" searched"), "{text}"),
            other => panic!("{other:?}"),
        },
    }
    drop(context);
    let left = Instant::now();
    // Whoever watches is let go when the work has ended.
    while alive.load(Ordering::Relaxed) > 0 {
        assert!(left.elapsed() < Duration::from_secs(20), "the search goes on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Counts how many of it there are.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(count: Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
