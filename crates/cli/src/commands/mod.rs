//! The commands, one file each.

mod approvals;
mod approving;
mod ask;
mod chat;
mod conversations;
mod doctor;
mod extract;
mod following;
mod market;
mod models;
mod serve;
mod sessions;
mod tools;
mod trust;
mod watch_history;

use clap::CommandFactory;
use toolwright_app::{AutoApprove, Config, Flags};

pub(crate) use self::{extract::Chunks, trust::offer as offer_trust};
use crate::{
    args::{Args, Command, ServerCommand},
    exit::Exit,
    style::out,
    watch::Watch,
};

pub(crate) async fn run(args: Args, config: &Config, watch: &Watch) -> anyhow::Result<Exit> {
    let (json, flags) = (args.global.json, args.flags());
    match args.command {
        Command::Ask { .. } | Command::Chat { .. } | Command::Serve { .. } => {
            talk(args.command, flags, config, watch, json).await
        }
        Command::Conversations { command } => {
            conversations::run(config, watch, command, json).await
        }
        Command::Server { command: ServerCommand::Sessions { command } } => {
            sessions::run(config, command.as_ref(), json)
        }
        Command::Approvals { command } => approvals::run(config, command.as_ref(), json),
        Command::Tools { command } => tools::run(config, command, json).await,
        Command::Extract(args) => extract::run(&args, json),
        Command::Market { command } => market::run(command, json).await,
        Command::Watch { command } => watch_history::run(config, command, json).await,
        Command::Models { command } => models::run(config, command.as_ref(), json).await,
        Command::Doctor { .. } => doctor::run(config, json).await,
        Command::Trust(args) => trust::run(config, &args, json),
        Command::Completions { shell } => completions(shell),
    }
}

/// The commands with which somebody talks to a model.
async fn talk(
    command: Command,
    flags: Flags,
    config: &Config,
    watch: &Watch,
    json: bool,
) -> anyhow::Result<Exit> {
    models::ready(config).await?;
    match command {
        Command::Ask { run, prompt } => ask::run(config, watch, &run, prompt, json).await,
        Command::Chat { run } => chat::run(config, watch, &run).await,
        Command::Serve { approve, .. } => {
            let beforehand = if approve { AutoApprove::Everything } else { AutoApprove::Nothing };
            serve::run(flags, config, watch, beforehand, json).await
        }
        _ => Ok(Exit::Usage),
    }
}

/// Prints the completion script of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    // Written to memory first: it breaks down where nobody reads it to its end.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "toolwright", &mut script);
    out(&String::from_utf8(script)?)?;
    Ok(Exit::Answered)
}
