//! Conversations that outlive the process: what was interrupted is resumed, and nothing is done twice.
//!
//!     cargo run --example kept_conversations --features store

use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::{
    Session,
    model::ModelResponse,
    prelude::*,
    run::Call,
    store::{Store, StoreLocation},
    testing::Scripted,
};

/// How often the tool ran, in this program.
static ORDERS: AtomicUsize = AtomicUsize::new(0);

/// Order an item.
#[tool]
fn order(item: String) -> String {
    ORDERS.fetch_add(1, Ordering::Relaxed);
    format!("{item} is ordered")
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let location = StoreLocation::Sqlite(folder.path().join("conversations.db"));

    // The first process asks, and dies when the order was made and the model has not answered yet.
    let model = Scripted::new([
        ModelResponse::calls([Call::new("1", "order", r#"{"item":"bread"}"#)]),
        ModelResponse::text("never said"),
    ]);
    let session = Session::open(agent(model)?, &location).await?;
    let mut started = session.ask(None, "Order bread.", RunContext::new()).await?;
    while let Some(event) = started.running.next().await {
        if let EventKind::CallFinished { tool, status, .. } = &event.kind {
            println!("{tool}: {status}");
            break;
        }
    }
    let id = started.conversation.clone();
    drop((started, session));

    // The next one finds what was interrupted, and goes on where the log ends.
    let model = Scripted::new([ModelResponse::text("The bread is ordered.")]);
    let session = Session::new(agent(model)?, Store::open(&location).await?);
    if let Some(mut resumed) = session.resume(&id, RunContext::new()).await? {
        println!("resumed: {}", resumed.running.finish().await?.response);
    }
    println!("orders made: {}", ORDERS.load(Ordering::Relaxed));
    Ok(())
}

fn agent(model: Scripted) -> anyhow::Result<Agent> {
    Ok(Agent::builder(model).discover_tools().build()?)
}
