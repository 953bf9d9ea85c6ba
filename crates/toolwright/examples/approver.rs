//! Approvals: a tool that changes something waits until somebody decided.
//!
//!     cargo run --example approver

use std::sync::Arc;

use futures_util::future::BoxFuture;
use toolwright::{
    approval::{ApprovalRequest, Approver, Decision, Rule, RuleApprover, RuleVerdict, Rules},
    model::ModelResponse,
    prelude::*,
    run::Call,
    testing::Scripted,
};

/// Delete a file.
#[tool(destructive)]
fn delete(path: String) -> String {
    format!("{path} is gone")
}

/// Asks at the terminal, in a real program; says no to everything here.
struct AtTerminal;

impl Approver for AtTerminal {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Decision> {
        println!("{} {}? no", request.call.tool, request.call.arguments);
        Box::pin(async { Decision::deny("The user wants to keep it.") })
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([
        ModelResponse::calls([
            Call::new("1", "delete", r#"{"path":"build/main.o"}"#),
            Call::new("2", "delete", r#"{"path":"src/main.rs"}"#),
        ]),
        ModelResponse::text("I deleted build/main.o. You wanted to keep src/main.rs."),
    ]);
    // What a rule allows runs without a question; whoever is behind the rules decides the rest.
    let built = Rule::new(RuleVerdict::Allow, "delete").pattern("path=build/*");
    let rules = Arc::new(Rules::new(vec![built]));
    let agent = Agent::builder(model)
        .discover_tools()
        .approver(RuleApprover::new(rules, AtTerminal))
        .build()?;
    let answer = agent.run("Clean up.").await?;
    for call in &answer.tool_calls {
        println!("{} {}: {}", call.tool, call.args, call.status);
    }
    println!("{}", answer.response);
    Ok(())
}
