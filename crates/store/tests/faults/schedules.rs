//! Random schedules of appends, failures, crashes and second starts, held against a model that
//! remembers what was acknowledged.

use std::{collections::VecDeque, fs};

use fail::FailScenario;
use proptest::{collection::vec, prelude::*, test_runner::Config};
use rusqlite::Connection;
use tempfile::TempDir;
use toolwright_core::{Event, Journal, JournalErrorKind, Timestamp};
use toolwright_store::{
    ConversationLease, ConversationPage, ConversationStatus, Store, StoreError, StoreLocation,
};

use crate::common::{
    place::PATIENCE,
    talk::{Talk, keep, nth_run},
};

#[derive(Clone, Debug)]
enum Step {
    /// The next report of a conversation.
    Append(usize),
    /// Something that does not fit.
    Misfit(usize, u8),
    /// The next time this point is passed, it fails.
    Break(usize, usize),
    /// The process ends in good order, and another one starts.
    Restart,
    /// The machine crashes: only what is in the files is left.
    Crash,
    /// Whoever holds a conversation lets go, and somebody loads it and ends its run.
    Abandon(usize),
    /// It is deleted.
    Delete(usize),
    /// It is exported, deleted and imported again.
    Move(usize),
}

const TALKS: usize = 3;
const POINTS: [&str; 4] = ["store::append", "store::insert", "store::commit", "store::committed"];
const FAILURES: [&str; 3] = ["io", "full", "lost"];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        20 => (0..TALKS).prop_map(Step::Append),
        4 => (0..TALKS, any::<u8>()).prop_map(|(talk, how)| Step::Misfit(talk, how)),
        4 => (0..POINTS.len(), 0..FAILURES.len()).prop_map(|(at, what)| Step::Break(at, what)),
        1 => Just(Step::Restart),
        1 => Just(Step::Crash),
        2 => (0..TALKS).prop_map(Step::Abandon),
        1 => (0..TALKS).prop_map(Step::Delete),
        1 => (0..TALKS).prop_map(Step::Move),
    ];
    vec(step, 1..60)
}

/// A conversation as it must be.
struct Model {
    talk: Talk,
    runs: u32,
    /// What is stored.
    kept: Vec<Event>,
    /// What the current run will report.
    coming: VecDeque<Vec<Event>>,
    held: Option<ConversationLease>,
}

struct World {
    folder: TempDir,
    store: Store,
    models: Vec<Model>,
}

fn folder() -> TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("there is room for a folder")
}

async fn open(folder: &TempDir) -> Store {
    let location = StoreLocation::Sqlite(folder.path().join("log.db"));
    Store::open_with(&location, PATIENCE).await.expect("it opens")
}

impl World {
    async fn new() -> Self {
        let folder = folder();
        let store = open(&folder).await;
        let models = (0..TALKS).map(|number| Model {
            talk: Talk::new(&format!("talk{number}")),
            runs: 0,
            kept: Vec::new(),
            coming: VecDeque::new(),
            held: None,
        });
        Self { models: models.collect(), store, folder }
    }

    async fn take(&mut self, step: &Step) {
        match step {
            Step::Append(talk) => self.append(*talk).await,
            Step::Misfit(talk, how) => self.misfit(*talk, *how).await,
            Step::Break(at, what) => {
                let action = format!("1*return({})->off", FAILURES[*what]);
                fail::cfg(POINTS[*at], &action).expect("an action");
            }
            Step::Restart => {
                self.models.iter_mut().for_each(|model| model.held = None);
                self.store = open(&self.folder).await;
            }
            Step::Crash => self.crash().await,
            Step::Abandon(talk) => self.abandon(*talk).await,
            Step::Delete(talk) => self.delete(*talk).await,
            Step::Move(talk) => self.move_away(*talk).await,
        }
    }

    /// Whatever was set up to fail has failed, or no longer will.
    fn mend() {
        POINTS.iter().for_each(|point| fail::remove(*point));
    }

    async fn hold(&mut self, talk: usize) -> ConversationLease {
        if self.models[talk].held.is_none() {
            let id = self.models[talk].talk.id.clone();
            let mut held = self.store.acquire(&id).await;
            // Every point may be set up to fail, once.
            for _ in POINTS {
                if held.is_err() {
                    held = self.store.acquire(&id).await;
                }
            }
            let held = held.expect("sooner or later it works");
            self.models[talk].held = Some(held);
        }
        self.models[talk].held.clone().expect("it is held")
    }

