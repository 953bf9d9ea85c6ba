//! Where a log is kept, and what is said about it.

use toolwright_store::{Location, Store, StoreError};

#[test]
fn a_password_is_not_shown() {
    for (address, shown) in [
        (
            "postgres://me:hunter2@db.example:5433/toolwright",
            "postgres://me@db.example:5433/toolwright",
        ),
        ("postgresql://me:hunter2@db.example/x?sslmode=disable", "postgres://me@db.example:5432/x"),
        ("host=/run/pg user=me password=hunter2 dbname=x", "postgres://me@/run/pg/x"),
        ("postgres://me:hunter2@h1:1,h2:2/x", "postgres://me@h1:1,h2:2/x"),
        ("postgres://me:hunter2@host:port/x", "postgres://(an address that cannot be read)"),
        ("hunter2", "postgres://(an address that cannot be read)"),
    ] {
        let location = Location::Postgres(address.to_owned());
        assert_eq!(location.to_string(), shown);
        assert!(!format!("{location:?}").contains("hunter2"));
    }
}

#[test]
fn an_address_says_which_database_it_is() {
    let parsed = |text: &str| text.parse::<Location>().expect("any text is a place");
    assert_eq!(parsed("postgres://h/x"), Location::Postgres("postgres://h/x".into()));
    assert_eq!(parsed("postgresql://h/x"), Location::Postgres("postgresql://h/x".into()));
    assert_eq!(parsed("sqlite:data/log.db"), Location::Sqlite("data/log.db".into()));
    assert_eq!(parsed("/data/log.db"), Location::Sqlite("/data/log.db".into()));
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_an_error_without_secrets() {
    let patience = toolwright_store::Patience {
        locked: std::time::Duration::from_millis(50),
        lost: std::time::Duration::from_millis(200),
    };
    for address in [
        "postgres://me:hunter2@127.0.0.1:1/x",
        "postgres://me:hunter2@127.0.0.1:1/x?sslmode=require",
        "postgres://me:hunter2@127.0.0.1:port/x",
        "host=/nowhere user=me password=hunter2",
    ] {
        let opened = Store::open_with(&Location::Postgres(address.to_owned()), patience).await;
        let error = opened.map(drop).expect_err("nobody is there");
        assert!(matches!(error, StoreError::Lost(_) | StoreError::Unavailable(_)), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
        assert!(error.advice().is_some(), "{error}");
    }
}
