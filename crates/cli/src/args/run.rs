//! [`RunArgs`]: what every command takes that asks a model, and what others of them take.

use std::path::PathBuf;

use toolwright_app::Flags;

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Which tools and instructions to use: the name of a task, or a file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model: `PROVIDER:NAME` (see `toolwright models`), its name at OPENAI_API_BASE, `offline`,
    /// `offline:FILE` for weights of your own, `dapr:COMPONENT`; several with commas between them stand
    /// in for each other
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How the model is offered its tools: native (in the request), text (in the prompt, for models
    /// that only write text), auto
    #[arg(long, value_name = "HOW")]
    tool_mode: Option<String>,
    /// The form of calls in text: hermes, llama3_json, generic, …; auto finds out
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// Rounds in which tools may be called
    #[arg(long, value_name = "N")]
    max_rounds: Option<u32>,
    /// How long one call of any tool may take, such as 30s
    #[arg(long, value_name = "TIME")]
    tool_timeout: Option<String>,
    /// Let destructive tools run without asking, but for calls that somebody has to look at
    #[arg(long)]
    pub(crate) approve: bool,
    /// Ask the model once: the results of its calls are the answer
    #[arg(long)]
    single_shot: bool,
    /// Hold answers against the tools' results: off, warn, enforce, replace
    #[arg(long, value_name = "HOW")]
    review: Option<String>,
    /// Go on with this conversation: its id, or enough of its beginning
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Go on with the conversation in which something happened last
    #[arg(short = 'c', long = "continue", conflicts_with = "conversation")]
    pub(crate) is_continued: bool,
    /// How the model is to write, such as temperature=0.2 or max_output_tokens=500; may be given several
    /// times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Attach a picture, a PDF or another file, or what an MCP server has (mcp:SERVER:URI); may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) attach: Vec<std::path::PathBuf>,
    #[command(flatten)]
    tape: CassetteArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CassetteArgs {
    /// Record what the model says to this file; where it is there already, the recording answers and no
    /// model is asked
    #[arg(long, value_name = "FILE")]
    cassette: Option<PathBuf>,
    /// What is done with that file: replay (a request that was not recorded is an error that says what
    /// differs), record (anew), missing (replay, and record what is not there)
    #[arg(long, value_name = "HOW", requires = "cassette")]
    cassette_mode: Option<String>,
}

/// What `chat` takes besides.
#[derive(Debug, clap::Args)]
pub(crate) struct ChatArgs {
    /// Choose the conversation to go on with; or name it: its id, its number in the list, or words it has
    #[arg(
        short = 'r', long, value_name = "WHICH", num_args = 0..=1,
        conflicts_with_all = ["conversation", "is_continued"],
    )]
    pub(crate) resume: Option<Option<String>>,
    /// Show what the model thinks as it comes, and not only how long
    #[arg(long)]
    pub(crate) thinking: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AcpArgs {
    /// Which tools and instructions to begin with: the name of a task, or a file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model: `PROVIDER:NAME` (see `toolwright models`), its name at OPENAI_API_BASE, `offline`;
    /// several with commas between them stand in for each other
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// The conversation: its id, or enough of its beginning
    pub(crate) conversation: String,
    /// Let this model answer instead of what was recorded
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Which tools and instructions to use: those of the task it was asked in [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
}

/// `NAME=VALUE`.
pub(super) fn option(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

impl RunArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        let flags = self.tape.apply(flags);
        Flags {
            task: self.task.clone(),
            model: self.model.clone(),
            tool_mode: self.tool_mode.clone(),
            dialect: self.dialect.clone(),
            options: self.options.clone(),
            rounds: self.max_rounds,
            tool_timeout: self.tool_timeout.clone(),
            single_shot: self.single_shot,
            review: self.review.clone(),
            ..flags
        }
    }
}

impl CassetteArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        Flags {
            cassette: self.cassette.clone(),
            cassette_mode: self.cassette_mode.clone(),
            ..flags
        }
    }
}

impl AcpArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        Flags { task: self.task.clone(), model: self.model.clone(), ..flags }
    }
}

impl ReplayArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        Flags { task: self.task.clone(), model: self.model.clone(), ..flags }
    }
}
