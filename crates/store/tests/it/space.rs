//! A disk that is full, and one that cannot be written any further.

use std::{path::Path, process::Command};

use toolwright_core::{Journal, JournalErrorKind};
use toolwright_store::{Store, StoreLocation};

use crate::common::{
    place::Place,
    talk::{Talk, first_events, nth_run, stored},
};

/// A file system of a given size, where this machine lets us have one.
struct Small(tempfile::TempDir);

impl Small {
    fn new(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        Self::mount(folder.path(), &format!("size={size}")).then(|| Self(folder))
    }

    fn mount(folder: &Path, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder);
        mount.output().is_ok_and(|it| it.status.success())
    }

    fn resize(&self, size: &str) {
        assert!(Self::mount(self.0.path(), &format!("remount,size={size}")), "it can grow");
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_survived() {
    let Some(disk) = Small::new("2m") else {
        // The same is tested with a bounded number of pages, on every machine.
        eprintln!("not allowed to mount a small file system here");
        return;
    };
    let store =
        Store::open(&StoreLocation::Sqlite(disk.0.path().join("log.db"))).await.expect("it opens");
    assert!(store.has_room());
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let mut kept = 0;
    let (mut number, mut left) = (0, Vec::new());
    let error = 'full: loop {
        let mut reports = nth_run(&mut talk, number).into_iter();
        number += 1;
        while let Some(report) = reports.next() {
            match held.append(&report).await {
                Ok(()) => kept += report.len(),
                Err(error) => {
                    left.push(report);
                    left.extend(reports);
                    break 'full error;
                }
            }
        }
    };
    assert_eq!(error.kind, JournalErrorKind::Full, "{error}");
    assert!(!store.has_room(), "whoever asks how it is hears of it");
    assert!(error.advice.is_some_and(|it| it.contains("space")));
    // It stays full, and reading goes on.
    held.append(&left[0]).await.expect_err("it is still full");
    let events = stored(&store, &talk.id).await;
    assert_eq!(events, first_events("talk", kept));
    disk.resize("8m");
    for report in left {
        held.append(&report).await.expect("there is room again");
        kept += report.len();
    }
    assert_eq!(stored(&store, &talk.id).await, first_events("talk", kept));
}

/// Writes until something cannot be written, and says how far it came.
#[tokio::test]
async fn child_that_hits_a_limit() {
    use crate::common::child::{role, say};
    let Some(address) = role() else { return };
    let Ok(store) = Store::open(&StoreLocation::Sqlite(address.into())).await else {
        return say("closed");
    };
    let mut talk = Talk::new("talk");
    let Ok(held) = store.acquire(&talk.id).await else { return say("closed") };
    let mut kept = 0;
    for number in 0..2 {
        for report in nth_run(&mut talk, number) {
            if held.append(&report).await.is_err() {
                // What was acknowledged can still be read by whoever fails to write.
                let events = store.events(&talk.id, None, usize::MAX).await;
                assert!(events.map_or(0, |events| events.len()) >= kept);
                return say(&format!("kept {kept}"));
            }
            kept += report.len();
        }
    }
    say("done");
}

/// Every write beyond some length fails, for every such length until none does.
#[tokio::test]
async fn whichever_write_fails_nothing_acknowledged_is_lost() {
    let program = std::env::current_exe().expect("a program");
    let mut blocks = 8;
    loop {
        let place = Place::fast();
        let path = place.file();
        // In blocks of 512 bytes; the signal that would kill is ignored, so that writing fails.
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" space::child_that_hits_a_limit --exact --nocapture"
        );
        let child = Command::new("sh")
            .args(["-c", &script])
            .arg(&program)
            .env("TOOLWRIGHT_STORE_CHILD", &path)
            .output()
            .expect("`sh` runs");
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
        let said = String::from_utf8(child.stdout).expect("text");
        let said =
            said.lines().find_map(|line| line.strip_prefix("> ")).expect("it says something");
        let store = Store::open(&place.location).await.expect("it opens once there is room");
        let events = match store.find("talk").await {
            Ok(summary) => stored(&store, &summary.id).await,
            Err(_) => Vec::new(),
        };
        assert_eq!(events, first_events("talk", events.len()));
        if let Some(kept) = said.strip_prefix("kept ") {
            assert!(events.len() >= kept.parse().expect("a number"), "{said} of {}", events.len());
        }
        if said == "done" {
            break;
        }
        blocks += 24;
    }
    assert!(blocks > 100, "no write failed");
}
