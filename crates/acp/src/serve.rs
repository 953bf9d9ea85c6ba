//! [`serve`]: speaks with the other end until it leaves.

use std::{
    io::{BufRead, Write},
    sync::Arc,
    time::Duration,
};

use serde_json::Value;

use crate::{
    Host,
    agent::Agent,
    client::Client,
    input::{LONGEST, Line, lines},
    rpc::{Incoming, RpcError},
};

/// How long runs that were stopped may take to come to their end, and what is left to say to be written.
const SETTLING: Duration = Duration::from_secs(20);
const WRITING: Duration = Duration::from_secs(5);

/// Speaks the protocol until there is no more input, nobody reads the output, or `stop` ends. Runs that go on then
/// are cancelled in good order.
pub async fn serve(
    host: Arc<dyn Host>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    stop: impl Future<Output = ()>,
) {
    let (client, is_written) = Client::new(output);
    let agent = Agent::new(host, client.clone());
    let mut lines = lines(input);
    let mut stop = std::pin::pin!(stop);
    loop {
        let line = tokio::select! {
            biased;
            () = &mut stop => break,
            () = client.gone() => break,
            line = lines.recv() => line,
        };
        match line {
            Some(line) => take(&agent, &client, line).await,
            None => break,
        }
    }
    if tokio::time::timeout(SETTLING, agent.close()).await.is_err() {
        tracing::warn!("runs were stopped and did not come to their end in time");
    }
    drop((agent, client));
    // Whoever does not read is not waited for.
    let _ = tokio::time::timeout(WRITING, is_written).await;
}

async fn take(agent: &Agent, client: &Client, line: Line) {
    let read = match line {
        Line::Whole(line) => Incoming::parse(&line),
        Line::TooLong => {
            let message = format!("a line has at most {} MiB", LONGEST >> 20);
            Err((Value::Null, RpcError::invalid_request(&message)))
        }
    };
    match read {
        Ok(Incoming::Request { id, method, params }) => agent.request(id, &method, params).await,
        Ok(Incoming::Notification { method, params }) => agent.notified(&method, params),
        Ok(Incoming::Response { id, outcome }) => client.answered(&id, outcome),
        Err((id, error)) => agent.respond(id, Err(error)).await,
    }
}
