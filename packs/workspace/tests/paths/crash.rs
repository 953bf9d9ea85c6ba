//! What is left of a write whose program is killed.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use toolwright_workspace::Workspace;

use crate::support::{Tools, World, only, runtime, settings, strays, tree};

const FOLDER: &str = "TOOLWRIGHT_CRASH_FOLDER";
const KILLS: u32 = 200;
const MADE: usize = 30_000;

/// All of a file. The shorter it is, the more of the time goes into putting it in its place.
fn content(word: &str, lines: usize) -> String {
    format!("{word}\n{}{word}\n", "0123456789abcdef\n".repeat(lines))
}

const FILES: [(&str, usize); 2] = [("sub/small.txt", 4), ("sub/file.txt", 4096)];

fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({"file_path": path, "old_string": old, "new_string": new, "replace_all": true})
}

/// What is killed: edits and edits, until it is.
#[test]
#[ignore = "started by p14, to be killed"]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let workspace = Workspace::open(settings(Path::new(&folder))).unwrap();
    let (runtime, tools) = (runtime(), Tools::new(&workspace));
    fs::write(Path::new(&folder).join("ready"), "").unwrap();
    let made = json!({"file_path": "sub/made.txt", "content": "x".repeat(MADE)});
    loop {
        for (path, _) in FILES {
            for (old, new) in [("old", "new"), ("new", "old")] {
                // After a kill, one of them does not apply.
                let _ = tools.call(&runtime, "edit", edit(path, old, new));
            }
        }
        let _ = tools.call(&runtime, "write", made.clone());
        let _ = fs::remove_file(Path::new(&folder).join("ws/sub/made.txt"));
    }
}

#[test]
fn p14_a_kill_leaves_the_old_file_or_the_new_one_and_nothing_else() {
    let world = World::new();
    for (path, lines) in FILES {
        world.put(path, content("old", lines));
    }
    let ready = world.dir.path().join("ready");
    let (mut left, mut seen) = (0, [0_u32; 2]);
    for _ in 0..KILLS {
        let _ = fs::remove_file(&ready);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(only("crash::child"))
            .env(FOLDER, world.dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while !ready.exists() {
            assert!(started.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(fastrand::u64(0..10_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        left += u32::from(!strays(&world.at("")).is_empty());
        let workspace = Workspace::open(settings(world.dir.path())).unwrap();
        drop(workspace);
        for (path, lines) in FILES {
            let found = world.read(path);
            let is_new = found == content("new", lines);
            assert!(is_new || found == content("old", lines), "{path}: {} bytes", found.len());
            seen[usize::from(is_new)] += 1;
        }
        if let Ok(made) = fs::read(world.at("sub/made.txt")) {
            assert_eq!(made.len(), MADE);
        }
        world.is_clean();
    }
    println!("{KILLS} kills: {left} left a file half done, old/new {seen:?}");
    // Otherwise none of this was tried.
    assert!(left > 0);
}

#[test]
fn p14_writes_of_others_are_left_alone() {
    let world = World::new();
    let notes = world.dir.path().join("notes");
    let root = world.workspace.path().display().to_string();
    let temp = ".toolwright-abcdefghijkl.tmp";
    let note = |name: &str, content: String| {
        fs::write(notes.join(format!("write-{name}.note")), content).unwrap();
    };
    let again = || drop(Workspace::open(settings(world.dir.path())).unwrap());
    // Of another workspace, which alone knows what is in it.
    note("other", format!("/elsewhere\0{temp}"));
    world.put(temp, "");
    again();
    assert!(world.at(temp).exists() && tree(&notes).len() == 1);
    fs::remove_file(notes.join("write-other.note")).unwrap();
    // Of one that is still at it.
    note("alive", format!("{root}\0{temp}"));
    let alive = fs::File::open(notes.join("write-alive.note")).unwrap();
    alive.lock().unwrap();
    again();
    assert!(world.at(temp).exists() && tree(&notes).len() == 1);
    drop(alive);
    again();
    assert!(!world.at(temp).exists() && tree(&notes).is_empty());
    // A note removes nothing else: neither files of other names nor any outside.
    world.put("precious", "");
    note("name", format!("{root}\0precious"));
    fs::write(world.outside(temp), "").unwrap();
    note("climb", format!("{root}\0../outside/{temp}"));
    world.link("../outside", "d");
    note("link", format!("{root}\0d/{temp}"));
    note("empty", String::new());
    again();
    assert!(world.at("precious").exists() && world.outside(temp).exists());
}
