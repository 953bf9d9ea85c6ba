//! [`Waiting`]: says for whom is waited, where that takes a while.

use std::{sync::Arc, time::Duration};

use tokio::task::JoinHandle;
use toolwright_runtime::Toolbox;

use crate::style::{DIM, END, line, tame};

/// How long nobody has to be told anything.
const SILENCE: Duration = Duration::from_secs(1);

/// Somebody waits for sources of tools: after a while it is said for which. Nothing is said once this is dropped.
pub(super) struct Waiting(JoinHandle<()>);

impl Waiting {
    pub(super) fn new(toolbox: &Toolbox) -> Self {
        let sources = toolbox.sources().to_vec();
        Self(tokio::spawn(async move {
            if sources.is_empty() {
                return;
            }
            tokio::time::sleep(SILENCE).await;
            let mut slow = Vec::new();
            for source in &sources {
                if tokio::time::timeout(Duration::ZERO, source.ready()).await.is_err() {
                    slow.push(tame(source.name()));
                }
            }
            if !slow.is_empty() {
                line(&format!("{DIM}waiting for the tools of {} …{END}", slow.join(", ")));
            }
        }))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The tools of a toolbox once its sources are ready, or known to have none.
pub(super) async fn ready(toolbox: &Arc<Toolbox>) -> Arc<Toolbox> {
    let _told = Waiting::new(toolbox);
    toolbox.ready().await;
    toolbox.current()
}
