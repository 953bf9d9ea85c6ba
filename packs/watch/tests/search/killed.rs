//! Making vectors, killed again and again.

use std::{
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use toolwright_watch::Library;

use crate::{
    grams::{GRAMS, Grams},
    shelf::{Shelf, minute, watched},
};

const FOLDER: &str = "WATCH_TEST_FOLDER";
const EMBEDDER: &str = "WATCH_TEST_EMBEDDER";
const VIDEOS: usize = 4000;

fn filled() -> Shelf {
    let shelf = Shelf::new();
    let all: Vec<_> = (0..VIDEOS)
        .map(|it| watched(it, &format!("Part {it} of many"), "Tech Channel", minute(it as i64)))
        .collect();
    shelf.library.add(&all).unwrap();
    shelf
}

/// Not a test of its own: what is killed, in a process of its own.
#[tokio::test]
async fn makes_vectors_where_it_is_told_to() {
    let (Ok(folder), Ok(name)) = (std::env::var(FOLDER), std::env::var(EMBEDDER)) else { return };
    let embedder = Grams { name: if name == "grams" { "grams" } else { "other grams" } };
    let library = Library::open(Path::new(&folder)).unwrap();
    library.embed(&embedder, &mut |_, _| ()).await.unwrap();
}

fn kill_one(shelf: &Shelf, embedder: &str, after: Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::makes_vectors_where_it_is_told_to"])
        .env(FOLDER, shelf.folder.path())
        .env(EMBEDDER, embedder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
async fn fifty_kills_leave_what_one_run_makes() {
    let shelf = filled();
    let (mut random, mut halfway) = (7_u64, 0);
    for round in 0..50 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Two embedders in turn, as one alone would soon have nothing left to do.
        let embedder = if round % 10 < 5 { "grams" } else { "other grams" };
        kill_one(&shelf, embedder, Duration::from_millis(15 + (random >> 33) % 100));
        let vectors = shelf.vectors();
        halfway += usize::from(!vectors.is_empty() && vectors.len() < VIDEOS);
        assert_eq!(vectors.len() % (VIDEOS % 64), 0, "a batch is kept as a whole");
        let whole: String =
            shelf.database().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(whole, "ok");
    }
    assert!(halfway > 0, "no kill came while vectors were made");

    let made = shelf.embed(&GRAMS).await;
    assert_eq!(made.all, VIDEOS as u64);
    let undisturbed = filled();
    undisturbed.embed(&GRAMS).await;
    assert_eq!(shelf.vectors(), undisturbed.vectors());
    let (a, b) =
        (shelf.search("part 77", Some(&GRAMS)), undisturbed.search("part 77", Some(&GRAMS)));
    assert_eq!(a.await, b.await);
}
