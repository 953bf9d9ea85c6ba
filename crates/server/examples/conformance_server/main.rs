//! A server whose tools are those that the conformance tests of the Model Context Protocol call. All but the tools is
//! what `toolwright serve` has: who may come in, the runs, the guards, the approvals, the log.
//!
//! Prints the address of `/mcp`, and serves until its standard input ends.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod fixtures;

use std::sync::Arc;

use toolwright_app::{AgentPool, AutoApprove, Config, Flags, PackRegistry};
use toolwright_demo::DemoPack;
use toolwright_server::{AuthMode, Limits, PendingApprovals, Server, Settings, Token};
use toolwright_telemetry::Metrics;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("toolwright.toml");
    std::fs::write(&file, "[model]\nname = \"demo\"\n[embeddings]\nsource = \"off\"\n").unwrap();
    let flags = Flags {
        config: Some(file),
        data: Some(folder.path().join("data")),
        task: Some("fixtures".to_owned()),
        ..Flags::default()
    };
    let packs = PackRegistry::default().with(fixtures::FixturePack).with(DemoPack);
    let config = Config::load(&packs, &flags).unwrap();
    let waiting = PendingApprovals::new(AutoApprove::Nothing);
    let asked = Arc::new(waiting.clone());
    let host = AgentPool::open(flags, config, asked, AutoApprove::Nothing, Vec::new()).await;
    let settings = Settings {
        address: ([127, 0, 0, 1], 0).into(),
        auth: AuthMode::Local,
        token: Token::new("the-token-of-a-test-0123456789").unwrap(),
        hosts: Vec::new(),
        folder: folder.path().join("data/server"),
        limits: Limits { runs_per_minute: None, ..Limits::default() },
    };
    let host = Arc::new(host.unwrap());
    let server = Server::bind(settings, host, waiting, Arc::new(Metrics::new())).await.unwrap();
    println!("http://localhost:{}/mcp", server.address().port());
    server
        .serve(async {
            let ended = || std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            let _ = tokio::task::spawn_blocking(ended).await;
        })
        .await;
}
