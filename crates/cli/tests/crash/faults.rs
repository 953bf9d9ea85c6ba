//! The disk fails: at the first write to the database, at the second, and so on, until none is left
//! to fail.

use std::{path::PathBuf, sync::Arc};

use tempfile::TempDir;
use tokio::{process::Command, task::JoinSet};

use crate::{
    after,
    process::Left,
    story::{ANSWER, Story},
    world::{World, conversation},
};

/// How the disk fails.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// It is full for a moment.
    FullOnce,
    /// It is full.
    Full,
    /// It is full in the middle of a write.
    Torn,
    /// One write is lost.
    BrokenOnce,
    /// It is broken.
    Broken,
}

const ALL: [Fault; 5] =
    [Fault::FullOnce, Fault::Full, Fault::Torn, Fault::BrokenOnce, Fault::Broken];

impl Fault {
    fn environment(self) -> Vec<(&'static str, &'static str)> {
        const FULL: (&str, &str) = ("FAULT_ERROR", "28");
        const BROKEN: (&str, &str) = ("FAULT_ERROR", "5");
        const FOR_EVER: (&str, &str) = ("FAULT_FOR_EVER", "1");
        match self {
            Self::FullOnce => vec![FULL],
            Self::Full => vec![FULL, FOR_EVER],
            Self::Torn => vec![FULL, FOR_EVER, ("FAULT_TORN", "1")],
            Self::BrokenOnce => vec![BROKEN],
            Self::Broken => vec![BROKEN, FOR_EVER],
        }
    }
}

/// The library that makes writes fail.
struct Shim {
    folder: TempDir,
}

impl Shim {
    async fn build() -> Arc<Self> {
        let shim = Self { folder: TempDir::new().unwrap() };
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crash/fault.c");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O2", "-o"]).arg(shim.path()).args([source, "-ldl"]);
        assert!(cc.status().await.expect("a C compiler").success(), "{source} is not valid");
        Arc::new(shim)
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("fault.so")
    }

    /// What makes the write of this number fail; the file tells that it did.
    fn environment(&self, fault: Fault, number: usize, told: PathBuf) -> Vec<(&str, PathBuf)> {
        let mut all = vec![
            ("LD_PRELOAD", self.path()),
            ("FAULT_AT", PathBuf::from(number.to_string())),
            ("FAULT_TOLD", told),
        ];
        all.extend(fault.environment().into_iter().map(|(name, value)| (name, value.into())));
        all
    }
}

/// From an empty folder: the database is made, a run begins, acts and ends.
#[tokio::test(flavor = "multi_thread")]
async fn whichever_write_fails_the_run_ends_clearly_and_can_be_gone_on_with() {
    each(&ALL, |_| {}).await;
}

/// From a run that was cut short: it is ended first.
#[tokio::test(flavor = "multi_thread")]
async fn whichever_write_fails_a_run_that_was_cut_short_stays_sound() {
    let before = World::new("a run that was cut short").await;
    let mut process = before.start_until("effect_done", &["ask", Story::OneNote.question()]);
    assert!(process.is_stopped().await);
    process.killed().await;
    let data = before.data();
    each(&[Fault::Full, Fault::BrokenOnce], |world| {
        std::fs::create_dir(world.data()).unwrap();
        for file in ["toolwright.db", "toolwright.db-wal", "notes.txt"] {
            std::fs::copy(data.join(file), world.data().join(file)).unwrap();
        }
    })
    .await;
}

/// Tries each fault at every write of a run, in worlds that were prepared.
async fn each(faults: &[Fault], prepare: impl Fn(&World)) {
    let shim = Shim::build().await;
    let mut all = 0;
    for from in (1..).step_by(10) {
        let mut tries = JoinSet::new();
        for number in from..from + 10 {
            for fault in faults {
                let world = World::new(format!("{fault:?} at write {number}")).await;
                prepare(&world);
                tries.spawn(failed(world, shim.clone(), *fault, number));
            }
        }
        let happened = tries.join_all().await.into_iter().filter(|happened| *happened).count();
        all += happened;
        if happened == 0 {
            break;
        }
    }
    println!("{all} faults of {} kinds", faults.len());
    assert!(all > 0, "no fault happened");
}

/// Whether the fault happened.
async fn failed(world: World, shim: Arc<Shim>, fault: Fault, number: usize) -> bool {
    let told = world.file("told");
    let before = world.stored_if_any().await;
    let mut args = vec!["ask", "--json", Story::OneNote.question()];
    args.extend(conversation(&before).iter().flat_map(|id| ["--conversation", id]));
    let mut environment = shim.environment(fault, number, told.clone());
    environment.push(("FAULT_SHM", "1".into()));
    let left = world.ended(world.start(&args, &environment)).await;
    let happened = told.exists();
    assert_clear(&world, &left, happened);
    if matches!(fault, Fault::Full | Fault::Torn) {
        // Reading needs no room.
        let full = shim.environment(Fault::Full, 1, told);
        let list = world.start(&["conversations", "list", "--json"], &full).ended().await;
        let is_read = list.code == Some(0) || world.check().await.is_empty();
        assert!(is_read, "{}: {}", world.about, list.err);
    }
    after::go_on(&world).await;
    world.check_file();
    happened
}

/// One terminal event that says what happened, or, where it never came to a run, an error.
#[track_caller]
fn assert_clear(world: &World, left: &Left, happened: bool) {
    let about = format!("{}: {left:?}", world.about);
    let last = left.last();
    match left.code {
        // Not every write is needed.
        Some(0) => assert_eq!(last["response"], ANSWER, "{about}"),
        Some(1) if happened && left.shown.is_empty() => {
            let says = |begin: &str| left.err.lines().any(|line| line.starts_with(begin));
            assert!(says("error: ") && says("what to do: "), "{about}");
        }
        Some(1) if happened => assert_eq!(last["kind"], "storage", "{about}"),
        _ => panic!("{about}"),
    }
}
