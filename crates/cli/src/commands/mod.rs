//! The commands, one file each.

mod ask;
mod chat;
mod conversations;
mod doctor;
mod tools;

use clap::CommandFactory;
use toolwright_app::Config;

use crate::{
    args::{Args, Command},
    exit::Exit,
    watch::Watch,
};

pub(crate) async fn run(args: Args) -> anyhow::Result<Exit> {
    if let Command::Completions { shell } = args.command {
        let mut command = Args::command();
        clap_complete::generate(shell, &mut command, "toolwright", &mut std::io::stdout());
        return Ok(Exit::Answered);
    }
    let config = Config::load(&args.flags())?;
    let watch = Watch::begin(&config).await?;
    let json = args.global.json;
    match args.command {
        Command::Ask { run, prompt } => ask::run(&config, &watch, &run, prompt, json).await,
        Command::Chat { run } => chat::run(&config, &watch, &run).await,
        Command::Conversations { command } => {
            conversations::run(&config, &watch, command, json).await
        }
        Command::Tools { command } => tools::run(&config, command, json).await,
        Command::Doctor { .. } => doctor::run(&config, json).await,
        Command::Completions { .. } => Ok(Exit::Answered),
    }
}
