//! A model of one's own: whatever reads a conversation and says what comes next.
//!
//!     cargo run --example own_model
//!
//! Look at `impl Model`: a request in, a stream of pieces out, the last of them the whole reply. Checks, rounds,
//! events and storage are the same for it as for every other model.

use futures_util::stream;
use toolwright::{
    model::{ModelDelta, ModelRequest, ModelResponse, ModelStream},
    prelude::*,
    run::Call,
};

/// Roll a die with this many sides.
#[tool(read_only)]
fn roll(#[tool(range(min = 2, max = 100))] sides: u32) -> String {
    // No die at all, so that this program always says the same.
    format!("{}", sides / 2)
}

/// Understands one kind of sentence: "Roll a d20".
struct DiceMaster;

impl DiceMaster {
    /// What it says next: a call for a question, an answer once there is a result.
    fn reply(conversation: &Conversation) -> ModelResponse {
        match conversation.messages().last().map(|last| &**last) {
            Some(Message::Tool(result)) => {
                ModelResponse::text(format!("You rolled {}.", result.outcome.text))
            }
            Some(Message::User(said)) => match said.content.split_once('d') {
                Some((_, sides)) => {
                    let arguments = format!(r#"{{"sides":{sides}}}"#);
                    ModelResponse::calls([Call::new("roll-1", "roll", arguments)])
                }
                None => ModelResponse::text("Say which die, for example: Roll a d20"),
            },
            _ => ModelResponse::text("Say something."),
        }
    }
}

impl Model for DiceMaster {
    fn name(&self) -> &str {
        "example:dice-master"
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let reply = Self::reply(request.conversation);
        // Pieces are for those who watch; what counts is the reply at the end.
        let mut parts: Vec<_> = reply
            .text
            .split_inclusive(' ')
            .map(|word| Ok(ModelDelta::Text(word.to_owned())))
            .collect();
        parts.push(Ok(ModelDelta::Response(reply)));
        Box::pin(stream::iter(parts))
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let agent = Agent::builder(DiceMaster).discover_tools().build()?;
    for prompt in ["Roll a d20", "Roll a d1000", "Hello"] {
        let answer = agent.run(prompt).await?;
        let calls: Vec<_> = answer.tool_calls.iter().map(|call| call.status.to_string()).collect();
        println!("{prompt} {calls:?} {}", answer.response.lines().next().unwrap_or_default());
    }
    Ok(())
}
