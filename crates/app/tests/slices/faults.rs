//! Processes that were taken for dead, and a database that is gone for a while.

use std::time::Duration;

use toolwright_core::Status;
use toolwright_session::Next;
use toolwright_testkit::{PostgresServer, Reply, Script};

use crate::{
    wire::Wire,
    world::{World, eventually},
};

fn holding() -> Script {
    Script::new()
        .reply(Reply::calls([("h", "hold", "{}")]))
        .reply(Reply::text("I do not know whether that was done."))
}

#[tokio::test]
async fn whoever_is_fenced_stops_at_once_and_the_other_goes_on() {
    let world = World::graceless("postgres", holding()).await.with_another().await;
    let (id, run) = world.ask("Hold.").await;
    let taking = async {
        world.ledger.held().await;
        // Without a grace whoever comes takes it over.
        eventually(async || world.slice_on(1, &id, &run).await.is_ok()).await;
        world.drive_on(1, &id, &run).await
    };
    let (fenced, next) = tokio::join!(world.slice_on(0, &id, &run), taking);
    assert!(fenced.is_err(), "{fenced:?}");
    assert!(world.ledger.is_dropped(), "what it did was broken off");
    assert_eq!(next, Next::Ended);
    // It may have had an effect, and nobody does it again.
    assert_eq!(world.statuses(&id).await, [Status::Interrupted]);
    assert_eq!(world.ledger.all()["hold"], 1);
    assert_eq!(world.terminals(&id).await, 1);
}

#[tokio::test]
async fn somebody_who_is_well_is_given_time() {
    let world = World::start("postgres", holding()).await.with_another().await;
    let (id, run) = world.ask("Hold.").await;
    let waiting = async {
        world.ledger.held().await;
        world.slice_on(1, &id, &run).await
    };
    let trying = async {
        world.ledger.held().await;
        // A second slice in the same process takes nothing from the first.
        let error = world.slice_on(0, &id, &run).await.unwrap_err();
        assert!(error.to_string().contains("driven here"), "{error}");
        world.ledger.let_go();
    };
    let (next, other, ()) = tokio::join!(world.slice_on(0, &id, &run), waiting, trying);
    assert!(matches!(next.unwrap(), Next::Again { .. }));
    assert_eq!(other.unwrap(), Next::Ended, "whoever waited goes on behind it");
    assert_eq!(world.statuses(&id).await, [Status::Ok]);
}

/// Whoever is asked for the slice counts the time itself, from the first time on: were it refused meanwhile, the next to
/// be asked would begin anew.
#[tokio::test]
async fn whoever_does_not_let_go_is_taken_over_by_the_first_who_is_asked() {
    let grace = Duration::from_millis(600);
    let world = World::lenient("postgres", holding(), grace).await.with_another().await;
    let (id, run) = world.ask("Hold.").await;
    let taking = async {
        world.ledger.held().await;
        world.slice_on(1, &id, &run).await
    };
    let (fenced, taken) = tokio::join!(world.slice_on(0, &id, &run), taking);
    assert!(fenced.is_err(), "{fenced:?}");
    assert!(taken.is_ok(), "{taken:?}");
    assert_eq!(world.drive_on(1, &id, &run).await, Next::Ended);
    assert_eq!(world.statuses(&id).await, [Status::Interrupted]);
    assert_eq!(world.ledger.all()["hold"], 1);
}

/// A newer program may bring the database up to date while this one drives: what runs comes to its boundary, and nothing is
/// begun that somebody newer can do.
#[tokio::test]
async fn whoever_is_older_than_the_database_begins_nothing() {
    let server = PostgresServer::start();
    let world = World::start(&server.address, holding()).await;
    let (client, connection) =
        tokio_postgres::connect(&server.address, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let change = async |by: i64| {
        let sql = format!("UPDATE toolwright.format SET version = version + {by}");
        client.batch_execute(&sql).await.unwrap();
    };
    let (id, run) = world.ask("Hold.").await;
    let upgrading = async {
        world.ledger.held().await;
        change(1).await;
        // What is asked of it now is refused with the reason, once it was noticed.
        let other = "another".into();
        eventually(async || match world.try_slice(&other, &run).await {
            Err(error) => error.to_string().contains("newer version"),
            Ok(_) => false,
        })
        .await;
        world.ledger.let_go();
    };
    let (sliced, ()) = tokio::join!(world.slice_on(0, &id, &run), upgrading);
    assert!(matches!(sliced.unwrap(), Next::Again { .. }), "what ran came to its boundary");
    let error = world.try_slice(&id, &run).await.unwrap_err();
    assert!(error.to_string().contains("newer version"), "{error}");
    change(-1).await;
    eventually(async || world.try_slice(&id, &run).await.is_ok()).await;
    assert_eq!(world.statuses(&id).await, [Status::Ok]);
}

#[tokio::test]
async fn what_cannot_be_kept_ends_no_run() {
    let server = PostgresServer::start();
    let world = World::start(&server.address, holding()).await;
    let (id, run) = world.ask("Hold.").await;
    let crashing = async {
        world.ledger.held().await;
        server.crash();
        world.ledger.let_go();
        // Until it was found out that nothing can be kept.
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let slicing = async {
        let sliced = world.slice_on(0, &id, &run).await;
        server.restart();
        sliced
    };
    let (sliced, ()) = tokio::join!(slicing, crashing);
    assert!(sliced.is_err(), "{sliced:?}");
    eventually(async || world.try_slice(&id, &run).await.is_ok()).await;
    assert_eq!(world.drive(&id, &run).await, Next::Ended);
    assert_eq!(world.terminals(&id).await, 1, "nobody was told that it ended before");
    assert_eq!(world.ledger.all()["hold"], 1);
}

#[tokio::test]
async fn whoever_is_cut_off_from_the_log_lets_go_and_says_so() {
    let server = PostgresServer::start();
    let wire = Wire::lay(&server.address).await;
    let world = World::start(&wire.address, holding()).await;
    let (id, run) = world.ask("Hold.").await;
    let silencing = async {
        world.ledger.held().await;
        wire.silence();
    };
    // The tool would hold for ever, and nobody answers anything.
    let (sliced, ()) = tokio::join!(world.slice_on(0, &id, &run), silencing);
    assert!(sliced.unwrap_err().to_string().contains("cut off from the log"));
    assert!(world.ledger.is_dropped(), "what it did was broken off");
    assert!(world.try_slice(&id, &run).await.is_err(), "nothing is begun");
    wire.speak();
    eventually(async || world.try_slice(&id, &run).await.is_ok()).await;
    assert_eq!(world.drive(&id, &run).await, Next::Ended);
    assert_eq!(world.statuses(&id).await, [Status::Interrupted]);
    assert_eq!(world.ledger.all()["hold"], 1);
    assert_eq!(world.terminals(&id).await, 1);
}
