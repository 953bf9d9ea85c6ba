//! What is special about a file.

use std::{fs, path::Path};

use rusqlite::Connection;
use toolwright_core::{ActionableError, Journal, JournalErrorKind};
use toolwright_store::{Refusal, Store, StoreError, StoreLocation};

use crate::common::{
    child::{Child, role, say},
    place::{Place, location},
    talk::{Talk, first_events, keep, keep_in, nth_run, stored},
};

#[tokio::test]
async fn folders_are_made_and_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().expect("a folder");
    let path = place.path().join("a/b/log.db");
    let store = Store::open(&StoreLocation::Sqlite(path.clone())).await.expect("it opens");
    let _held = store.acquire(&"talk".into()).await.expect("free");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(&path.with_extension("db-wal")), 0o600);
    assert_eq!(mode(path.parent().expect("a folder")), 0o700);
}

#[tokio::test]
async fn what_is_not_ours_is_left_alone() {
    let place = tempfile::tempdir().expect("a folder");
    let open = async |name: &str| {
        let path = place.path().join(name);
        let before = fs::read(&path).expect("it is there");
        let error = Store::open(&StoreLocation::Sqlite(path.clone())).await.map(drop);
        let error = error.expect_err("it is not ours");
        assert!(error.advice().is_some());
        assert_eq!(fs::read(&path).expect("it is there"), before, "{name} was changed");
        error
    };
    fs::write(place.path().join("text"), "Not a database at all.".repeat(500)).expect("room");
    assert!(matches!(open("text").await, StoreError::Damaged { .. }));
    let db = Connection::open(place.path().join("foreign")).expect("a database");
    db.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE theirs (x)").expect("a table");
    drop(db);
    assert!(matches!(open("foreign").await, StoreError::Foreign(_)));
    let folder = Store::open(&StoreLocation::Sqlite(place.path().into())).await.map(drop);
    assert!(matches!(folder, Err(StoreError::Unavailable(_))), "{folder:?}");
}

/// Under each name it would have a journal of its own. Another process is played by another handle of the file, which
/// stays open: to close it would give back what SQLite has locked.
#[tokio::test]
async fn a_file_has_one_server_whatever_it_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("other")).expect("a folder");
    let location = StoreLocation::Sqlite(path("log.db"));
    let store = Store::open(&location).await.expect("it opens");
    fs::hard_link(path("log.db"), path("other/same.db")).expect("a link");
    let named = Store::open(&StoreLocation::Sqlite(path("other/same.db"))).await.map(drop);
    let error = named.expect_err("under this name it is without what is written now");
    assert!(error.to_string().contains("2 names"), "{error}");
    assert!(!path("other/same.db-wal").exists(), "nothing was written");
    let linked = fs::File::open(path("other/same.db")).expect("it is there");
    let is_taken = || matches!(linked.try_lock(), Err(fs::TryLockError::WouldBlock));
    let serving = store.serve_alone().expect("nobody serves");
    assert!(is_taken());
    drop(serving);
    linked.try_lock().expect("nobody serves any more");
    let error = store.serve_alone().map(drop).expect_err("another process serves");
    assert!(matches!(error, StoreError::Served { .. }), "{error}");
    linked.unlock().expect("it was locked");
    let _serving = store.serve_alone().expect("nobody serves any more");
    fs::rename(path("log.db"), path("moved.db")).expect("it is moved");
    assert!(is_taken());
}

#[tokio::test]
async fn a_newer_database_is_refused() {
    let place = Place::sqlite();
    drop(place.open().await);
    Connection::open(place.file())
        .expect("it opens")
        .pragma_update(None, "user_version", 99)
        .expect("set");
    let error = Store::open(&place.location).await.map(drop).expect_err("it is newer");
    assert_eq!(error, StoreError::Newer { found: 99, known: 12 });
}

/// The format was set by hand, or the file was put together from two.
#[tokio::test]
async fn tables_that_do_not_fit_the_noted_format_are_told_and_left() {
    let place = Place::sqlite();
    drop(place.open().await);
    let note = |format: i64| {
        let file = Connection::open(place.file()).expect("it opens");
        file.pragma_update(None, "user_version", format).expect("set");
    };
    for noted in [11, 9, 4, 0] {
        note(noted);
        let error = Store::open(&place.location).await.map(drop).expect_err("it does not fit");
        assert!(
            matches!(error, StoreError::Refused { why: Refusal::OtherTables, .. }),
            "{error:?}"
        );
        let said = format!("its tables do not fit the format {noted} that is noted there");
        assert!(error.to_string().contains(&said), "{error}");
    }
    note(12);
    place.open().await.check().await.expect("it is as it was");
}

