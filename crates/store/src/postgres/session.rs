//! [`Session`]: one connection to the server, and what the server's errors mean.

use std::{
    collections::HashMap,
    error::Error as _,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use futures_util::future::poll_fn;
use tokio::{sync::mpsc::UnboundedSender, task::JoinHandle, time::Instant};
use tokio_postgres::{AsyncMessage, Client, Row, Statement, types::ToSql};

use super::{Settings, tls};
use crate::{Refusal, StoreError};

/// One connection to the server. Statements are prepared once.
pub(super) struct Session {
    client: Client,
    statements: Mutex<HashMap<&'static str, Statement>>,
    connection: JoinHandle<()>,
    /// How long an answer may take.
    limit: Option<Duration>,
}

pub(super) type Values<'a> = [&'a (dyn ToSql + Sync)];

/// Time between attempts to connect: short at first, then longer.
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);

/// For how many milliseconds a transaction may wait for its client.
const STOPPED: u32 = 10_000;

impl Session {
    pub(super) async fn open(settings: &Settings) -> Result<Self, StoreError> {
        Self::within(settings, Self::connect(settings, None)).await
    }

    /// One that passes on what is told in the log, as long as it lives.
    pub(super) async fn listening(
        settings: &Settings,
        heard: UnboundedSender<String>,
    ) -> Result<Self, StoreError> {
        Self::within(settings, async {
            let session = Self::connect(settings, Some(heard)).await?;
            session.batch("LISTEN toolwright").await.map(|()| session)
        })
        .await
    }

    async fn within(
        settings: &Settings,
        opening: impl Future<Output = Result<Self, StoreError>>,
    ) -> Result<Self, StoreError> {
        match tokio::time::timeout(settings.timeouts.lost, opening).await {
            Ok(session) => session,
            Err(_) => Err(no_answer()),
        }
    }

    /// Tries again while the server is away, until `deadline`.
    pub(super) async fn open_by(
        settings: &Settings,
        deadline: Instant,
    ) -> Result<Self, StoreError> {
        let mut wait = FIRST;
        loop {
            let opened = tokio::time::timeout_at(deadline, Self::open(settings)).await;
            match opened.unwrap_or_else(|_| Err(no_answer())) {
                Err(StoreError::Lost(_)) if Instant::now() + wait < deadline => {
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(LONGEST);
                }
                opened => return opened,
            }
        }
    }

    async fn connect(
        settings: &Settings,
        heard: Option<UnboundedSender<String>>,
    ) -> Result<Self, StoreError> {
        let connected = settings.config.connect(settings.tls.clone()).await;
        let (client, mut connection) = connected.map_err(|it| error(&it))?;
        let connection = tokio::spawn(async move {
            while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
                match message {
                    Ok(AsyncMessage::Notification(it)) => {
                        let heard = heard.as_ref().map(|heard| heard.send(it.payload().to_owned()));
                        drop(heard);
                    }
                    Ok(_) => {}
                    Err(error) => {
                        tracing::debug!(%error, "the connection to PostgreSQL ended");
                        return;
                    }
                }
            }
        });
        let session = Self { client, statements: Mutex::default(), connection, limit: None };
        // What is acknowledged is durable, whatever the server's default; a peer that vanished does not
        // keep its locks for hours, and one that was stopped in the middle of a transaction not for long. Rows are
        // locked where that is needed: a stricter isolation would only have writers fail who are in nobody's way.
        session
            .batch(&format!(
                "SET search_path = toolwright; SET lock_timeout = {};
                 SET default_transaction_isolation = 'read committed';
                 SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
                 SET tcp_keepalives_count = 3; SET idle_in_transaction_session_timeout = {STOPPED};
                 SELECT set_config('synchronous_commit', 'on', false)
                 WHERE current_setting('synchronous_commit') = 'off'",
                settings.timeouts.locked.as_millis().max(1)
            ))
            .await?;
        Ok(session)
    }

    /// The same, where an answer takes no longer than this: then the connection is taken for lost.
    pub(super) fn answering_within(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }

    async fn answered<T>(
        &self,
        asked: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, StoreError> {
        let answer = match self.limit {
            Some(limit) => tokio::time::timeout(limit, asked).await.map_err(|_| no_answer())?,
            None => asked.await,
        };
        answer.map_err(|it| error(&it))
    }

    /// Ready when the connection has ended.
    pub(super) async fn ended(&mut self) {
        let _ = (&mut self.connection).await;
    }

    /// Several statements at once, without values.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        self.answered(self.client.batch_execute(sql)).await
    }

    pub(super) async fn query(
        &self,
        sql: &'static str,
        values: &Values<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.statement(sql).await?;
        self.answered(self.client.query(&statement, values)).await
    }

    pub(super) async fn execute(
        &self,
        sql: &'static str,
        values: &Values<'_>,
    ) -> Result<u64, StoreError> {
        let statement = self.statement(sql).await?;
        self.answered(self.client.execute(&statement, values)).await
    }

    async fn statement(&self, sql: &'static str) -> Result<Statement, StoreError> {
        let known = || self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = known().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.answered(self.client.prepare(sql)).await?;
        known().insert(sql, statement.clone());
        Ok(statement)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The server may never answer what is still open.
        self.connection.abort();
    }
}

pub(super) fn no_answer() -> StoreError {
    StoreError::Lost("the server does not answer".to_owned())
}

/// What an error of the server's, or of the way to it, means.
pub(super) fn error(error: &tokio_postgres::Error) -> StoreError {
    let Some(said) = error.as_db_error() else {
        let source = error.source();
        if let Some(problem) = source.and_then(tls::problem) {
            return problem;
        }
        let text = source.map_or_else(|| error.to_string(), |it| format!("{error}: {it}"));
        // The client finds that out by itself.
        if text.contains("password missing") {
            let what = "it wants a password, and the address has none".to_owned();
            return StoreError::Refused { what, why: Refusal::Password };
        }
        let is_io = source.is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
        return if error.is_closed() || is_io {
            StoreError::Lost(text)
        } else {
            StoreError::Unavailable(text)
        };
    };
    let text = said.message().to_owned();
    match said.code().code() {
        // The server goes down or comes up, or the connection is cut; or it had to undo the transaction
        // for somebody else's sake, or because its client was stopped: whatever was sent may be sent again.
        code if code.starts_with("57P") || code.starts_with("08") => StoreError::Lost(text),
        "25P03" | "40001" | "40P01" => StoreError::Lost(text),
        // It was to let in whoever comes encrypted, and this one did not.
        "28000" if text.contains("no encryption") => StoreError::Tls {
            what: text,
            advice: "the server takes nobody who comes unencrypted: write sslmode=require, or better \
                     sslmode=verify-full, in the address",
        },
        "53100" => StoreError::Full(text),
        "55P03" | "57014" => StoreError::Busy,
        code if code.starts_with("XX") => StoreError::damaged(text),
        code => match Refusal::of_code(code) {
            Some(Refusal::ReadOnly) => read_only(),
            Some(why) => StoreError::Refused { what: text, why },
            None => StoreError::Unavailable(text),
        },
    }
}

/// A server that can be read and not written. Which statement it refused says nothing.
pub(super) fn read_only() -> StoreError {
    let what = "it takes no changes: transactions are read-only there (a standby, or default_transaction_read_only is on)";
    StoreError::Refused { what: what.to_owned(), why: Refusal::ReadOnly }
}
