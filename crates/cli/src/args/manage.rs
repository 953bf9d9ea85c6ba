//! [`TasksCommand`]: what the commands take that look after tasks, models, approvals and trust.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// List them, each with its number
    List,
    /// Take one back
    Remove {
        /// Its number in the list
        number: usize,
    },
    /// Take all of them back
    Clear,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Fetch the offline model (93 MB), and the one that finds tools for it (24 MB)
    Pull {
        /// Which
        #[arg(value_parser = ["offline"])]
        model: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TasksCommand {
    /// List them, and who wrote each
    List,
    /// Show the file of one
    Show {
        /// Its name
        name: String,
        /// Show what a model is told instead: the prompt, filled in
        #[arg(long)]
        prompt: bool,
    },
    /// Write a file to begin with
    New {
        /// The task's name: small letters, digits, `-` and `_`
        name: String,
        /// For everybody who works in this folder, in .toolwright/tasks
        #[arg(long)]
        project: bool,
    },
    /// Look for mistakes
    Check {
        /// Names or files; all tasks where none is given
        tasks: Vec<String>,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// The folder [default: the current one]
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// List the folders you were asked about
    #[arg(long, conflicts_with_all = ["revoke", "folder"])]
    pub(crate) list: bool,
    /// Do not trust it any more
    #[arg(long)]
    pub(crate) revoke: bool,
    /// Show everything it says, to the last line, and ask nothing
    #[arg(long, conflicts_with_all = ["revoke", "list"])]
    pub(crate) show: bool,
}
