//! Keys: of requests that are to be done once, of the log, and the lock of its server.

use toolwright_core::{ActionableError, Digest};
use toolwright_store::{KeyClaim, KeyState, LogKey, Store, StoreError, StoreLocation};

use super::on_both;
use crate::common::place::{PATIENCE, Place};

on_both!(
    a_key_is_good_for_one_request,
    however_many_claim_a_key_it_is_new_for_one,
    a_key_that_is_none_is_refused,
    the_first_key_that_lasts_is_the_logs,
    a_file_has_one_server,
);

fn claim(owner: &str, key: &str, what: &str, run: u32) -> KeyClaim {
    KeyClaim {
        owner: owner.into(),
        key: key.into(),
        digest: Digest::of(what.as_bytes()),
        conversation: format!("talk{run}").into(),
        run: format!("run{run}").into(),
    }
}

async fn a_key_is_good_for_one_request(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let ask = async |store: &Store, claim: &KeyClaim| store.claim_key(claim).await.expect("it can");
    assert_eq!(ask(&store, &claim("me", "key", "one", 1)).await, KeyState::New);
    let same = KeyState::Same { conversation: "talk1".into(), run: "run1".into() };
    assert_eq!(ask(&other, &claim("me", "key", "one", 2)).await, same);
    assert_eq!(ask(&other, &claim("me", "key", "two", 3)).await, KeyState::Other);
    assert_eq!(ask(&other, &claim("you", "key", "two", 4)).await, KeyState::New);
    assert_eq!(ask(&store, &claim("me", "other", "two", 5)).await, KeyState::New);
    age(&place, 23).await;
    assert_eq!(ask(&store, &claim("me", "key", "one", 6)).await, same);
    age(&place, 2).await;
    assert_eq!(ask(&store, &claim("me", "key", "two", 7)).await, KeyState::New);
}

/// As if hours had passed.
async fn age(place: &Place, hours: u32) {
    let sql = format!("UPDATE claimed_key SET at = at - {hours} * 3600000");
    match &place.location {
        StoreLocation::Sqlite(path) => {
            let db = rusqlite::Connection::open(path).expect("it opens");
            db.execute_batch(&sql).expect("a table");
        }
        StoreLocation::Postgres(address) => {
            let (client, connection) =
                tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("it is there");
            tokio::spawn(connection);
            let sql = format!("SET search_path = toolwright; {sql}");
            client.batch_execute(&sql).await.expect("a table");
        }
    }
}

async fn however_many_claim_a_key_it_is_new_for_one(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let claims = (0..20).map(|number| {
        let store = [&store, &other][number as usize % 2].clone();
        tokio::spawn(async move {
            let claim = claim("me", "key", "one", number);
            (number, store.claim_key(&claim).await.expect("it can be asked"))
        })
    });
    let claims: Vec<_> = claims.collect();
    let mut states = Vec::new();
    for claim in claims {
        states.push(claim.await.expect("it ends well"));
    }
    let new: Vec<_> = states.iter().filter(|(_, state)| *state == KeyState::New).collect();
    assert_eq!(new.len(), 1, "{states:?}");
    let (first, _) = new[0];
    let same = KeyState::Same {
        conversation: format!("talk{first}").into(),
        run: format!("run{first}").into(),
    };
    assert_eq!(states.iter().filter(|(_, state)| *state == same).count(), 19, "{states:?}");
}

async fn a_key_that_is_none_is_refused(place: Place) {
    let store = place.open().await;
    for key in ["", "a\nb", "a\0b", &"x".repeat(201)] {
        let error = store.claim_key(&claim("me", key, "one", 1)).await.expect_err("it is no key");
        assert!(matches!(error, StoreError::Invalid(_)), "{error}");
    }
}

async fn the_first_key_that_lasts_is_the_logs(place: Place) {
    let open = async |key: LogKey| {
        Store::open_keyed(&place.location, PATIENCE, key).await.expect("it opens")
    };
    let key = |digits: &str| digits.repeat(32).parse::<LogKey>().expect("a key");
    let passing = open(LogKey::random().expect("a key")).await;
    let (first, same, other) =
        (open(key("11")).await, open(key("11")).await, open(key("22")).await);
    // One that is gone with its process decides nothing, nor does whoever only looks.
    passing.enter().await.expect("nobody has begun it");
    other.check_key().await.expect("nobody has begun it");
    first.enter().await.expect("it is the first");
    same.enter().await.expect("it is the same key");
    for store in [&other, &passing] {
        match store.is_shared() {
            true => {
                assert_eq!(store.check_key().await, Err(StoreError::OtherKey));
                assert_eq!(store.enter().await, Err(StoreError::OtherKey));
            }
            // What is in a file is one person's, who may have lost a key.
            false => store.enter().await.expect("any key will do"),
        }
    }
    first.check_key().await.expect("it is the key of the log");
}

async fn a_file_has_one_server(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let first = store.serve_alone().expect("nobody serves");
    let second = other.serve_alone().map(drop);
    if store.is_shared() {
        assert!(second.is_ok(), "{second:?}");
        return;
    }
    let error = second.expect_err("it is served");
    let said = error.to_string();
    assert!(said.contains("another `toolwright serve`") && said.contains("log.db"), "{said}");
    assert!(said.contains(&std::process::id().to_string()), "{said}");
    assert!(error.advice().is_some_and(|it| it.contains("DATABASE_URL")), "{error}");
    // The command line works beside it.
    other.acquire(&"talk".into()).await.expect("free");
    drop(first);
    other.serve_alone().expect("nobody serves any more");
}
