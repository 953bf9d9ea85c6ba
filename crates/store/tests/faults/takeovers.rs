//! Random schedules of two processes that share a server and take conversations from each other, with cut
//! connections between them, held against a model that remembers what was acknowledged: nothing is lost,
//! doubled or mixed, and whoever was fenced never writes.

use std::collections::VecDeque;

use fail::FailScenario;
use proptest::{collection::vec, prelude::*, test_runner::Config};
use tokio_postgres::{Client, NoTls};
use toolwright_core::{Event, Journal, JournalErrorKind};
use toolwright_store::{ConversationLease, Store, StoreError};

use crate::common::{
    place::Place,
    talk::{Talk, nth_run, stored},
};

#[derive(Clone, Debug)]
enum Step {
    /// Whoever holds a conversation, or this one if nobody does, keeps its next report.
    Append(usize, usize),
    /// Somebody takes a conversation from whoever has it.
    Seize(usize, usize),
    /// The same while the holder writes.
    Race(usize, usize),
    /// Somebody wants a conversation that may be held.
    Acquire(usize, usize),
    /// Somebody who had a conversation once tries to write.
    Zombie(usize, usize),
    /// Whoever holds a conversation lets go.
    Release(usize),
    /// A process ends, and another one starts.
    Restart(usize),
    /// Every connection breaks.
    Cut,
}

const TALKS: usize = 2;
const STORES: usize = 2;

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let both = || (0..TALKS, 0..STORES);
    let step = prop_oneof![
        12 => both().prop_map(|(talk, store)| Step::Append(talk, store)),
        4 => both().prop_map(|(talk, store)| Step::Seize(talk, store)),
        4 => both().prop_map(|(talk, store)| Step::Race(talk, store)),
        2 => both().prop_map(|(talk, store)| Step::Acquire(talk, store)),
        4 => (0..TALKS, any::<usize>()).prop_map(|(talk, which)| Step::Zombie(talk, which)),
        2 => (0..TALKS).prop_map(Step::Release),
        1 => (0..STORES).prop_map(Step::Restart),
        2 => Just(Step::Cut),
    ];
    vec(step, 10..50)
}

/// A conversation as it must be.
struct Model {
    talk: Talk,
    runs: u32,
    kept: Vec<Event>,
    coming: VecDeque<Vec<Event>>,
    /// Who holds it, and through which store.
    holder: Option<(usize, ConversationLease)>,
    /// Who held it until it was taken from them.
    former: Vec<(usize, ConversationLease)>,
    /// Whether its lock may be free for a moment: whoever comes first then has it.
    is_shaken: bool,
}

impl Model {
    fn next(&mut self) -> Vec<Event> {
        if self.coming.is_empty() {
            self.coming = nth_run(&mut self.talk, self.runs).into();
            self.runs += 1;
        }
        self.coming[0].clone()
    }

    fn keep(&mut self) {
        self.kept.extend(self.coming.pop_front().expect("it was shown"));
    }

    fn take(&mut self, store: usize, lease: ConversationLease) {
        self.former.extend(self.holder.replace((store, lease)));
        self.is_shaken = false;
    }
}

struct World {
    place: Place,
    cut: Client,
    stores: Vec<Store>,
    models: Vec<Model>,
}

