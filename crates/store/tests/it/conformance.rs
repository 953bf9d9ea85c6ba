//! What both databases do, and do alike: each test runs on SQLite and on PostgreSQL.

mod attaching;
mod branching;
mod claiming;
mod deleting;
mod driving;
mod forking;
mod hearing;
mod importing;
mod leases;
mod loading;
mod logging;
mod owners;
mod queueing;
mod renaming;
mod ruling;
mod searching;
mod using;

/// Makes a test for each database of every function named.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::common::place::Place::sqlite()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::common::place::Place::postgres().await).await;
            })*
        }
    };
}
use on_both;
