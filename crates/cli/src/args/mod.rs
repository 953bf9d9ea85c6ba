//! [`Args`]: what can be typed.

mod conversations;
mod manage;
mod mcp;
mod run;
mod serve;
mod tools;
mod worker;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use toolwright_app::Flags;

#[cfg(feature = "mcp")]
pub(crate) use self::mcp::{McpAddArgs, McpLoginArgs, McpServeArgs};
#[cfg(feature = "server")]
pub(crate) use self::serve::DaprArgs;
pub(crate) use self::{
    conversations::ConversationsCommand,
    manage::{ApprovalsCommand, ModelsAddArgs, ModelsCommand, TasksCommand, TrustArgs},
    mcp::McpCommand,
    run::{AcpArgs, ChatArgs, ReplayArgs, RunArgs},
    serve::{ServeArgs, ServerCommand, SessionsCommand, TokenAddArgs, TokensCommand},
    tools::{ExtractArgs, ToolsCommand},
    worker::WorkerArgs,
};
use crate::exit::Output;

/// Ask a model that can call tools, and watch it happen.
///
/// Without a configured model a small one in this process answers; it is fetched once. To connect
/// another, set OPENAI_API_BASE (any OpenAI-compatible server), OPENAI_API_KEY and
/// TOOLWRIGHT_MODEL; `toolwright doctor` checks them.
#[derive(Debug, Parser)]
#[command(name = "toolwright", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    /// None where it is one of a pack's.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  toolwright chat
  toolwright serve
  toolwright ask \"What's the weather in San Francisco and a 20% tip on $45.60?\"
  git diff | toolwright ask \"What does this change?\"
  toolwright ask --schema city.json \"Which city has the most bridges?\"
  toolwright ask --task trading \"What's the current price of NIFTY?\"
  toolwright chat --workspace .
  toolwright tasks new release-notes
  toolwright ask --task history \"What did I watch about cooking?\"
  toolwright ask --cassette weather.jsonl \"What's the weather in Rome?\"
  toolwright conversations search weather
  toolwright replay conv_okpg
  toolwright extract --tools tools.json < reply.txt
  toolwright tools call calculate_tip '{\"amount\": 45.6}'
  toolwright trust
  toolwright doctor";

#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// Settings are read from this file [default: the user's, and ./toolwright.toml where
    /// it is trusted]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data is kept in this folder
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// How much is logged: off, error, warn, info, debug, trace
    #[arg(long, global = true, value_name = "LEVEL")]
    log: Option<String>,
    /// Output for programs: JSON instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Ask one question: the answer goes to standard output, the steps to standard error
    Ask {
        #[command(flatten)]
        run: RunArgs,
        /// The answer is JSON that fits this JSON Schema, and nothing else is on standard output: a file, or
        /// the schema itself
        #[arg(long, value_name = "FILE|JSON", conflicts_with = "single_shot")]
        schema: Option<String>,
        /// Leave a tool out of this question: the model is not offered it; may be given several times
        #[arg(long, value_name = "TOOL")]
        without: Vec<String>,
        /// The question; `-`, or nothing, reads it from standard input
        prompt: Vec<String>,
    },
    /// Talk in the terminal
    Chat {
        #[command(flatten)]
        run: RunArgs,
        #[command(flatten)]
        chat: ChatArgs,
    },
    /// Let an editor drive runs, over the Agent Client Protocol at standard input and output
    Acp(AcpArgs),
    /// Serve the page and the API
    Serve(ServeArgs),
    /// Drive runs for servers on as many machines as you like, with an engine that outlives each of them
    ///
    /// A server that was started with `--engine restate` only begins runs. Restate, an engine that you run beside
    /// it, then finds a worker for each of them; where one dies another goes on from the log, which all of them share
    /// in PostgreSQL (DATABASE_URL). Settings, packs and keys must be the same on all of them.
    Worker(WorkerArgs),
    /// See which browsers a server lets in, or sign them out
    Server {
        #[command(subcommand)]
        command: ServerCommand,
    },
    /// List, make or remove tokens that let people and programs in by name
    Tokens {
        #[command(subcommand)]
        command: Option<TokensCommand>,
    },
    /// List, read, search, export, resume or delete what was kept
    #[command(visible_alias = "conv")]
    Conversations {
        #[command(subcommand)]
        command: ConversationsCommand,
    },
    /// Ask the questions of a conversation again, and show what is not as it was
    ///
    /// No tool is run: calls return what the log says they returned, and a call that it does not have is told
    /// so. What was recorded answers, which shows what became of your tools, guards and settings since; with
    /// --model that model does, which shows how it would have done. Nothing is kept. Ends with 0 where all is
    /// the same, with 1 where something is not.
    Replay(ReplayArgs),
    /// List what was approved with "always", or take it back
    Approvals {
        #[command(subcommand)]
        command: Option<ApprovalsCommand>,
    },
    /// List the tools, call one, or see how a model is told of them
    Tools {
        #[command(subcommand)]
        command: ToolsCommand,
    },
    /// Find the calls in the text of a model that only writes text
    Extract(ExtractArgs),
    /// List the tasks, show one, write one, or look for mistakes in them
    Tasks {
        #[command(subcommand)]
        command: Option<TasksCommand>,
    },
    /// Show what can answer, test and connect a model, or fetch the offline one
    Models {
        #[command(subcommand)]
        command: Option<ModelsCommand>,
    },
    /// Use the tools of MCP servers: add, look at and approve them; or serve the tools here to other programs
    Mcp {
        #[command(subcommand)]
        command: McpCommand,
    },
    /// Show what is configured, what answers, what is missing and how to fix it
    Doctor {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Show what the toolwright.toml of a folder would change, and trust it
    Trust(TrustArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Global {
    fn flags(&self) -> Flags {
        Flags {
            config: self.config.clone(),
            data: self.data.clone(),
            log: self.log.clone(),
            ..Flags::default()
        }
    }
}

impl Args {
    /// Who reads what the command writes.
    pub(crate) fn output(&self) -> Output {
        let runs = matches!(
            self.command,
            Some(
                Command::Ask { .. }
                    | Command::Conversations { command: ConversationsCommand::Resume { .. } }
            )
        );
        if runs && self.global.json { Output::Events } else { Output::Other }
    }

    /// What was given that overrides other settings.
    pub(crate) fn flags(&self) -> Flags {
        let flags = self.global.flags();
        let Some(command) = &self.command else { return flags };
        match command {
            Command::Ask { run, .. } | Command::Chat { run, .. } | Command::Doctor { run } => {
                run.apply(flags)
            }
            Command::Serve(args) => args.apply(flags),
            Command::Worker(args) => args.apply(flags),
            Command::Acp(args) => args.apply(flags),
            Command::Replay(args) => args.apply(flags),
            Command::Tools { command } => command.apply(flags),
            Command::Conversations { command: ConversationsCommand::Resume { options, .. } } => {
                Flags { options: options.clone(), ..flags }
            }
            Command::Mcp { command: McpCommand::Serve(args) } => args.apply(flags),
            Command::Approvals { .. }
            | Command::Conversations { .. }
            | Command::Extract(_)
            | Command::Mcp { .. }
            | Command::Models { .. }
            | Command::Server { .. }
            | Command::Tokens { .. }
            | Command::Tasks { .. }
            | Command::Trust(_)
            | Command::Completions { .. } => flags,
        }
    }
}
