//! A disk that is really full: a small one, in a namespace of its own, so that nothing of it is left
//! behind whatever happens.

use std::path::Path;

use serde_json::Value;
use toolwright_testkit::check;

use crate::{
    story::{ANSWER, Story},
    world::{BINARY, World},
};

/// How much room is left, in KiB: for nothing, for a lease, for the beginning of a run, for more.
const LEFT: [u32; 6] = [0, 16, 32, 48, 64, 128];

/// Whoever opens a database, be it to read, shares memory with others, in a file of this size.
const SHARED: u32 = 32;

/// A conversation, then others while hardly anything is left, then one when all is well again.
const SCRIPT: &str = r#"
    mount -t tmpfs -o size=2m,mode=700 none "$TOOLWRIGHT_DATA" || exit 1
    touch "$OUT/mounted"
    step() {
        name=$1; shift
        "$BINARY" "$@" >"$OUT/$name" 2>"$OUT/$name.err"
        echo $? >"$OUT/$name.code"
    }
    step ask-first ask --json "$QUESTION"
    for left in $LEFT; do
        cat /dev/zero >"$TOOLWRIGHT_DATA/filler" 2>/dev/null
        truncate -s "-${left}K" "$TOOLWRIGHT_DATA/filler"
        step "ask-$left" ask --json "$QUESTION"
        step "list-$left" conversations list --json
        step "read-$left" conversations export
        rm "$TOOLWRIGHT_DATA/filler"
    done
    step ask-last ask --json "$QUESTION"
    step stored conversations export
    cp "$TOOLWRIGHT_DATA/notes.txt" "$OUT/notes"
"#;

#[tokio::test]
async fn on_a_full_disk_a_run_ends_clearly_and_all_goes_on_once_there_is_room() {
    let world = World::new("a full disk").await;
    std::fs::create_dir(world.data()).unwrap();
    let mut script = world.command("unshare", &["--mount", "sh", "-c", SCRIPT]);
    script.env("BINARY", BINARY).env("QUESTION", Story::OneNote.question());
    script.env("OUT", world.file(".")).env("LEFT", LEFT.map(|it| it.to_string()).join(" "));
    let output = script.kill_on_drop(true).output().await;
    if !world.file("mounted").exists() {
        // The same is tried in `faults.rs`, without a disk.
        return println!("skipped, as nothing can be mounted here: {output:?}");
    }
    assert!(output.as_ref().is_ok_and(|it| it.status.success()), "{output:?}");
    let stored = answered(&world, "stored");
    world.assert_none(&check::log(&stored));
    let notes = text(&world.file("notes"));
    world.assert_none(&check::ledger(&notes.lines().collect::<Vec<_>>(), &stored));
    for name in ["ask-first", "ask-last"] {
        assert_eq!(answered(&world, name).last().unwrap()["response"], ANSWER);
        assert_shown(&world, name, &stored);
    }
    for left in LEFT {
        let ask = format!("ask-{left}");
        assert_shown(&world, &ask, &stored);
        // It may need less than is left.
        if left == 0 || code(&world, &ask) != "0" {
            assert_told(&world, &ask);
        }
        for read in ["list", "read"].map(|name| format!("{name}-{left}")) {
            if left < SHARED && code(&world, &read) != "0" {
                assert_told(&world, &read);
            } else {
                assert!(!answered(&world, &read).is_empty());
            }
        }
        assert_shown(&world, &format!("read-{left}"), &stored);
    }
}

/// What a command said that went well.
fn answered(world: &World, name: &str) -> Vec<Value> {
    assert_eq!(code(world, name), "0", "{name}: {}", text(&world.file(&format!("{name}.err"))));
    events(&world.file(name))
}

/// What was shown of a run is in order, and all that was shown is stored.
fn assert_shown(world: &World, name: &str, stored: &[Value]) {
    let shown = events(&world.file(name));
    if name.starts_with("ask") && !shown.is_empty() {
        world.assert_none(&check::stream(&shown));
    }
    world.assert_none(&check::kept(&shown, stored));
}

/// The command ended because there is no room, and said so.
fn assert_told(world: &World, name: &str) {
    let err = text(&world.file(&format!("{name}.err")));
    assert_eq!(code(world, name), "1", "{name}: {err}");
    let told = events(&world.file(name)).last().map_or(err, Value::to_string);
    let is_clear = ["no room left", "No space left"].iter().any(|words| told.contains(words));
    assert!(is_clear, "{name}: {told}");
}

fn text(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

fn code(world: &World, name: &str) -> String {
    text(&world.file(&format!("{name}.code"))).trim().to_owned()
}

fn events(file: &Path) -> Vec<Value> {
    text(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
