//! A server whose tools are those that the conformance tests of the Model Context Protocol call. All but the tools is
//! what `toolwright serve` has: who may come in, the runs, the guards, the approvals, the log. Its prompts are the slash
//! commands of a project that it writes and stands in.
//!
//! Run it with a `HOME` that has no settings of yours in it. Prints the address of `/mcp`, and serves until its standard input ends.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod fixtures;
mod project;

use std::sync::Arc;

use toolwright_app::{AgentPool, AutoApprove, Config, Flags, PackRegistry};
use toolwright_demo::DemoPack;
use toolwright_server::{
    AuthMode, IdentityConfig, Limits, ManageMode, PendingApprovals, Server, Settings, Token,
};
use toolwright_telemetry::Metrics;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let (data, project) = (folder.path().join("data"), folder.path().join("project"));
    project::write(&project);
    std::env::set_current_dir(&project).unwrap();
    let flags = Flags {
        data: Some(data.clone()),
        model: Some("demo".to_owned()),
        task: Some("fixtures".to_owned()),
        ..Flags::default()
    };
    let packs = PackRegistry::default().with(fixtures::FixturePack).with(DemoPack);
    project::trust(&Config::load(&packs, &flags).unwrap(), &project);
    let config = Config::load(&packs, &flags).unwrap();
    let waiting = PendingApprovals::new(AutoApprove::Nothing);
    let asked = Arc::new(waiting.clone());
    let host = AgentPool::open(flags, config, asked, AutoApprove::Nothing, Vec::new()).await;
    let settings = Settings {
        address: ([127, 0, 0, 1], 0).into(),
        auth: AuthMode::Local,
        manage: ManageMode::No,
        identity: IdentityConfig::default(),
        token: Token::new("the-token-of-a-test-0123456789").unwrap(),
        hosts: Vec::new(),
        folder: data.join("server"),
        limits: Limits { runs_per_minute: None, ..Limits::default() },
    };
    let host = Arc::new(host.unwrap());
    let server =
        Server::bind(settings, host, waiting, Arc::new(Metrics::new()), None).await.unwrap();
    println!("http://localhost:{}/mcp", server.address().port());
    server
        .serve(async {
            let ended = || std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            let _ = tokio::task::spawn_blocking(ended).await;
        })
        .await;
}
