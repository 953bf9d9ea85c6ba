//! [`ToolsCommand`]: what `tools` takes, and `extract`.

use std::path::PathBuf;

use clap::Subcommand;
use toolwright_app::Flags;
use toolwright_dialects::Dialect;

use crate::commands::Chunks;

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
        /// Let a destructive tool run; a command that only looks needs no approval
        #[arg(long)]
        approve: bool,
    },
    /// Show what a source of tools offers and what changed, and approve it: an MCP server, an API
    Approve {
        /// The source, as the config file names it
        name: String,
        /// Approve without asking
        #[arg(long)]
        yes: bool,
    },
    /// Print what a model that only writes text is told about the tools
    Prompt {
        /// Only the tools of this task
        #[arg(long, value_name = "TASK")]
        task: Option<String>,
        /// The form it is told to write calls in [default: as for `ask`]
        #[arg(long, value_name = "NAME")]
        dialect: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    /// The tools the model was offered: a list in OpenAI's form
    #[arg(long, value_name = "FILE", required_unless_present = "cases")]
    pub(crate) tools: Option<PathBuf>,
    /// The form the calls are written in: a dialect, or `auto` to find out [default: auto, or the
    /// case's own]
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// Feed the text in pieces of N characters, or of random sizes: N or random:SEED
    #[arg(long, value_name = "N")]
    pub(crate) chunks: Option<Chunks>,
    /// Run the cases in this file, one a line, and tell which do not give what they expect; with
    /// --json what each gives
    #[arg(long, value_name = "FILE", conflicts_with = "tools")]
    pub(crate) cases: Option<PathBuf>,
}

impl ToolsCommand {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        let (task, dialect) = match self {
            Self::List { task } | Self::Call { task, .. } => (task.clone(), None),
            Self::Prompt { task, dialect, .. } => (task.clone(), dialect.clone()),
            Self::Approve { .. } => (None, None),
        };
        Flags { task, dialect, ..flags }
    }
}
