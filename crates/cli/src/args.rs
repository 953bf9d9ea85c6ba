//! [`Args`]: what can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use toolwright_app::Flags;

/// Ask a model that can call tools, and watch it happen.
///
/// Without a configured model a small script answers, so that you can see how it works. To connect
/// a model, set OPENAI_API_BASE (any OpenAI-compatible server), OPENAI_API_KEY and
/// TOOLWRIGHT_MODEL; `toolwright doctor` checks them.
#[derive(Debug, Parser)]
#[command(name = "toolwright", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "Examples:
  toolwright chat
  toolwright ask \"What's the weather in San Francisco and a 20% tip on $45.60?\"
  git diff | toolwright ask \"What does this change?\"
  toolwright conversations search weather
  toolwright tools call calculate_tip '{\"amount\": 45.6}'
  toolwright doctor";

#[derive(Debug, clap::Args)]
pub(crate) struct Global {
    /// Settings are read from this file [default: ./toolwright.toml, then the user's]
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
        /// The question; `-`, or nothing, reads it from standard input
        prompt: Vec<String>,
    },
    /// Talk in the terminal
    Chat {
        #[command(flatten)]
        run: RunArgs,
    },
    /// List, read, search, export, resume or delete what was kept
    #[command(visible_alias = "conv")]
    Conversations {
        #[command(subcommand)]
        command: ConversationsCommand,
    },
    /// List the tools, or call one
    Tools {
        #[command(subcommand)]
        command: ToolsCommand,
    },
    /// Show what is configured, what answers, what is missing and how to fix it
    Doctor {
        #[command(flatten)]
        run: RunArgs,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Which tools and instructions to use: general (all), demo
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model: its name at the endpoint, or `demo`
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Rounds in which tools may be called
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// How long one call of a tool may take, such as 30s
    #[arg(long, value_name = "TIME")]
    tool_timeout: Option<String>,
    /// Let destructive tools run without asking
    #[arg(long)]
    pub(crate) approve: bool,
    /// Hold answers against the tools' results: off, warn, enforce
    #[arg(long, value_name = "HOW")]
    review: Option<String>,
    /// Go on with this conversation: its id, or enough of its beginning
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConversationsCommand {
    /// List conversations, the newest first
    List {
        /// How many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
    },
    /// Show a conversation; with --json its events
    Show {
        /// Its id, or enough of its beginning
        id: String,
    },
    /// Find conversations in which all of these words occur
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// How many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
    },
    /// Write conversations to standard output, one event a line
    Export {
        /// Their ids; all conversations where none is given
        ids: Vec<String>,
    },
    /// Read what `export` wrote
    Import {
        /// The file; `-` reads standard input
        file: PathBuf,
    },
    /// Go on with a run that was cut short
    Resume {
        /// The conversation: its id, or enough of its beginning
        id: String,
        /// Let destructive tools run without asking
        #[arg(long)]
        approve: bool,
    },
    /// Delete a conversation and every trace of it
    Delete {
        /// Its id, or enough of its beginning
        id: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsCommand {
    /// List the tools; with --json in OpenAI's format
    List {
        /// Only the tools of this task
        #[arg(long, value_name = "TASK")]
        task: Option<String>,
    },
    /// Call one tool and print its result; with --json as an envelope
    Call {
        /// The tool
        name: String,
        /// Its arguments, as JSON
        #[arg(default_value = "{}", value_name = "JSON")]
        arguments: String,
        /// Only the tools of this task
        #[arg(long, value_name = "TASK")]
        task: Option<String>,
        /// Let a destructive tool run
        #[arg(long)]
        approve: bool,
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
    /// What was given that overrides other settings.
    pub(crate) fn flags(&self) -> Flags {
        let flags = self.global.flags();
        match &self.command {
            Command::Ask { run, .. } | Command::Chat { run } | Command::Doctor { run } => Flags {
                task: run.task.clone(),
                model: run.model.clone(),
                rounds: run.rounds,
                tool_timeout: run.tool_timeout.clone(),
                review: run.review.clone(),
                ..flags
            },
            Command::Tools {
                command: ToolsCommand::List { task } | ToolsCommand::Call { task, .. },
            } => Flags { task: task.clone(), ..flags },
            Command::Conversations { .. } | Command::Completions { .. } => flags,
        }
    }
}
