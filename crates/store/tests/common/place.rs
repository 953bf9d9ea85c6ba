//! [`Place`]: somewhere to keep a log, gone when the test is over.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use tempfile::TempDir;
use tokio_postgres::NoTls;
use toolwright_store::{LogKey, Store, StoreError, StoreLocation, Timeouts};
use toolwright_testkit::PostgresServer;

/// Somewhere to keep a log.
pub(crate) struct Place {
    pub(crate) location: StoreLocation,
    /// The folder of the file.
    folder: Option<TempDir>,
}

/// Short, so that tests of waiting do not wait long.
pub(crate) const PATIENCE: Timeouts =
    Timeouts { locked: Duration::from_millis(400), lost: Duration::from_secs(20) };

impl Place {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        Self { location: StoreLocation::Sqlite(folder.path().join("log.db")), folder: Some(folder) }
    }

    /// In memory where the system has such a place: for tests with thousands of commits.
    pub(crate) fn fast() -> Self {
        let memory = Path::new("/dev/shm");
        let folder =
            if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let folder = folder.expect("there is room for a folder");
        Self { location: StoreLocation::Sqlite(folder.path().join("log.db")), folder: Some(folder) }
    }

    pub(crate) async fn postgres() -> Self {
        Self::on(PostgresServer::shared()).await
    }

    /// A database of its own.
    pub(crate) async fn on(server: &PostgresServer) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let (client, connection) =
            tokio_postgres::connect(&server.address, NoTls).await.expect("the server is there");
        let connection = tokio::spawn(connection);
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a new database");
        drop(client);
        let _ = connection.await;
        let address = server.address.replace("dbname=postgres", &format!("dbname={name}"));
        Self { location: StoreLocation::Postgres(address), folder: None }
    }

    pub(crate) async fn open(&self) -> Store {
        opened(&self.location).await.expect("the log opens")
    }

    pub(crate) fn file(&self) -> PathBuf {
        match &self.location {
            StoreLocation::Sqlite(path) => path.clone(),
            StoreLocation::Postgres(_) => panic!("it is no file"),
        }
    }

    pub(crate) fn address(&self) -> String {
        match &self.location {
            StoreLocation::Sqlite(path) => path.display().to_string(),
            StoreLocation::Postgres(address) => address.clone(),
        }
    }
}

/// The log there, with the key that all processes of a test share: a server has none beside it.
pub(crate) async fn opened(location: &StoreLocation) -> Result<Store, StoreError> {
    match location {
        StoreLocation::Sqlite(_) => Store::open_with(location, PATIENCE).await,
        StoreLocation::Postgres(_) => Store::open_keyed(location, PATIENCE, key()).await,
    }
}

pub(crate) fn key() -> LogKey {
    "5a".repeat(32).parse().expect("a key")
}

/// The location that a child was given.
pub(crate) fn location(address: &str) -> StoreLocation {
    if address.starts_with("host=") {
        StoreLocation::Postgres(address.to_owned())
    } else {
        StoreLocation::Sqlite(address.into())
    }
}
