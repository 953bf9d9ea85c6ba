//! The commands, one file each.

#[cfg_attr(not(feature = "acp"), path = "no_acp.rs")]
mod acp;
mod again;
mod approvals;
mod approving;
mod ask;
mod attaching;
mod chat;
mod connecting;
mod conversations;
mod doctor;
#[cfg_attr(not(feature = "durable"), path = "no_engine.rs")]
mod engine;
mod extract;
mod following;
mod looking;

#[cfg_attr(not(feature = "mcp"), path = "no_mcp.rs")]
mod mcp;
mod models;
mod questions;
mod replay;
#[cfg_attr(not(feature = "server"), path = "no_server.rs")]
mod server;
mod slash;
mod tasks;
mod tools;
mod transcript;
mod trust;
mod versions;
mod waiting;

use toolwright_app::{Config, Flags};
use toolwright_core::ActionableError;
use toolwright_store::Store;

pub(crate) use self::{extract::Chunks, trust::offer as offer_trust};
use crate::{
    args::{Command, ServerCommand},
    error::Result,
    exit::Exit,
    packs::{CommandContext, Packs},
    style::{DIM, END, WARN, line, out},
    typed::{self, Typed},
    watch::Watch,
};

/// The log, for whoever only reads it: also one that others have another key to, which is told.
async fn store_to_read(config: &Config) -> Result<Store> {
    let store = config.look_into_store().await?;
    if let Err(error) = store.check_key().await {
        let advice = error.advice().unwrap_or_default();
        line(&format!("{WARN}!{END} {error}: it can only be read. {DIM}{advice}{END}"));
    }
    Ok(store)
}

/// A log that can be read and not written, on a standby say, keeps nobody from starting: that may be over in a moment.
#[cfg(any(feature = "server", feature = "durable"))]
async fn tell_if_unusable(store: &Store) {
    if let Err(error) = store.check().await {
        let advice = error.advice().unwrap_or_default();
        line(&format!("{WARN}!{END} {error}. What to do: {advice}."));
    }
}

pub(crate) async fn run(
    typed: Typed,
    flags: Flags,
    config: &Config,
    watch: &Watch,
) -> Result<Exit> {
    let json = typed.args.global.json;
    if let Some((command, matches)) = &typed.of_pack {
        (command.run)(CommandContext::new(config, matches, json)).await?;
        return Ok(Exit::Answered);
    }
    let Some(command) = typed.args.command else { return Ok(Exit::Usage) };
    match command {
        // It asks no model.
        Command::Worker(args) if args.register_only.is_some() => {
            engine::worker(flags, config, watch, &args, json).await
        }
        Command::Ask { .. } | Command::Chat { .. } | Command::Serve(_) | Command::Worker(_) => {
            talk(command, flags, config, watch, json).await
        }
        Command::Acp(_) => acp::run(flags, config, watch).await,
        Command::Conversations { command } => {
            conversations::run(config, watch, command, json).await
        }
        Command::Server { command: ServerCommand::Sessions { command } } => {
            server::sessions(config, command.as_ref(), json).await
        }
        Command::Tokens { command } => server::tokens(config, command.as_ref(), json).await,
        Command::Replay(args) => replay::run(config, &args, json).await,
        Command::Approvals { command } => approvals::run(config, command.as_ref(), json).await,
        Command::Tools { command } => tools::run(config, watch, command, json).await,
        Command::Tasks { command } => tasks::run(config, command, json),
        Command::Extract(args) => extract::run(&args, json),
        Command::Models { command } => models::run(config, command.as_ref(), json).await,
        Command::Mcp { command } => mcp::run(config, watch, command, json).await,
        Command::Doctor { .. } => doctor::run(config, json).await,
        Command::Trust(args) => trust::run(config, &args, json),
        // Done before settings were read.
        Command::Completions { .. } => Ok(Exit::Usage),
    }
}

/// The commands with which somebody talks to a model.
async fn talk(
    command: Command,
    flags: Flags,
    config: &Config,
    watch: &Watch,
    json: bool,
) -> Result<Exit> {
    models::ready(config).await?;
    if let Some(tape) = config.cassette.as_ref().filter(|it| !json && !it.is_replayed()) {
        line(&format!("{DIM}recording to {}{END}", tape.path.display()));
    }
    match command {
        Command::Ask { run, schema, without, prompt } => {
            let asked = ask::Asked { prompt, schema, without };
            ask::run(config, watch, &run, asked, json).await
        }
        Command::Chat { run, chat } => chat::run(config, flags, watch, &run, &chat).await,
        Command::Serve(args) => server::serve(flags, config, watch, args, json).await,
        Command::Worker(args) => engine::worker(flags, config, watch, &args, json).await,
        _ => Ok(Exit::Usage),
    }
}

/// Prints the completion script of a shell.
pub(crate) fn completions(packs: &Packs, shell: clap_complete::Shell) -> Result<Exit> {
    // Written to memory first: it breaks down where nobody reads it to its end.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut typed::command(packs), "toolwright", &mut script);
    out(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Answered)
}
