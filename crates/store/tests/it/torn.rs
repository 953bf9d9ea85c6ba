//! What is left of a file when the power goes: copies taken at random moments while somebody
//! writes, whole and torn.

use std::{fs, path::Path};

use rusqlite::Connection;
use toolwright_store::{Store, StoreLocation};

use crate::common::{
    child::Child,
    place::Place,
    talk::{first_events, reports_with, stored},
};

/// A copy of the files as they are while nobody moves. The shared memory is not copied: after a
/// crash of the machine it is gone.
fn copy(from: &Path, to: &Path) {
    fs::copy(from, to.join("log.db")).expect("there is room");
    let wal = from.with_extension("db-wal");
    if wal.exists() {
        fs::copy(wal, to.join("log.db-wal")).expect("there is room");
    }
}

/// What the copy holds: a whole number of reports, from the beginning.
async fn check(folder: &Path) -> usize {
    let path = folder.join("log.db");
    let store = Store::open(&StoreLocation::Sqlite(path.clone())).await.expect("it opens");
    let events = match store.find("talk").await {
        Ok(summary) => stored(&store, &summary.id).await,
        Err(_) => Vec::new(),
    };
    assert_eq!(events, first_events("talk", events.len()));
    reports_with("talk", events.len());
    let held = store.acquire(&"talk".into()).await.expect("nobody has it");
    held.load().await.expect("it loads");
    let hits = store.search("question", 1).await.expect("a search").len();
    assert_eq!(hits, usize::from(!events.is_empty()), "what is stored is found");
    drop((held, store));
    let db = Connection::open(path).expect("it opens");
    let verdict: String =
        db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it can be checked");
    assert_eq!(verdict, "ok");
    events.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_any_moment_opens() {
    let place = Place::sqlite();
    drop(place.open().await);
    let told = format!("talk {}", place.address());
    let mut child = Child::run("file::child_that_writes", &told);
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..12 {
        let mut acknowledged = 0;
        for _ in 0..random.usize(1..30) {
            acknowledged = child.next().expect("it lives").parse().expect("a number");
        }
        child.stop();
        let whole = tempfile::tempdir().expect("a folder");
        copy(&place.file(), whole.path());
        let torn = tempfile::tempdir().expect("a folder");
        copy(&whole.path().join("log.db"), torn.path());

        let kept = check(whole.path()).await;
        assert!(kept >= acknowledged, "{kept} events of {acknowledged} that were acknowledged");
        tear(&torn.path().join("log.db-wal"), &mut random);
        assert!(check(torn.path()).await <= kept);
        child.go_on();
    }
}

/// Damages the end of the log file as a write that was cut short would.
fn tear(wal: &Path, random: &mut fastrand::Rng) {
    const FRAME: u64 = 4_096 + 24;
    let Ok(file) = fs::File::options().read(true).write(true).open(wal) else { return };
    let length = file.metadata().expect("it is there").len();
    let last = length.saturating_sub(random.u64(1..FRAME * 3)).max(32.min(length));
    match random.u8(..3) {
        0 => file.set_len(last).expect("it is ours"),
        1 => {
            let mut bytes = fs::read(wal).expect("it is there");
            let at = usize::try_from(last).expect("it is small");
            bytes[at..].iter_mut().for_each(|byte| *byte = random.u8(..));
            fs::write(wal, bytes).expect("it is ours");
        }
        _ => {
            let mut bytes = fs::read(wal).expect("it is there");
            if let Some(byte) = bytes.get_mut(usize::try_from(last).expect("it is small")) {
                *byte ^= 1 << random.u8(..8);
            }
            fs::write(wal, bytes).expect("it is ours");
        }
    }
}
