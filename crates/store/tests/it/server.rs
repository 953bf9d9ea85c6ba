//! What is special about a server.

use std::time::Duration;

use tokio_postgres::{Client, NoTls};
use toolwright_core::{
    ActionableError, Fault, Journal, JournalErrorKind, QueueMode, QueuedMessage, Timestamp,
    UserMessage,
};
use toolwright_store::{
    Instructed, Instruction, Refusal, Store, StoreError, StoreLocation, Timeouts,
};
use toolwright_testkit::PostgresServer;

use crate::common::{
    place::{Place, key},
    talk::{Talk, first_events, keep, nth_run, reports_with, stored},
};

async fn connect(place: &Place) -> Client {
    let (client, connection) =
        tokio_postgres::connect(&place.address(), NoTls).await.expect("it is there");
    tokio::spawn(connection);
    client
}

/// Ready once somebody has a lease.
async fn locked(place: &Place) {
    let client = connect(place).await;
    let locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database =
        (SELECT oid FROM pg_database WHERE datname = current_database())";
    while client.query_one(locks, &[]).await.expect("it answers").get::<_, i64>(0) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_and_returns_loses_and_doubles_nothing() {
    let server = PostgresServer::start();
    let place = Place::on(&server).await;
    let store = place.open().await;
    let writers: Vec<_> = (0..6)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let id = format!("talk{number}");
                let mut talk = Talk::new(&id);
                let held = store.acquire(&talk.id).await.expect("free");
                let mut kept = 0;
                for number in 0..12 {
                    for report in nth_run(&mut talk, number) {
                        held.append(&report).await.expect("the server comes back in time");
                        kept += report.len();
                    }
                }
                (id, kept)
            })
        })
        .collect();
    let crashes = tokio::task::spawn_blocking(move || {
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(300));
            server.crash();
            server.restart();
        }
        server
    });
    for writer in writers {
        let (id, kept) = writer.await.expect("it ends well");
        assert_eq!(stored(&store, &id.as_str().into()).await, first_events(&id, kept));
    }
    let _server = crashes.await.expect("it ends well");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stays_away_is_given_up_and_found_again() {
    let server = PostgresServer::start();
    let place = Place::on(&server).await;
    let timeouts =
        Timeouts { locked: Duration::from_millis(300), lost: Duration::from_millis(600) };
    let store = Store::open_with(&place.location, timeouts).await.expect("it opens");
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let reports = nth_run(&mut talk, 0);
    held.append(&reports[0]).await.expect("it is kept");
    server.crash();
    let error = held.append(&reports[1]).await.expect_err("nobody is there");
    assert_eq!(error.kind, JournalErrorKind::Unavailable);
    assert!(error.advice.is_some(), "{error}");
    assert!(matches!(store.find("talk").await, Err(StoreError::Lost(_))));
    assert!(matches!(store.acquire(&"x".into()).await.map(drop), Err(StoreError::Lost(_))));
    server.restart();
    keep(&held, &reports[1..].to_vec()).await;
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
    store.acquire(&"x".into()).await.expect("free");
    // The lease is taken again with the new connection.
    locked(&place).await;
    let other = place.open().await.acquire(&talk.id).await.map(drop);
    assert!(matches!(other, Err(StoreError::InUse { .. })), "{other:?}");
}

/// A server that neither answers nor goes away.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_is_not_waited_for_for_ever() {
    let server = PostgresServer::start();
    let place = Place::on(&server).await;
    let timeouts =
        Timeouts { locked: Duration::from_millis(200), lost: Duration::from_millis(400) };
    let store = Store::open_with(&place.location, timeouts).await.expect("it opens");
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let reports = nth_run(&mut talk, 0);
    held.append(&reports[0]).await.expect("it is kept");
    let processes = server.processes();
    signal("STOP", &processes);
    let error = held.append(&reports[1]).await.expect_err("nobody answers");
    assert_eq!(error.kind, JournalErrorKind::Unavailable);
    assert!(store.acquire(&"other".into()).await.is_err(), "nobody answers");
    signal("CONT", &processes);
    // Whether it was kept after all was not known then; now it shows, and it is all or nothing.
    let kept = loop {
        let events = stored(&store, &talk.id).await;
        match held.append(&reports[reports_with("talk", events.len())]).await {
            Ok(()) => break stored(&store, &talk.id).await,
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    };
    assert_eq!(kept, first_events("talk", kept.len()));
}

