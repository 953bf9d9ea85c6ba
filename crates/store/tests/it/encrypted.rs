//! The way to a server, as `sslmode` and `sslrootcert` ask for it: each mode against servers with a good, a
//! foreign and a wrongly named certificate, and against one without TLS.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};
use toolwright_core::ActionableError;
use toolwright_store::{News, Store, StoreError, StoreLocation, Timeouts};
use toolwright_testkit::{
    PostgresServer,
    tls::{CA, CERTIFICATE, KEY, OTHER_CA},
};

/// Certificates, a server that has one, and one that has none.
struct World {
    folder: TempDir,
    encrypted: (PostgresServer, u16),
    plain: (PostgresServer, u16),
}

/// Against which server, as seen from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Server {
    Good,
    Foreign,
    Misnamed,
    Plain,
}

const SERVERS: [Server; 4] = [Server::Good, Server::Foreign, Server::Misnamed, Server::Plain];

/// What came of it: a way that is encrypted or not, or what the error says.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Came {
    Encrypted,
    Plain,
    Refused(&'static str),
}

const UNTRUSTED: Came = Came::Refused("signed by nobody who is trusted");
const MISNAMED: Came = Came::Refused("for another name");
const NONE: Came = Came::Refused("offers no TLS");

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("there is room");
            path
        };
        let (certificate, key) = (file("server.pem", CERTIFICATE), file("server.key", KEY));
        file("ca.pem", CA);
        file("other ca.pem", OTHER_CA);
        file("empty.pem", "");
        let encrypted = PostgresServer::listening(Some((&certificate, &key)));
        Self { encrypted, plain: PostgresServer::listening(None), folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn of(&self, server: Server) -> &(PostgresServer, u16) {
        if server == Server::Plain { &self.plain } else { &self.encrypted }
    }

    /// The address of a server in both forms. The certificate is for `localhost` and `127.0.0.1`.
    fn addresses(
        &self,
        server: Server,
        mode: &str,
        roots: Option<&Path>,
        name: &str,
    ) -> [String; 2] {
        let host = if server == Server::Misnamed { "db.example" } else { "localhost" };
        let port = self.of(server).1;
        let mut pairs = format!(
            "host={host} hostaddr=127.0.0.1 port={port} user=toolwright password=hunter2 \
             dbname=postgres application_name={name} sslmode={mode}"
        );
        let mut url = format!(
            "postgres://toolwright:hunter2@{host}:{port}/postgres?sslmode={mode}\
             &hostaddr=127.0.0.1&application_name={name}"
        );
        if let Some(roots) = roots.map(|it| it.display().to_string()) {
            pairs.push_str(&format!(" sslrootcert='{roots}'"));
            url.push_str(&format!("&sslrootcert={}", roots.replace(' ', "%20")));
        }
        [pairs, url]
    }

    async fn client(&self, server: Server) -> Client {
        let address = &self.of(server).0.address;
        let (client, connection) =
            tokio_postgres::connect(address, NoTls).await.expect("it is there");
        tokio::spawn(connection);
        client
    }

    /// What comes of going there.
    async fn go(&self, server: Server, address: String, name: &str) -> Result<Came, StoreError> {
        let location = StoreLocation::Postgres(address);
        assert!(!format!("{location} {location:?}").contains("hunter2"));
        let store = Store::open_with(&location, Timeouts::default()).await?;
        store.acquire(&"talk".into()).await?;
        // Every connection of it, also the one that listens.
        assert_eq!(store.news().next().await, Some(News::Missed));
        let sql = "SELECT bool_and(s.ssl), bool_or(s.ssl) FROM pg_stat_ssl s
            JOIN pg_stat_activity a ON a.pid = s.pid WHERE a.application_name = $1";
        let found = self.client(server).await.query_one(sql, &[&name]).await.expect("it answers");
        match (found.get(0), found.get(1)) {
            (Some(true), Some(true)) => Ok(Came::Encrypted),
            (Some(false), Some(false)) => Ok(Came::Plain),
            mixed => panic!("some of it: {mixed:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_way_is_as_safe_as_was_asked_for() {
    use Came::{Encrypted, Plain};
    let world = World::new();
    let cases = [
        ("disable", true, [Plain, Plain, Plain, Plain]),
        ("prefer", true, [Encrypted, Encrypted, Encrypted, Plain]),
        ("require", false, [Encrypted, Encrypted, Encrypted, NONE]),
        ("require", true, [Encrypted, UNTRUSTED, Encrypted, NONE]),
        ("verify-ca", true, [Encrypted, UNTRUSTED, Encrypted, NONE]),
        ("verify-full", true, [Encrypted, UNTRUSTED, MISNAMED, NONE]),
        // Nobody whom the system trusts signed it.
        ("verify-full", false, [UNTRUSTED, UNTRUSTED, UNTRUSTED, NONE]),
    ];
    let mut number = 0;
    for (mode, has_roots, expected) in cases {
        for (server, expected) in SERVERS.into_iter().zip(expected) {
            let roots = if server == Server::Foreign { "other ca.pem" } else { "ca.pem" };
            let roots = has_roots.then(|| world.file(roots));
            for form in 0..2 {
                number += 1;
                let name = format!("case{number}");
                let [pairs, url] = world.addresses(server, mode, roots.as_deref(), &name);
                let address = if form == 0 { pairs } else { url };
                let what = format!("{mode}, {server:?}, {address}");
                match (world.go(server, address, &name).await, &expected) {
                    (Ok(came), expected) => assert_eq!(came, *expected, "{what}"),
                    (Err(error), Came::Refused(why)) => {
                        assert!(matches!(error, StoreError::Tls { .. }), "{what}: {error:?}");
                        assert!(error.to_string().contains(why), "{what}: {error}");
                        let advice = error.advice().expect("it says what to do").into_owned();
                        assert!(advice.contains("ssl"), "{what}: {advice}");
                        assert!(!format!("{error:?}").contains("hunter2"), "{what}: {error:?}");
                    }
                    (Err(error), _) => panic!("{what}: {error}"),
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_asked_for_is_told() {
    let world = World::new();
    let open = async |mode: &str, roots: Option<&str>| {
        let roots = roots.map(|name| world.file(name));
        let [pairs, _] = world.addresses(Server::Good, mode, roots.as_deref(), "told");
        let opened = Store::open(&StoreLocation::Postgres(pairs)).await.map(drop);
        let error = opened.expect_err("it cannot be");
        assert!(matches!(error, StoreError::Tls { .. }), "{error:?}");
        format!("{error}; {}", error.advice().expect("it says what to do"))
    };
    for (mode, roots, said) in [
        ("allow", None, "sslmode=disable, prefer, require, verify-ca or verify-full"),
        ("verify-ca", None, "sslrootcert=FILE"),
        ("verify-full", Some("nowhere.pem"), "nowhere.pem"),
        ("verify-full", Some("empty.pem"), "there is no certificate in it"),
        ("verify-ca", Some("server.key"), "there is no certificate in it"),
    ] {
        let found = open(mode, roots).await;
        assert!(found.contains(said), "{mode}: {found}");
    }
    // A server that takes nobody unencrypted.
    let client = world.client(Server::Good).await;
    let folder: String = client.query_one("SHOW data_directory", &[]).await.expect("it").get(0);
    let rules = format!(
        "COPY (SELECT unnest(ARRAY['local all all trust', 'hostssl all all 127.0.0.1/32 trust']))
         TO '{folder}/pg_hba.conf'"
    );
    client.batch_execute(&rules).await.expect("it is ours");
    client.batch_execute("SELECT pg_reload_conf()").await.expect("it is ours");
    let found = loop {
        // It reads its rules again in a moment.
        let [pairs, _] = world.addresses(Server::Good, "disable", None, "rules");
        if let Err(error) = Store::open(&StoreLocation::Postgres(pairs)).await.map(drop) {
            break error;
        }
    };
    assert!(matches!(found, StoreError::Tls { .. }), "{found:?}");
    assert!(found.advice().is_some_and(|it| it.contains("sslmode=require")), "{found}");
    let [pairs, _] = world.addresses(Server::Good, "require", None, "rules");
    Store::open(&StoreLocation::Postgres(pairs)).await.map(drop).expect("it comes encrypted");
}
