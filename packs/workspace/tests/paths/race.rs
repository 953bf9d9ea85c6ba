//! A folder is swapped for a link that leads out while the tools use it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::fs::{CWD, RenameFlags};
use serde_json::json;

use crate::support::{World, tree};

/// How often the tools were called while something swapped files, and how often that worked.
#[derive(Debug, Default)]
struct Tally {
    attempts: u64,
    successes: u64,
}

#[test]
fn p06_a_folder_that_becomes_a_link_while_it_is_used_leads_nowhere() {
    // In memory, so that no disk slows the race down.
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let world =
        World::within(&parent, |settings| settings.hidden.push(settings.root.join("hidden")));
    world.put("hidden/file.txt", crate::support::SECRET);
    world.put("d/file.txt", "one\n");
    let outside = tree(&world.dir.path().join("outside"));
    let hidden = tree(&world.at("hidden"));
    let stop = Arc::new(AtomicBool::new(false));
    let swaps = Arc::new(AtomicU64::new(0));
    let racer = {
        let (ws, stop, swaps) = (world.at(""), stop.clone(), swaps.clone());
        let targets = [world.dir.path().join("outside"), world.at("hidden")];
        thread::spawn(move || swap(&ws, &targets, &stop, &swaps))
    };
    let seconds = std::env::var("TOOLWRIGHT_RACE_SECONDS").ok().and_then(|it| it.parse().ok());
    let end = Instant::now() + Duration::from_secs(seconds.unwrap_or(5));
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    while Instant::now() < end {
        attempts(&world, &mut tallies);
    }
    stop.store(true, Ordering::Relaxed);
    racer.join().unwrap();
    println!(
        "swaps {}, show {:?}, edit {:?}, write {:?}",
        swaps.load(Ordering::Relaxed),
        tallies[0],
        tallies[1],
        tallies[2]
    );
    assert_eq!(tree(&world.dir.path().join("outside")), outside);
    assert_eq!(tree(&world.at("hidden")), hidden);
    assert!(swaps.load(Ordering::Relaxed) > 100);
    for tally in &tallies {
        // Both happened: the folder was met, and the link was.
        assert!(tally.successes > 0 && tally.successes < tally.attempts, "{tallies:?}");
    }
    world.is_clean();
}

fn attempts(world: &World, tallies: &mut [Tally; 3]) {
    let edit = |old: &str, new: &str| json!({"file_path": "d/file.txt", "old_string": old, "new_string": new});
    let write = json!({"file_path": "d/new.txt", "content": "mine", "overwrite": true});
    let calls = [
        (0, "show", json!({"file_path": "d/file.txt"})),
        (1, "edit", edit("one", "two")),
        (2, "write", write),
        (1, "edit", edit("two", "one")),
    ];
    for (which, name, arguments) in calls {
        let result = world.call(name, arguments);
        tallies[which].attempts += 1;
        tallies[which].successes += u64::from(result.is_ok());
        let said = result.unwrap_or_else(|error| error);
        assert!(!said.contains("SECRET"), "{said}");
    }
}

/// Swaps the folder `d` for links to the targets and back, as fast as it goes.
fn swap(ws: &Path, targets: &[PathBuf; 2], stop: &AtomicBool, swaps: &AtomicU64) {
    let (d, real, link) = (ws.join("d"), ws.join("real"), ws.join("link"));
    while !stop.load(Ordering::Relaxed) {
        for target in targets {
            std::os::unix::fs::symlink(target, &link).unwrap();
            for _ in 0..25 {
                // At once, so that there is always one of them,
                exchange(&d, &link);
                exchange(&d, &link);
                // and one after the other, so that there is none for a moment.
                replace(&d, &real);
                replace(&link, &d);
                replace(&d, &link);
                replace(&real, &d);
            }
            swaps.fetch_add(50, Ordering::Relaxed);
            fs::remove_file(&link).unwrap();
        }
    }
}

fn exchange(one: &Path, other: &Path) {
    rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
}

/// Renames, whatever `write` made in the meantime where there was nothing.
fn replace(from: &Path, to: &Path) {
    while let Err(error) = fs::rename(from, to) {
        assert!(!to.is_symlink(), "{error}");
        let _ = fs::remove_dir_all(to);
    }
}