fn signal(name: &str, processes: &[String]) {
    let sent = std::process::Command::new("kill").arg(format!("-{name}")).args(processes).status();
    assert!(sent.expect("`kill` runs").success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_is_cut_is_made_again() {
    let place = Place::postgres().await;
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let cut = connect(&place).await;
    let mut kept = 0;
    for number in 0..3 {
        for report in nth_run(&mut talk, number) {
            let append = held.append(&report);
            cut.batch_execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .await
            .expect("they are cut");
            append.await.expect("it is kept all the same");
            kept += report.len();
        }
    }
    assert_eq!(stored(&store, &talk.id).await, first_events("talk", kept));
    // The lock is asked for again with the new connection.
    locked(&place).await;
    let other = place.open().await.acquire(&talk.id).await.map(drop);
    assert!(matches!(other, Err(StoreError::InUse { .. })), "{other:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_row_is_waited_for_and_then_given_up() {
    let place = Place::postgres().await;
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = nth_run(&mut talk, 0);
    let held = store.acquire(&talk.id).await.expect("free");
    held.append(&reports[0]).await.expect("it is kept");
    let other = connect(&place).await;
    other
        .batch_execute("BEGIN; SELECT 1 FROM toolwright.conversation FOR UPDATE")
        .await
        .expect("locked");
    let error = held.append(&reports[1]).await.expect_err("it is locked");
    assert_eq!(error.kind, JournalErrorKind::Busy);
    assert_eq!(stored(&store, &talk.id).await, reports[0]);
    let waiting = held.append(&reports[1]);
    other.batch_execute("ROLLBACK").await.expect("it was begun");
    waiting.await.expect("it is kept");
    keep(&held, &reports[2..].to_vec()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_open_a_fresh_database_at_once() {
    let place = Place::postgres().await;
    // Whoever comes last waits for all the steps: as long as a program would.
    let opened = (0..8).map(|_| Store::open_keyed(&place.location, Timeouts::default(), key()));
    let stores = futures_util::future::join_all(opened).await;
    let stores: Vec<_> = stores.into_iter().map(|it| it.expect("it opens")).collect();
    let mut talk = Talk::new("talk");
    let reports = nth_run(&mut talk, 0);
    keep(&stores[0].acquire(&talk.id).await.expect("free"), &reports).await;
    assert_eq!(stored(&stores[7], &talk.id).await, reports.concat());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newer_or_older_database_is_refused() {
    let place = Place::postgres().await;
    drop(place.open().await);
    let client = connect(&place).await;
    client.batch_execute("UPDATE toolwright.format SET version = 99").await.expect("it is there");
    let error = Store::open(&place.location).await.map(drop).expect_err("it is newer");
    assert_eq!(error, StoreError::Newer { found: 99, known: 12 });
    client.batch_execute("UPDATE toolwright.format SET version = 3").await.expect("it is there");
    let error = Store::open(&place.location).await.map(drop).expect_err("it is older");
    assert!(matches!(error, StoreError::Older { found: 3, .. }), "{error:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_is_not_there_is_told() {
    let address = PostgresServer::shared().address.replace("dbname=postgres", "dbname=nobodys");
    let error = Store::open(&StoreLocation::Postgres(address)).await.map(drop).expect_err("none");
    let StoreError::Refused { what, why: Refusal::Absent } = &error else { panic!("{error:?}") };
    assert!(what.contains("nobodys"), "{what}");
    assert_eq!(error.fault(), Fault::NotConfigured);
}

/// What is to be done depends on what is wrong: the same sentence for all of it sends people astray.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_to_do_about_a_server_that_refuses_fits_the_reason() {
    let place = Place::postgres().await;
    let address = place.address();
    let told = async |address: &str| {
        let opened = Store::open(&StoreLocation::Postgres(address.to_owned())).await.map(drop);
        let error = opened.expect_err("it is refused");
        (error.to_string(), error.advice().expect("there is something to do").into_owned())
    };
    // The last one of each counts.
    let (says, advice) = told(&format!("{address} user=nobody_there")).await;
    assert!(says.contains("nobody_there") && advice.contains("CREATE ROLE"), "{says}: {advice}");
    let (says, advice) = told(&format!("{address} dbname=nobodys")).await;
    assert!(says.contains("nobodys") && advice.contains("CREATE DATABASE"), "{says}: {advice}");
    let (says, advice) = told("postgres://ann@127.0.0.1:1/mine?connect_timeout=5").await;
    assert!(says.contains("127.0.0.1:1") && advice.contains("the host and the port"), "{advice}");
    let client = connect(&place).await;
    let role = format!("guest_{:08x}", fastrand::u32(..));
    client.batch_execute(&format!("CREATE ROLE {role} LOGIN")).await.expect("it is made");
    let (says, advice) = told(&format!("{address} user={role}")).await;
    assert!(says.contains("permission denied") && advice.contains("GRANT"), "{says}: {advice}");
    let fresh = format!("{address} options='-c default_transaction_read_only=on'");
    let (says, advice) = told(&fresh).await;
    assert!(says.contains("it takes no changes") && advice.contains("primary"), "{says}: {advice}");
}

/// The format was set by hand, or the tables come from another backup than it does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_that_do_not_fit_the_noted_format_are_told_and_left() {
    let place = Place::postgres().await;
    drop(place.open().await);
    let client = connect(&place).await;
    for noted in [11, 9, 4, 0] {
        let set = format!("UPDATE toolwright.format SET version = {noted}");
        client.batch_execute(&set).await.expect("it is there");
        let error = Store::open(&place.location).await.map(drop).expect_err("it does not fit");
        assert!(
            matches!(error, StoreError::Refused { why: Refusal::OtherTables, .. }),
            "{error:?}"
        );
        let said = format!("its tables do not fit the format {noted} that is noted there");
        assert!(error.to_string().contains(&said), "{error}");
        let advice = error.advice().expect("there is something to do");
        assert!(advice.contains("backup") && advice.contains("nothing was changed"), "{advice}");
    }
    let found = client.query_one("SELECT version FROM toolwright.format", &[]).await;
    assert_eq!(found.expect("it is there").get::<_, i64>(0), 0);
    client.batch_execute("UPDATE toolwright.format SET version = 12").await.expect("it is there");
    place.open().await.check().await.expect("it is as it was");
}

/// Of several databases it is told which, and nothing that is secret.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_not_there_is_named() {
    let address = "postgres://ann:hunter2@127.0.0.1:1/mine?connect_timeout=5";
    let error = Store::open(&StoreLocation::Postgres(address.to_owned())).await.map(drop);
    let error = error.expect_err("nobody listens there").to_string();
    assert!(error.contains("no connection to `mine` at 127.0.0.1:1: "), "{error}");
    assert!(!error.contains("hunter2") && !error.contains("lost"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_say_whose_they_are() {
    let place = Place::postgres().await;
    let (_store, client) = (place.open().await, connect(&place).await);
    let named = async |name: &str| -> i64 {
        let sql = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = $1";
        client.query_one(sql, &[&name]).await.expect("it answers").get(0)
    };
    assert!(named("toolwright").await > 0);
    let address = format!("{} application_name=worker-3", place.address());
    let _other = Store::open(&StoreLocation::Postgres(address)).await.expect("it opens");
    assert!(named("worker-3").await > 0);
}

/// Once there is a connection for them, none is made.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_changes_use_connections_that_are_kept() {
    let place = Place::postgres().await;
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let going = talk.begin("Well?");
    keep(&held, &going.reports).await;
    store.rename(&talk.id, "First").await.expect("it is there");
    let sql = "SELECT current_database()";
    let name: String = connect(&place).await.query_one(sql, &[]).await.expect("it answers").get(0);
    // A database cannot be closed from within.
    let address = &PostgresServer::shared().address;
    let (admin, connection) = tokio_postgres::connect(address, NoTls).await.expect("it is there");
    tokio::spawn(connection);
    let close = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false");
    admin.batch_execute(&close).await.expect("it is ours");
    let refused = tokio_postgres::connect(&place.address(), NoTls).await.map(drop);
    assert!(refused.is_err(), "nobody else is let in");
    for number in 0..5 {
        let message = QueuedMessage {
            id: format!("m{number}").into(),
            mode: QueueMode::Next,
            at: Timestamp(1),
            message: UserMessage::new("And then?"),
        };
        let waits = message.id.clone();
        store.queue(&talk.id, message).await.expect("it is kept");
        assert!(held.take_up(&waits).await.expect("it can be asked"));
        store.withdraw(&talk.id, &"nobody".into()).await.expect("it can be asked");
        store.rename(&talk.id, &format!("Title {number}")).await.expect("it is there");
        let left = store.instruct(&talk.id, going.run.id(), &Instruction::Stop).await;
        assert_eq!(left.expect("it is kept"), Instructed::Taken);
        store.put_spec(&talk.id, going.run.id(), b"spec").await.expect("it is kept");
    }
    // One that was cut since is not used: another is made, as soon as that can be.
    let open = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true");
    admin.batch_execute(&open).await.expect("it is ours");
    let sql = "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1";
    let cut = admin.query(sql, &[&name]).await.expect("they are cut");
    let cut: Vec<i32> = cut.iter().map(|row| row.get(0)).collect();
    let sql = "SELECT 1 FROM pg_stat_activity WHERE pid = ANY($1)";
    while !admin.query(sql, &[&cut]).await.expect("it answers").is_empty() {}
    store.rename(&talk.id, "Last").await.expect("it is there");
}

/// Whoever sends something to those who share a log can say which: a file has no such name, as nobody shares it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_answers_and_keeps_nothing_is_told() {
    let server = PostgresServer::start();
    let place = Place::on(&server).await;
    let store = place.open().await;
    store.check().await.expect("it is well");
    let client = connect(&place).await;
    let told = async || match store.check().await {
        Err(error @ StoreError::Refused { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    client.batch_execute("ALTER TABLE toolwright.run RENAME TO ran").await.expect("it is renamed");
    let missing = told().await;
    assert!(missing.ends_with("tables are missing from its schema `toolwright`: run"), "{missing}");
    client.batch_execute("ALTER TABLE toolwright.ran RENAME TO run").await.expect("it is renamed");
    store.check().await.expect("it is there again");
    // A newer program may change it while this one has it open.
    let change = async |by: i64| {
        let sql = format!("UPDATE toolwright.format SET version = version + {by}");
        client.batch_execute(&sql).await.expect("it is noted");
    };
    change(1).await;
    assert_eq!(store.check().await, Err(StoreError::Newer { found: 13, known: 12 }));
    change(-1).await;
    store.check().await.expect("it is as it was");

    let database = client.query_one("SELECT current_database()", &[]).await.expect("it answers");
    let database: String = database.get(0);
    // Read by whoever connects from now on.
    let refuse = format!("ALTER DATABASE \"{database}\" SET default_transaction_read_only = on");
    client.batch_execute(&refuse).await.expect("it is set");
    let ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    client.execute(ended, &[]).await.expect("others are cut off");
    let refused = told().await;
    assert!(refused.contains("it takes no changes"), "{refused}");
}

#[tokio::test]
async fn a_log_is_known_by_a_name_that_no_other_has() {
    let (one, two) = (Place::postgres().await, Place::postgres().await);
    let name = one.open().await.log_id().await.expect("PostgreSQL tells");
    assert_eq!(one.open().await.log_id().await.as_deref(), Some(name.as_str()));
    assert_ne!(two.open().await.log_id().await, Some(name));
    assert_eq!(Place::fast().open().await.log_id().await, None);
}
