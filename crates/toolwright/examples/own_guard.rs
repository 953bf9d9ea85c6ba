//! A guard of one's own: a rule every call must pass, told to the model when it does not.
//!
//!     cargo run --example own_guard

use toolwright::{
    guard::{CallCheck, Guard, Refusal},
    model::ModelResponse,
    prelude::*,
    run::Call,
    testing::Scripted,
};

/// Transfer an amount to an account.
#[tool]
fn transfer(amount: f64, account: String) -> String {
    format!("{amount:.2} transferred to {account}")
}

/// No transfer beyond a limit, whatever the model was talked into.
struct AtMost(f64);

impl Guard for AtMost {
    fn name(&self) -> &str {
        "at_most"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        match check.arguments["amount"].as_f64() {
            Some(amount) if amount > self.0 => {
                Err(Refusal::new(format!("{amount:.2} is more than may be transferred at once."))
                    .instead(format!("Transfer {:.2} at most, or ask the user.", self.0)))
            }
            _ => Ok(()),
        }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([
        ModelResponse::calls([Call::new("1", "transfer", r#"{"amount":5000,"account":"DE-77"}"#)]),
        ModelResponse::calls([Call::new("2", "transfer", r#"{"amount":100,"account":"DE-77"}"#)]),
        ModelResponse::text("I could only transfer 100.00."),
    ]);
    let agent = Agent::builder(model).discover_tools().guard(AtMost(100.0)).build()?;
    let mut run = agent.run("Send 5000 to DE-77");
    while let Some(event) = run.next().await {
        if let EventKind::CallFinished { status, guard, message, .. } = event.kind {
            let by = guard.map(|guard| format!(" by {guard}")).unwrap_or_default();
            println!("{status}{by}: {}", message.content());
        }
    }
    println!("{}", run.finish().await?.response);
    Ok(())
}
