//! [`announce`]: the commands that can be given in a session: to go on with a run, the project's and the user's
//! own, and the prompts of servers. [`said`]: what becomes of one.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{UserMessage, truncate_line};
use toolwright_store::ConversationStatus;

use crate::{
    CalledCommand, SessionCommand,
    client::Client,
    rpc::{RpcError, with},
    session::EditorSession,
    turn::tell,
};

/// The command that goes on with a run that was interrupted.
pub(crate) const RESUME: &str = "resume";
/// How many are told of, and how much of each, in characters.
const MOST: usize = 500;
const NAME: usize = 200;
const DESCRIPTION: usize = 500;
/// How much of what a command says is shown before it is asked, in characters.
const SHOWN: usize = 4_000;

/// Tells which commands can be given: at once those that are known, and again when servers have said what they have.
pub(crate) async fn announce(
    session: &Arc<EditorSession>,
    client: &Client,
    state: ConversationStatus,
) {
    let commands = session.opened().commands.clone();
    let known = commands.as_ref().map(|it| it.known()).unwrap_or_default();
    let update = available(state, &known);
    let _ = client.update(&session.id, update).await;
    let Some(commands) = commands else { return };
    let (session, client) = (session.clone(), client.clone());
    // Nobody waits for a server to be told of the rest.
    tokio::spawn(async move {
        let all = commands.all().await;
        // Something else may have been chosen meanwhile, which is told of on its own.
        let is_current =
            session.opened().commands.as_ref().is_some_and(|it| Arc::ptr_eq(it, &commands));
        if all != known && is_current {
            let _ = client.update(&session.id, available(state, &all)).await;
        }
    });
}

fn available(state: ConversationStatus, commands: &[SessionCommand]) -> Value {
    let resume = SessionCommand {
        name: RESUME.to_owned(),
        description: "Go on with the run that was interrupted".to_owned(),
        hint: None,
    };
    let resume = (state == ConversationStatus::Unfinished).then_some(&resume);
    // Another of that name is not reached.
    let others = commands.iter().filter(|it| it.name != RESUME);
    let all: Vec<_> = resume.into_iter().chain(others).take(MOST).map(listed).collect();
    json!({"sessionUpdate": "available_commands_update", "availableCommands": all})
}

fn listed(command: &SessionCommand) -> Value {
    let told = json!({
        "name": truncate_line(&command.name, NAME),
        "description": truncate_line(&command.description, DESCRIPTION),
    });
    match &command.hint {
        Some(hint) => with(told, "input", json!({"hint": truncate_line(hint, NAME)})),
        None => told,
    }
}

/// What the user says: what was typed, or what becomes of the command that it calls, which is shown.
pub(crate) async fn said(
    session: &EditorSession,
    client: &Client,
    typed: UserMessage,
) -> Result<UserMessage, RpcError> {
    let commands = session.opened().commands.clone();
    let Some(commands) = commands.filter(|_| typed.content.starts_with('/')) else {
        return Ok(typed);
    };
    let Some(called) = commands.call(&typed.content).await else { return Ok(typed) };
    let CalledCommand { message, shown } = called.map_err(|error| RpcError::of(&error))?;
    for line in &shown {
        let shown: String = line.chars().take(SHOWN).collect();
        tell(session, client, &shown).await;
    }
    Ok(typed.attachments.into_iter().fold(message, UserMessage::with_attachment))
}
