//! [`ConversationsCommand`]: what can be done with what was kept.

use std::path::PathBuf;

use clap::Subcommand;

use super::run::option;

#[derive(Debug, Subcommand)]
pub(crate) enum ConversationsCommand {
    /// List conversations, the newest first
    List {
        /// How many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: usize,
    },
    /// Show a conversation as it was asked last; with --json its events
    Show {
        /// Its id, or enough of its beginning
        id: String,
        /// Show the version with this run in it, as `tree` lists them
        #[arg(long, value_name = "RUN")]
        branch: Option<String>,
    },
    /// Show which questions of a conversation were asked anew, and what follows which
    Tree {
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
        /// Only what leads to the version with this run in it, of one conversation
        #[arg(long, value_name = "RUN", conflicts_with = "cassette")]
        branch: Option<String>,
        /// As a text to read, one version of each: the newest, or the one of --branch
        #[arg(long, conflicts_with = "cassette")]
        markdown: bool,
        /// Write what the model was sent and what it said to this file instead, for `ask --cassette`
        #[arg(long, value_name = "FILE")]
        cassette: Option<PathBuf>,
    },
    /// Read what `export` wrote. Approvals in it do not count here
    Import {
        /// The file; `-` reads standard input
        file: PathBuf,
    },
    /// Go on with a run that was cut short
    Resume {
        /// The conversation: its id, or enough of its beginning
        id: String,
        /// How the model is to write, such as temperature=0.2; may be given several times
        #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
        options: Vec<(String, String)>,
        /// Let destructive tools run without asking, but for calls that somebody has to look at
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

impl ConversationsCommand {
    /// Whether nothing in the log is changed by it.
    pub(crate) fn only_reads(&self) -> bool {
        match self {
            Self::List { .. }
            | Self::Show { .. }
            | Self::Tree { .. }
            | Self::Search { .. }
            | Self::Export { .. } => true,
            Self::Import { .. } | Self::Resume { .. } | Self::Delete { .. } => false,
        }
    }
}