impl World {
    async fn new() -> Self {
        let place = Place::postgres().await;
        let (cut, connection) =
            tokio_postgres::connect(&place.address(), NoTls).await.expect("it is there");
        tokio::spawn(connection);
        let mut stores = Vec::new();
        for _ in 0..STORES {
            stores.push(place.open().await);
        }
        let models = (0..TALKS).map(|number| Model {
            talk: Talk::new(&format!("talk{number}")),
            runs: 0,
            kept: Vec::new(),
            coming: VecDeque::new(),
            holder: None,
            former: Vec::new(),
            is_shaken: false,
        });
        Self { models: models.collect(), place, cut, stores }
    }

    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Append(talk, store) => self.append(talk, store).await,
            Step::Seize(talk, store) => {
                let lease = self.seize(talk, store).await;
                self.models[talk].take(store, lease);
            }
            Step::Race(talk, store) => self.race(talk, store).await,
            Step::Acquire(talk, store) => self.acquire(talk, store).await,
            Step::Zombie(talk, which) => self.zombie(talk, which).await,
            Step::Release(talk) => self.models[talk].holder = None,
            Step::Restart(store) => self.restart(store).await,
            Step::Cut => {
                let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()";
                self.cut.batch_execute(cut).await.expect("they are cut");
                self.models.iter_mut().for_each(|model| model.is_shaken = true);
            }
        }
    }

    async fn seize(&self, talk: usize, store: usize) -> ConversationLease {
        loop {
            match self.stores[store].seize(&self.models[talk].talk.id).await {
                Ok(lease) => return lease,
                // A connection broke in the middle of it.
                Err(StoreError::Lost(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    async fn append(&mut self, talk: usize, store: usize) {
        while self.models[talk].holder.is_none() {
            self.acquire(talk, store).await;
        }
        let model = &mut self.models[talk];
        let report = model.next();
        let (_, lease) = model.holder.clone().expect("it is held");
        lease.append(&report).await.expect("it is held, and the server is there");
        model.keep();
        self.look(talk).await;
    }

    /// Who is first is decided by the database; whoever lost wrote nothing.
    async fn race(&mut self, talk: usize, store: usize) {
        let Some((_, holder)) = self.models[talk].holder.clone() else { return };
        let report = self.models[talk].next();
        let (seized, written) = tokio::join!(self.seize(talk, store), holder.append(&report));
        let model = &mut self.models[talk];
        match written {
            Ok(()) => model.keep(),
            Err(error) => assert_eq!(error.kind, JournalErrorKind::NotHeld, "{error}"),
        }
        model.take(store, seized);
        self.look(talk).await;
    }

    async fn acquire(&mut self, talk: usize, store: usize) {
        let taken = self.stores[store].acquire(&self.models[talk].talk.id).await;
        let model = &mut self.models[talk];
        match taken {
            Ok(lease) => {
                let is_free = model.holder.is_none() || model.is_shaken;
                assert!(is_free, "it was given to two");
                model.take(store, lease);
            }
            Err(error) => assert!(matches!(error, StoreError::InUse { .. }), "{error}"),
        }
    }

    async fn zombie(&mut self, talk: usize, which: usize) {
        let model = &mut self.models[talk];
        if model.former.is_empty() {
            return;
        }
        let report = model.next();
        let (_, lease) = &model.former[which % model.former.len()];
        let error = lease.append(&report).await.expect_err("it is in other hands");
        assert_eq!(error.kind, JournalErrorKind::NotHeld, "{error}");
        self.look(talk).await;
    }

    async fn restart(&mut self, store: usize) {
        for model in &mut self.models {
            model.holder.take_if(|(of, _)| *of == store);
            model.former.retain(|(of, _)| *of != store);
        }
        self.stores[store] = self.place.open().await;
    }

    /// Every store sees what was acknowledged, and nothing else.
    async fn look(&self, talk: usize) {
        let model = &self.models[talk];
        for store in &self.stores {
            let found = match store.events(&model.talk.id, None, 1).await {
                Err(StoreError::NotFound(_)) => Vec::new(),
                _ => stored(store, &model.talk.id).await,
            };
            assert_eq!(found, model.kept);
        }
    }
}

#[test]
fn whoever_takes_it_the_log_is_what_was_acknowledged() {
    let scenario = FailScenario::setup();
    let config =
        Config { cases: 10, failure_persistence: None, max_shrink_iters: 20, ..Config::default() };
    proptest!(config, |(steps in steps())| {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut world = World::new().await;
            for step in &steps {
                world.take(step).await;
            }
            for talk in 0..TALKS {
                world.look(talk).await;
            }
        });
    });
    scenario.teardown();
}
