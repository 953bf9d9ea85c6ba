//! [`PostgresServer`]: a throwaway PostgreSQL server, which ends when the process that started it does.
#![allow(clippy::expect_used, clippy::panic, reason = "without a database there is no test to run")]

use std::{
    ffi::OsStr,
    net::TcpListener,
    path::Path,
    process::{Command, Stdio},
    sync::OnceLock,
};

use crate::keeper::Keeper;

/// A throwaway PostgreSQL server, which `scripts/postgres.sh` of this repository starts.
#[derive(Debug)]
pub struct PostgresServer {
    /// How to connect.
    pub address: String,
    keeper: Keeper,
}

impl PostgresServer {
    /// The one that all tests of a program share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<PostgresServer> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// One of its own.
    ///
    /// # Panics
    /// When there is no PostgreSQL; it says what to install.
    pub fn start() -> Self {
        Self::with(&[]).unwrap_or_else(|said| {
            panic!("PostgreSQL could not be started; scripts/postgres.sh said:\n{said}")
        })
    }

    /// One of its own that also listens on a port of this machine, and speaks TLS there where it is given a
    /// certificate and a key, as files. With the port.
    ///
    /// # Panics
    /// As [`PostgresServer::start`].
    pub fn listening(tls: Option<(&Path, &Path)>) -> (Self, u16) {
        let mut said = String::new();
        // A port that is free now may be taken a moment later.
        for _ in 0..5 {
            let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|it| it.local_addr());
            let port = free.expect("a free port").port();
            let (number, files) =
                (port.to_string(), tls.map(|(a, b)| [a.as_os_str(), b.as_os_str()]));
            let mut options = vec![OsStr::new("--port"), OsStr::new(&number)];
            if let Some(files) = &files {
                options.push(OsStr::new("--tls"));
                options.extend(files);
            }
            match Self::with(&options) {
                Ok(server) => return (server, port),
                Err(why) => said = why,
            }
        }
        panic!("PostgreSQL could not be started; scripts/postgres.sh said:\n{said}");
    }

    fn with(options: &[&OsStr]) -> Result<Self, String> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres.sh");
        let mut command = Command::new("sh");
        let keeper = Keeper::start(command.arg(script).args(options).stderr(Stdio::piped()));
        match keeper.line().strip_prefix("ready ") {
            Some(address) => Ok(Self { address: address.trim().to_owned(), keeper }),
            None => Err(keeper.failure()),
        }
    }

    /// Stops it as a power cut would.
    pub fn crash(&self) {
        self.keeper.tell("crash");
    }

    /// Starts it again.
    pub fn restart(&self) {
        self.keeper.tell("start");
    }

    /// Every process of it.
    pub fn processes(&self) -> Vec<String> {
        let home = self.address.split_whitespace().find_map(|it| it.strip_prefix("host="));
        let pid = std::path::Path::new(home.expect("a folder")).join("data/postmaster.pid");
        let pid = std::fs::read_to_string(pid).expect("it runs");
        let pid = pid.lines().next().expect("a number").to_owned();
        let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let children = children.expect("this is Linux");
        let mut all = vec![pid];
        all.extend(children.split_whitespace().map(str::to_owned));
        all
    }
}