    async fn append(&mut self, talk: usize) {
        let held = self.hold(talk).await;
        let model = &mut self.models[talk];
        if model.coming.is_empty() {
            model.coming = nth_run(&mut model.talk, model.runs).into();
            model.runs += 1;
        }
        let report = model.coming[0].clone();
        let result = held.append(&report).await;
        let found = events(&self.store, &model.talk).await;
        let all = [model.kept.clone(), report].concat();
        if found == all {
            model.kept = all;
            model.coming.pop_front();
        } else {
            assert!(result.is_err(), "it was acknowledged and is not there");
            assert_eq!(found, model.kept, "a part of it is there");
        }
    }

    async fn misfit(&mut self, talk: usize, how: u8) {
        Self::mend();
        let held = self.hold(talk).await;
        let model = &self.models[talk];
        let Some(mut event) = model.kept.last().cloned() else { return };
        match how % 4 {
            0 => {}
            1 => event.seq += 2,
            2 => event.run = "nobody".into(),
            _ => event = self.models[(talk + 1) % TALKS].kept.first().cloned().unwrap_or(event),
        }
        let error = held.append(&[event]).await.expect_err("it does not fit");
        assert_eq!(error.kind, JournalErrorKind::Conflict, "{error}");
    }

    /// The files move to another machine as they are, without what was in memory.
    async fn crash(&mut self) {
        let folder = folder();
        for name in ["log.db", "log.db-wal"] {
            let from = self.folder.path().join(name);
            if from.exists() {
                fs::copy(from, folder.path().join(name)).expect("there is room");
            }
        }
        self.models.iter_mut().for_each(|model| model.held = None);
        self.store = open(&folder).await;
        self.folder = folder;
        self.check().await;
    }

    async fn abandon(&mut self, talk: usize) {
        Self::mend();
        let held = self.hold(talk).await;
        let model = &mut self.models[talk];
        let Some(mut run) = held.load().await.expect("it loads").unfinished else { return };
        let events = run.abandoned(Timestamp(1)).expect("it had not ended");
        keep(&held, &vec![events.clone()]).await;
        model.kept.extend(events);
        model.coming.clear();
        model.talk.history = run.into_conversation();
    }

    async fn delete(&mut self, talk: usize) {
        Self::mend();
        let model = &mut self.models[talk];
        model.held = None;
        match self.store.delete(&model.talk.id).await {
            Ok(()) => {}
            Err(error) => assert!(matches!(error, StoreError::NotFound(_)), "{error}"),
        }
        *model = Model {
            talk: Talk::new(model.talk.id.as_str()),
            runs: 0,
            kept: Vec::new(),
            coming: VecDeque::new(),
            held: None,
        };
    }

    async fn move_away(&mut self, talk: usize) {
        Self::mend();
        let model = &mut self.models[talk];
        model.held = None;
        let exported = events(&self.store, &model.talk).await;
        assert_eq!(exported, model.kept);
        if !exported.is_empty() {
            self.store.delete(&model.talk.id).await.expect("nobody has it");
            let done = self.store.import(exported.clone()).await.expect("a log");
            assert_eq!(done.events, exported.len());
        }
    }

    async fn check(&mut self) {
        Self::mend();
        let listed = self.store.list(&ConversationPage::default()).await.expect("a list");
        for model in &self.models {
            assert_eq!(events(&self.store, &model.talk).await, model.kept);
            let summary = listed.iter().find(|summary| summary.id == model.talk.id);
            assert_eq!(summary.is_some(), !model.kept.is_empty());
            let ended = model.kept.last().is_none_or(|event| event.kind.is_terminal());
            assert_eq!(summary.is_none_or(|it| it.state == ConversationStatus::Idle), ended);
        }
        let asked = self.models.iter().filter(|it| !it.kept.is_empty()).count();
        assert_eq!(self.store.search("question", 9).await.expect("a search").len(), asked);
        let db = Connection::open(self.folder.path().join("log.db")).expect("it opens");
        let verdict: String =
            db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict");
        assert_eq!(verdict, "ok");
        db.execute_batch("INSERT INTO search (search) VALUES ('integrity-check')")
            .expect("the index is whole");
    }
}

async fn events(store: &Store, talk: &Talk) -> Vec<Event> {
    match store.events(&talk.id, None, usize::MAX).await {
        Ok(found) => found.into_iter().map(|(_, event)| event).collect(),
        Err(error) => {
            assert!(matches!(error, StoreError::NotFound(_)), "{error}");
            Vec::new()
        }
    }
}

#[test]
fn whatever_happens_the_log_is_what_was_acknowledged() {
    let scenario = FailScenario::setup();
    let config = Config { cases: 48, failure_persistence: None, ..Config::default() };
    proptest!(config, |(steps in steps())| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let mut world = World::new().await;
            for step in &steps {
                world.take(step).await;
            }
            world.check().await;
        });
        World::mend();
    });
    scenario.teardown();
}
