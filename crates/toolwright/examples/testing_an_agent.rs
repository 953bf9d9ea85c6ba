//! Testing an agent: the model says what the test wrote down, everything else is real.
//!
//!     cargo test --example testing_an_agent
//!     cargo run --example testing_an_agent
//!
//! Look at the tests at the end: a script drives the real loop, with the real checks and the real tools, and the test
//! looks at what the model was sent, at the calls, and at the conversation.

use serde::Serialize;
use toolwright::{
    approval::{Approver, DenyAll},
    model::ModelResponse,
    prelude::*,
    testing::Scripted,
};

/// Refund an order.
#[tool(destructive, manual)]
fn refund(#[tool(grounded)] order: String) -> String {
    format!("{order} is refunded")
}

/// Find the orders of a customer.
#[tool(read_only, manual)]
fn find_orders(customer: String) -> Vec<Order> {
    ["1001", "1002"].map(|number| Order { order: format!("{customer}-{number}") }).into()
}

#[derive(Serialize)]
struct Order {
    order: String,
}

/// The agent under test. A program hands it `Endpoint::from_env()?` and somebody to ask, a test its script.
fn assistant(
    model: impl Model + 'static,
    approver: impl Approver + 'static,
) -> anyhow::Result<Agent> {
    let agent = Agent::builder(model)
        .system("You help customers.")
        .tools([find_orders::tool(), refund::tool()])
        .approver(approver)
        .build()?;
    Ok(agent)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let model = Scripted::new([ModelResponse::text("Good morning.")]);
    let answer = assistant(model, DenyAll)?.run("Hello").await?;
    println!("{}", answer.response);
    println!("Run its tests: cargo test --example testing_an_agent");
    Ok(())
}

#[cfg(test)]
mod tests {
    use toolwright::{
        approval::AllowAll,
        model::{ModelError, ModelErrorKind},
        run::Call,
        testing::forbid_real_requests,
        tool::Status,
    };

    use super::*;

    fn call(id: &str, tool: &str, arguments: &str) -> ModelResponse {
        ModelResponse::calls([Call::new(id, tool, arguments)])
    }

    #[tokio::test]
    async fn a_refund_of_an_order_that_was_found_goes_through() {
        // Whatever a test forgets to script cannot reach a provider.
        forbid_real_requests();
        let model = Scripted::new([
            call("1", "find_orders", r#"{"customer":"ann"}"#),
            call("2", "refund", r#"{"order":"ann-1001"}"#),
            ModelResponse::text("ann-1001 is refunded."),
        ]);
        let agent = assistant(model.clone(), AllowAll).unwrap();
        let mut run = agent.run("Refund my last order, I am ann.");
        assert_eq!(run.finish().await.unwrap().response, "ann-1001 is refunded.");

        let conversation = run.conversation().unwrap();
        assert!(conversation.called_all(&["find_orders", "refund"]));
        assert_eq!(conversation.value::<String>("find_orders", "/0/order").unwrap(), "ann-1001");
        // Every reply was used, and the model was not asked again.
        model.assert_complete();
    }

    #[tokio::test]
    async fn nobody_approves_so_nothing_is_refunded() {
        let model = Scripted::new([
            call("1", "find_orders", r#"{"customer":"ann"}"#),
            call("2", "refund", r#"{"order":"ann-1001"}"#),
            ModelResponse::text("I may not do that."),
        ]);
        let answer = assistant(model, DenyAll).unwrap().run("Refund ann-1001.").await.unwrap();
        assert_eq!(answer.tool_calls[1].status, Status::Denied);
        assert_eq!(answer.tools_executed, 1);
    }

    #[tokio::test]
    async fn an_order_that_the_model_made_up_is_refused_and_it_is_told_which_exist() {
        let model = Scripted::new([
            call("1", "find_orders", r#"{"customer":"ann"}"#),
            call("2", "refund", r#"{"order":"ann-9999"}"#),
            ModelResponse::text("Which of them?"),
        ]);
        assistant(model.clone(), DenyAll).unwrap().run("Refund my order, I am ann.").await.unwrap();
        let asked = model.asked();
        let last = asked.last().unwrap().conversation.messages().last().unwrap();
        assert!(last.content().contains("ann-1001"), "{}", last.content());
    }

    #[tokio::test]
    async fn a_provider_that_is_down_is_told_in_one_line() {
        let model = Scripted::default()
            .then_fail(ModelError::new(ModelErrorKind::Server, "the provider is in trouble"));
        let failure = assistant(model, DenyAll).unwrap().run("Hello").await.unwrap_err();
        assert_eq!(failure.to_string(), "the provider is in trouble");
    }
}
