//! Copies of the files, taken while a run goes on, as a backup takes them; and copies whose last
//! write never quite reached the disk.

use std::{
    fs::{self, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use tokio::task::JoinSet;
use toolwright_testkit::check;

use crate::{
    moments::ask,
    process::Left,
    story::Story,
    world::{World, conversation, exported_events, integrity},
};

const RUNS: u64 = 12;
const COPIES: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_taken_while_a_run_goes_on_can_be_read() {
    let seed = match std::env::var("TOOLWRIGHT_SEED") {
        Ok(seed) => seed.parse().expect("a number"),
        Err(_) => fastrand::u64(..),
    };
    let runs = (0..RUNS).map(|run| copied(seed, run));
    let copies: usize = JoinSet::from_iter(runs).join_all().await.into_iter().sum();
    println!("{copies} copies, TOOLWRIGHT_SEED={seed}");
    assert!(copies > 0, "no copy was taken");
}

/// How many copies were taken and read.
async fn copied(seed: u64, run: u64) -> usize {
    let world = World::new(format!("copies of run {run} of TOOLWRIGHT_SEED={seed}")).await;
    let mut random = fastrand::Rng::with_seed(seed.wrapping_add(run));
    // Not from the first moment on: before there are tables there is nothing to lose.
    let mut process = world.start_until("llm_sent", &ask(Story::TwoNotes));
    assert!(process.is_stopped().await);
    process.go_on();
    let mut copies = Vec::new();
    for number in 0..COPIES {
        tokio::time::sleep(Duration::from_millis(random.u64(..30))).await;
        let (shown, copy) = (process.shown(), world.file(&format!("copy-{number}")));
        take(&world.data(), &copy, random.bool());
        let harm = Harm::any(&mut random);
        harm.come_to(&copy.join("toolwright.db-wal"), &mut random);
        copies.push((shown, copy, harm));
    }
    world.ended(process).await;
    for (shown, copy, harm) in &copies {
        read(&world, copy, shown, *harm).await;
    }
    world.check().await;
    copies.len()
}

/// What happened to the end of the log on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    None,
    /// It is cut short.
    Cut,
    /// The last bytes are others.
    Garbled,
    /// There are more bytes than were written.
    Longer,
}

impl Harm {
    fn any(random: &mut fastrand::Rng) -> Self {
        [Self::None, Self::Cut, Self::Garbled, Self::Longer][random.usize(..4)]
    }

    fn come_to(self, log: &Path, random: &mut fastrand::Rng) {
        let mut file = OpenOptions::new().write(true).open(log).unwrap();
        let size = file.metadata().unwrap().len();
        let some = random.u64(1..4_000).min(size);
        let mut bytes = vec![0; usize::try_from(some).unwrap()];
        random.fill(&mut bytes);
        match self {
            Self::None => {}
            Self::Cut => file.set_len(size - some).unwrap(),
            Self::Garbled => {
                file.seek(SeekFrom::End(-i64::try_from(some).unwrap())).unwrap();
                file.write_all(&bytes).unwrap();
            }
            Self::Longer => {
                file.seek(SeekFrom::End(0)).unwrap();
                file.write_all(&bytes).unwrap();
            }
        }
    }
}

/// Copies the database and its log, and the shared memory too if a copy of that is to be stale.
fn take(from: &Path, to: &Path, stale: bool) {
    fs::create_dir(to).unwrap();
    let files: &[&str] = if stale { &["", "-wal", "-shm"] } else { &["", "-wal"] };
    for end in files {
        let name = format!("toolwright.db{end}");
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

/// Lists, shows and exports a copy; what had been shown when it was taken is in it.
async fn read(world: &World, copy: &PathBuf, shown: &[Value], harm: Harm) {
    let on = |args: &[&str]| world.start(args, &[("TOOLWRIGHT_DATA", copy)]).ended();
    let about = format!("{}, {harm:?}", world.about);
    let read = |left: Left| {
        assert_eq!(left.code, Some(0), "{about}: {}", left.err);
        left.shown
    };
    let stored = exported_events(read(on(&["conversations", "export"]).await), &about);
    read(on(&["conversations", "list", "--json"]).await);
    if let Some(id) = conversation(&stored) {
        assert_eq!(read(on(&["conversations", "show", "--json", id]).await), stored, "{about}");
    }
    let mut problems = check::log(&stored);
    if matches!(harm, Harm::None | Harm::Longer) {
        problems.extend(check::kept(shown, &stored));
    }
    assert!(problems.is_empty(), "{about}:\n  {}", problems.join("\n  "));
    assert_eq!(integrity(&copy.join("toolwright.db")), "ok", "{about}");
}