/// A newer program may change the file while this one has it open.
#[tokio::test]
async fn a_file_that_becomes_newer_is_noticed() {
    let place = Place::sqlite();
    let store = place.open().await;
    let database = Connection::open(place.file()).expect("it opens");
    let note = |format: i64| database.pragma_update(None, "user_version", format).expect("set");
    note(13);
    assert_eq!(store.check().await, Err(StoreError::Newer { found: 13, known: 12 }));
    note(12);
    store.check().await.expect("it is as it was");
}

/// As it was before a run could go on from anywhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_of_plain_lines_is_taken_over() {
    let place = Place::sqlite();
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a"], "One.");
    keep_in(&place.open().await, &talk, &reports).await;
    let database = Connection::open(place.file()).expect("it opens");
    let before = "DROP TABLE queued; DROP TABLE spec; DROP TABLE instruction;
        DROP TABLE claimed_key; DROP TABLE log_key; DROP TABLE access; DROP TABLE rule;
        DROP INDEX conversation_owned; ALTER TABLE conversation DROP COLUMN owner;
        ALTER TABLE run DROP COLUMN follows;
        ALTER TABLE conversation DROP COLUMN branches; PRAGMA user_version = 6;";
    database.execute_batch(before).expect("the columns are there");
    drop(database);
    let store = place.open().await;
    let held = store.acquire(&talk.id).await.expect("free");
    assert_eq!(held.load().await.expect("it loads").history, talk.history);
    assert!(store.runs(&talk.id).await.expect("it is there").is_line());
}

