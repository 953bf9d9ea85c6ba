//! Where a log is kept, and what is said about it.

use toolwright_core::ActionableError;
use toolwright_store::{LocationError, Store, StoreError, StoreLocation};

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
        let location = StoreLocation::Postgres(address.to_owned());
        assert_eq!(location.to_string(), shown);
        assert!(!format!("{location:?}").contains("hunter2"));
    }
}

#[test]
fn an_address_says_which_database_it_is() {
    let server = |text: &str| StoreLocation::Postgres(text.to_owned());
    let file = |text: &str| StoreLocation::Sqlite(text.into());
    for (text, location) in [
        ("postgres://h/x", server("postgres://h/x")),
        ("postgresql://h/x", server("postgresql://h/x")),
        ("POSTGRES://h/x", server("POSTGRES://h/x")),
        (" host=h dbname=x ", server("host=h dbname=x")),
        ("host = /run/pg user=me", server("host = /run/pg user=me")),
        ("dbname='a b'", server("dbname='a b'")),
        ("sqlite:data/log.db", file("data/log.db")),
        ("sqlite:///data/log", file("/data/log")),
        ("sqlite://log", file("log")),
        ("sqlite:host=x", file("host=x")),
        ("/data/log.db", file("/data/log.db")),
        ("/data/log", file("/data/log")),
        ("./log", file("./log")),
        ("../log", file("../log")),
        ("./host=x", file("./host=x")),
        ("log.db", file("log.db")),
        ("data/log.sqlite3", file("data/log.sqlite3")),
    ] {
        assert_eq!(text.parse(), Ok(location), "{text}");
    }
    assert_eq!("src".parse(), Ok(file("src")), "it is there");
}

/// Nothing that was meant as a server becomes a file, and no secret is told.
#[test]
fn what_is_no_place_is_told() {
    for (text, error) in [
        ("hosst=h dbname=x", LocationError::Pairs),
        ("host=h password=hunter2 nonsense", LocationError::Pairs),
        ("mysql://me:hunter2@h/x", LocationError::Scheme("mysql".into())),
        ("postgress://me:hunter2@h/x", LocationError::Scheme("postgress".into())),
        ("file:///x.db", LocationError::Scheme("file".into())),
        ("me:hunter2@h/x.db", LocationError::Neither),
        ("db.example:5432/toolwright", LocationError::Neither),
        ("toolwright", LocationError::Neither),
        ("", LocationError::Neither),
        ("sqlite:", LocationError::Path),
        ("sqlite:~/x.db", LocationError::Path),
        ("~/x.db", LocationError::Path),
    ] {
        let found = text.parse::<StoreLocation>().expect_err(text);
        assert_eq!(found, error, "{text}");
        assert!(!format!("{found} {found:?}").contains("hunter2"), "{found}");
    }
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_an_error_without_secrets() {
    let timeouts = toolwright_store::Timeouts {
        locked: std::time::Duration::from_millis(50),
        lost: std::time::Duration::from_millis(200),
    };
    for address in [
        "postgres://me:hunter2@127.0.0.1:1/x",
        "postgres://me:hunter2@127.0.0.1:1/x?sslmode=require",
        "postgres://me:hunter2@127.0.0.1:port/x",
        "host=/nowhere user=me password=hunter2",
    ] {
        let opened = Store::open_with(&StoreLocation::Postgres(address.to_owned()), timeouts).await;
        let error = opened.map(drop).expect_err("nobody is there");
        assert!(
            matches!(error, StoreError::Refused { .. } | StoreError::Address { .. }),
            "{error:?}"
        );
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
        assert!(error.advice().is_some(), "{error}");
    }
}
