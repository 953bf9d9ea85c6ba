//! [`work`]: the prompts of a session, one after another: each a run that is followed to its end.

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
};

use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolwright_runtime::RunStream;

use crate::{
    answer::StopReason,
    client::Client,
    commands::{announce, said},
    listing::moment,
    offers,
    permission::Asked,
    replay::recall,
    rpc::RpcError,
    session::{EditorSession, Turn, TurnPrompt},
    updates::{Telling, Updates, notice},
};

/// Works on the prompts of a session until it is closed.
pub(crate) async fn work(
    session: Arc<EditorSession>,
    mut turns: mpsc::UnboundedReceiver<Turn>,
    client: Client,
) {
    let mut has_told = false;
    while let Some(turn) = turns.recv().await {
        if !std::mem::replace(&mut has_told, true) {
            tell_notices(&session, &client).await;
        }
        // A fault of our own ends one prompt, and neither the session nor the silence of whoever waits.
        let end = AssertUnwindSafe(answer(&session, &turn, &client)).catch_unwind().await;
        let end = end.unwrap_or_else(|_| Err(fault()));
        session.is_over(&turn.request);
        client.respond(turn.request, end.map(StopReason::json)).await;
    }
}

fn fault() -> RpcError {
    RpcError::internal("Toolwright has a fault, which ended this prompt")
        .advice(Some("its standard error says where: report that line; the session can be used"))
}

/// What the user should know of the session, before its first answer: until then some editors show nothing.
async fn tell_notices(session: &EditorSession, client: &Client) {
    for line in &session.opened().notices {
        tell(session, client, line).await;
    }
}

/// Tells the user something that is no part of the conversation.
pub(crate) async fn tell(session: &EditorSession, client: &Client, line: &str) {
    let update = match client.capabilities().notices {
        true => notice(line),
        false => json!({
            "sessionUpdate": "agent_thought_chunk", "messageId": "notices",
            "content": {"type": "text", "text": format!("[{line}]\n")},
        }),
    };
    let _ = client.update(&session.id, update).await;
}

/// Answers one prompt.
async fn answer(
    session: &Arc<EditorSession>,
    turn: &Turn,
    client: &Client,
) -> Result<StopReason, RpcError> {
    if turn.cancel.is_cancelled() {
        return Ok(StopReason::Cancelled);
    }
    let opened = session.opened();
    if !offers::settle(session, turn, client).await {
        return Ok(StopReason::Cancelled);
    }
    let context = opened.context.clone();
    let window = opened.session.agent().settings().window.tokens;
    let telling = Telling::Live { notices: client.capabilities().notices };
    let mut updates = Updates::new(telling, session.folder(), window);
    let started = match &turn.prompt {
        TurnPrompt::Ask(typed) => {
            let asked = said(session, client, typed.clone()).await?;
            opened.session.ask(Some(&session.id), asked, context).await.map(Some)
        }
        TurnPrompt::Resume => {
            // Its calls were told before it was interrupted.
            recall(session, &mut updates).await?;
            opened.session.resume(&session.id, context).await
        }
    };
    let Some(started) = started.map_err(|error| RpcError::of(&error))? else {
        let nothing = "No run was interrupted in this session.";
        let update = json!({
            "sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": nothing},
        });
        let _ = client.update(&session.id, update).await;
        return Ok(StopReason::EndTurn);
    };
    let end = follow(session, turn, client, started.running, updates).await;
    tell_info(session, client).await;
    end
}

/// Tells of a run to its end, and passes its questions on. Everything that happened before a question is told
/// before it.
async fn follow(
    session: &EditorSession,
    turn: &Turn,
    client: &Client,
    mut run: RunStream,
    mut updates: Updates,
) -> Result<StopReason, RpcError> {
    let cancel = run.cancel();
    let mut questions = session.approver.follow();
    let mut asked = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            event = run.next() => {
                let Some(event) = event else { break };
                if turn.cancel.is_cancelled() {
                    // Where one event comes after another nothing else gets its turn.
                    cancel.cancel();
                }
                for update in updates.add(&event) {
                    if client.update(&session.id, update).await.is_err() {
                        // Nobody is there any more: the run is settled, and nobody is told.
                        cancel.cancel();
                    }
                }
            }
            Some(question) = questions.recv() => {
                let (run, call) = question.call();
                let call = updates.call_id(run, call);
                asked.push(ask(session, client, question, call));
            }
            Some(()) = asked.next() => {}
            () = turn.cancel.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
        }
    }
    match updates.end() {
        // Whatever came of it: whoever asked it to stop is told that it did.
        _ if turn.cancel.is_cancelled() => Ok(StopReason::Cancelled),
        Some(end) => end.clone(),
        None => Err(RpcError::internal("the run stopped before its end")),
    }
}

/// Asks the user about a call, or what its tool wants to know. `call` is what the editor knows it by.
async fn ask(session: &EditorSession, client: &Client, asked: Asked, call: String) {
    let (method, params) = match &asked {
        Asked::Permission(question) => {
            let params = question.params(&session.id, &call, &session.folder());
            ("session/request_permission", params)
        }
        Asked::Form(question) => ("elicitation/create", question.params(&session.id, &call)),
    };
    let outcome = match client.ask(method, params).await {
        Ok(reply) => reply.await,
        Err(_) => None,
    };
    match asked {
        Asked::Permission(question) => question.answer(outcome, session).await,
        Asked::Form(question) => question.answer(outcome),
    }
}

/// What the session is called, and that no run is left to go on with.
async fn tell_info(session: &Arc<EditorSession>, client: &Client) {
    let opened = session.opened();
    let Ok(summary) = opened.session.store().find(session.id.as_str()).await else { return };
    let info: Value = json!({
        "sessionUpdate": "session_info_update", "title": summary.title,
        "updatedAt": moment(summary.updated_at),
    });
    let _ = client.update(&session.id, info).await;
    if session.offers_resume.swap(false, Ordering::Relaxed) {
        announce(session, client, summary.state).await;
    }
}