#[tokio::test]
async fn an_older_database_is_refused_by_its_name() {
    let place = Place::sqlite();
    drop(place.open().await);
    let database = Connection::open(place.file()).expect("it opens");
    for found in 1..=3 {
        database.pragma_update(None, "user_version", found).expect("set");
        let error = Store::open(&place.location).await.map(drop).expect_err("it is older");
        let name = place.file().display().to_string();
        assert_eq!(error, StoreError::Older { name, found });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_open_a_fresh_file_at_once() {
    for _ in 0..10 {
        let place = Place::sqlite();
        let opened = (0..8).map(|_| Store::open(&place.location));
        for opened in futures_util::future::join_all(opened).await {
            opened.map(drop).expect("it opens");
        }
    }
}

#[tokio::test]
async fn a_locked_database_is_waited_for_and_then_given_up() {
    let place = Place::sqlite();
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.chat("One?", "One.");
    let held = store.acquire(&talk.id).await.expect("free");
    held.append(&reports[0]).await.expect("it is kept");

    let other = Connection::open(place.file()).expect("it opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("nobody writes");
    let free = "other".into();
    let (one, two) = tokio::join!(held.append(&reports[1]), store.acquire(&free));
    let error = one.expect_err("it is locked");
    assert_eq!(error.kind, JournalErrorKind::Busy);
    assert!(error.advice.is_some());
    assert_eq!(two.map(drop).expect_err("it is locked"), StoreError::Busy);
    // Reading goes on.
    assert_eq!(stored(&store, &talk.id).await, reports[0]);

    // Whoever waits when the lock is given back is served.
    let waiting = held.append(&reports[1]);
    other.execute_batch("ROLLBACK").expect("it was begun");
    waiting.await.expect("it is kept");
    keep(&held, &reports[2..].to_vec()).await;
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}

#[tokio::test]
async fn what_is_deleted_leaves_no_bytes() {
    let place = Place::sqlite();
    let store = place.open().await;
    let mut other = Talk::new("other");
    let kept = other.ask("What is kept?", &["keepsake"], "This.");
    keep_in(&store, &other, &kept).await;
    let long = "secretresult longsecret ".repeat(2_000);
    let mut talk = Talk::new("secretname");
    for number in 0..20 {
        let reports = talk.ask(&format!("secretquestion{number}?"), &[&long], "secretanswer.");
        keep_in(&store, &talk, &reports).await;
    }
    let mut rest = talk.clone();
    let unfinished = rest.interrupted("secretlast?", "write");
    keep_in(&store, &talk, &unfinished).await;
    assert!(found(&place, "secret"), "there is something to look for");
    store.delete(&talk.id).await.expect("nobody has it");
    assert!(!found(&place, "secret"), "something is left while the database is open");
    assert!(found(&place, "keepsake"));
    drop(store);
    let store = place.open().await;
    assert!(!found(&place, "secret"), "something is left");
    assert_eq!(store.search("keep", 5).await.expect("a search").len(), 1);
    assert_eq!(store.search("secret", 5).await, Ok(Vec::new()));
    let db = Connection::open(place.file()).expect("it opens");
    db.execute_batch("INSERT INTO search (search) VALUES ('integrity-check')")
        .expect("the index is whole");
}

/// Whether any file in the place's folder, or any file's name, has these bytes in it.
fn found(place: &Place, text: &str) -> bool {
    fn look(folder: &Path, text: &str) -> bool {
        fs::read_dir(folder).expect("a folder").flatten().any(|entry| {
            let path = entry.path();
            path.file_name().is_some_and(|name| name.to_string_lossy().contains(text))
                || if path.is_dir() {
                    look(&path, text)
                } else {
                    let bytes = fs::read(&path).expect("a file");
                    bytes.windows(text.len()).any(|window| window == text.as_bytes())
                }
        })
    }
    look(place.file().parent().expect("a folder"), text)
}

#[tokio::test]
async fn leases_of_the_dead_are_tidied() {
    let place = Place::sqlite();
    let store = place.open().await;
    let held = store.acquire(&"held".into()).await.expect("free");
    let leases = place.file().with_file_name("leases");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    for name in ["dead", "held"] {
        let file = fs::File::options().create(true).append(true).open(leases.join(name));
        file.expect("it opens").set_modified(old).expect("it is ours");
    }
    fs::write(leases.join("young"), "1 1\n").expect("it is ours");
    let other = place.open().await;
    let mut names: Vec<_> = fs::read_dir(&leases)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["held", "young"]);
    other.acquire(&"held".into()).await.map(drop).expect_err("it is held");
    drop(held);
    other.acquire(&"held".into()).await.expect("it is free");
    other.acquire(&"young".into()).await.expect("nobody has it");
}

/// Writes conversations of its own for as long as it is let.
#[tokio::test]
async fn child_that_writes() {
    let Some(told) = role() else { return };
    let (id, address) = told.split_once(' ').expect("an id and an address");
    let store = Store::open(&location(address)).await.expect("it opens");
    let mut talk = Talk::new(id);
    let held = store.acquire(&talk.id).await.expect("free");
    let mut kept = 0;
    for number in 0.. {
        for report in nth_run(&mut talk, number) {
            held.append(&report).await.expect("it is kept");
            kept += report.len();
            say(&kept.to_string());
        }
    }
}

#[tokio::test]
async fn several_processes_write_and_die() {
    let place = Place::sqlite();
    drop(place.open().await);
    let ids = ["one", "two", "three"];
    let mut acknowledged = [0; 3];
    let mut children: Vec<_> = ids
        .iter()
        .map(|id| Child::run("file::child_that_writes", &format!("{id} {}", place.address())))
        .collect();
    for (child, acknowledged) in children.iter_mut().zip(&mut acknowledged) {
        for _ in 0..25 {
            *acknowledged = child.next().expect("it lives").parse::<usize>().expect("a number");
        }
    }
    children.iter_mut().for_each(Child::kill);
    let store = place.open().await;
    for (id, acknowledged) in ids.iter().zip(acknowledged) {
        let events = stored(&store, &(*id).into()).await;
        assert!(events.len() >= acknowledged, "{} of {acknowledged}", events.len());
        assert_eq!(events, first_events(id, events.len()));
        let held = store.acquire(&(*id).into()).await.expect("the dead hold nothing");
        let loaded = held.load().await.expect("it loads");
        if let Some(mut run) = loaded.unfinished {
            let events = run.abandoned(toolwright_core::Timestamp(1)).expect("it had not ended");
            held.append(&events).await.expect("it is kept");
        }
    }
}

/// What loading does not need is not read: it may be as large as it likes, or gone bad.
#[tokio::test]
async fn loading_reads_only_what_it_needs() {
    let place = Place::sqlite();
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let long = "0123456789".repeat(300);
    let first = talk.ask("One?", &["a", &long], "One.");
    let mut compacting = talk.begin("Shorter?");
    let digest = compacting.run.conversation().digest(0).expect("there is something to shorten");
    let compacted = compacting.run.compacted(digest, toolwright_core::Timestamp(1));
    compacting.reports.push(compacted.expect("it waits for the model"));
    compacting.reply(&mut talk, toolwright_core::ModelResponse::text("Shorter."));
    let second = compacting.end(&mut talk);
    let third = talk.ask("Two?", &["b", &long], "Two.");
    let last = talk.interrupted("Three?", "look");
    for reports in [&first, &second, &third, &last] {
        keep_in(&store, &talk, reports).await;
    }
    let db = Connection::open(place.file()).expect("it opens");
    let spoil = "UPDATE event SET body = 'spoilt' WHERE kind NOT IN
            ('message', 'reply', 'call_finished', 'compacted')
            AND position < (SELECT open_first FROM conversation)
        OR kind IN ('full_result', 'call_progress', 'policy_applied')
        OR position < (SELECT snapshot FROM conversation)";
    assert!(db.execute(spoil, []).expect("it can be written") > 20);
    let loaded = store.acquire(&talk.id).await.expect("free").load().await.expect("it loads");
    assert_eq!(loaded.history, talk.history);
    let run = toolwright_core::Run::replay(talk.history.clone(), &last.concat());
    assert_eq!(loaded.unfinished, Some(run.expect("a log")));
    let error = store.events(&talk.id, None, 1).await.expect_err("it is spoilt");
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
}
