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
        number: u64,
    },
    /// Take all of them back
    Clear,
}

/// A model that is to be connected.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelsAddArgs {
    /// The provider: one that is known by name, or any other name with --base-url
    pub(crate) provider: String,
    /// The model there that answers from now on
    #[arg(long = "name", value_name = "NAME")]
    pub(crate) model: String,
    /// The root of its API, where it is not the vendor's own
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// What it speaks: chat, responses, messages, gemini or ollama
    #[arg(long, value_name = "API")]
    pub(crate) api: Option<String>,
    /// Read the key from standard input, a line; it is written to the config file
    #[arg(long)]
    pub(crate) key_stdin: bool,
    /// Save it although it does not answer
    #[arg(long)]
    pub(crate) untested: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List what can answer, as `toolwright models` does
    List,
    /// Ask a model for one word and for one call, and say what happened
    Test {
        /// The model, as --model takes it; the one that answers where none is named
        name: Option<String>,
    },
    /// Test a model, and have it answer from now on: it is written to the config file
    Add(ModelsAddArgs),
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
