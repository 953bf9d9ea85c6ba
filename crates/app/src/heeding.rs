//! [`Heeding`]: a run that a command drives hears that it is to stop, whoever says so and wherever.
//!
//! Servers and workers listen to the store for all of their runs. A command has one, and listens for that.

use std::{future::pending, time::Duration};

use tokio::{
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};
use toolwright_core::ConversationId;
use toolwright_session::StartedRun;
use toolwright_store::{Instruction, News, Progress, Store, StoreError, StoreNews};

/// How often it is looked what was left: news may be missed.
const LOOK: Duration = Duration::from_secs(5);

/// A run hears that it is to stop, for as long as this is there.
pub struct Heeding(Option<JoinHandle<()>>);

impl Heeding {
    /// Stops a run of this process once somebody leaves word for it. Where nobody else can reach the store nobody does.
    pub fn begin(store: &Store, started: &StartedRun) -> Self {
        if !store.is_shared() {
            return Self(None);
        }
        let (store, id) = (store.clone(), started.conversation.clone());
        let cancel = started.running.cancel();
        Self(Some(tokio::spawn(async move {
            told_to_stop(&store, &id).await;
            cancel.cancel();
        })))
    }
}

impl Drop for Heeding {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

async fn told_to_stop(store: &Store, id: &ConversationId) {
    let mut news = store.news();
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = look.tick() => {}
            () = instructed(&mut news, id) => {}
        }
        match is_to_stop(store, id).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(conversation = %id, %error, "what was left for a run is not read");
            }
        }
    }
}

/// Ends when something may have been left for a run of the conversation.
async fn instructed(news: &mut StoreNews, id: &ConversationId) {
    loop {
        match news.next().await {
            Some(News::Instructed { id: of }) if of == *id => return,
            Some(News::Missed) => return,
            Some(_) => {}
            None => pending().await,
        }
    }
}

/// Whether the run that goes on is to stop: whoever has the conversation drives it.
async fn is_to_stop(store: &Store, id: &ConversationId) -> Result<bool, StoreError> {
    match store.progress(id).await? {
        Some(Progress { open: Some((run, _)), .. }) => {
            Ok(store.instructions(id, &run).await?.contains(&Instruction::Stop))
        }
        _ => Ok(false),
    }
}
