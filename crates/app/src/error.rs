//! [`AppError`]: why nothing could be put together, and what to do about it.

use std::{borrow::Cow, path::PathBuf};

use toolwright_core::{ActionableError, Fault, JournalError, ModelError};
use toolwright_files::Exposed;
use toolwright_http::without_password;
use toolwright_pack::PackError;
use toolwright_runtime::ToolboxError;
use toolwright_session::SessionError;
use toolwright_store::{LocationError, StoreError};

/// Why nothing could be put together.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// A config file that cannot be read.
    #[error("cannot read the config file {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A config file that is not valid.
    #[error("the config file {} is not valid: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the line.
        reason: String,
    },
    /// A setting whose value cannot be used.
    #[error("{name} is set to `{}` ({place}), which cannot be used: {reason}", shown(value))]
    BadValue {
        /// The setting.
        name: String,
        /// Its value.
        value: String,
        /// Where it was set.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// An environment variable that is no text.
    #[error("the environment variable {0} is set to what is no text (UTF-8)")]
    Variable(String),
    /// A task that does not exist.
    #[error(
        "there is no task `{name}`{}; tasks are: {known}{}{}",
        place.as_ref().map(|it| format!(" ({it})")).unwrap_or_default(),
        meant(nearest.as_deref()),
        withheld.as_ref().map(|it| format!("; {it}")).unwrap_or_default()
    )]
    NoSuchTask {
        /// The name.
        name: String,
        /// Where it was set, unless it was typed.
        place: Option<String>,
        /// Why a task of that name that lies in the folder does not count.
        withheld: Option<String>,
        /// Those there are.
        known: String,
        /// The one that was probably meant.
        nearest: Option<String>,
    },
    /// A task whose file is wrong.
    #[error("the task `{name}` ({place}) is wrong{}: {reason}", line.map(|it| format!(" in line {it}")).unwrap_or_default())]
    Task {
        /// Its name.
        name: String,
        /// Where it is.
        place: String,
        /// The line, where it is known.
        line: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// A pack that cannot be used as it was set up.
    #[error("{error}")]
    Pack {
        /// Its name.
        pack: &'static str,
        /// Why.
        #[source]
        error: PackError,
    },
    /// Something is said of a tool that no task has.
    #[error("the config file says something of a tool `{name}` (`{section}`), and no task has one{}", meant(nearest.as_deref()))]
    NoSuchTool {
        /// What it says: `tools` or `rules`.
        section: &'static str,
        /// The name.
        name: String,
        /// The one that was probably meant.
        nearest: Option<String>,
    },
    /// A task that exists, and was not set up.
    #[error("the task `{task}` is not offered here")]
    NotOffered {
        /// The task.
        task: String,
        /// What would have to be set.
        advice: &'static str,
    },
    /// A source of tools that cannot be one.
    #[error("`[{section}]` cannot be a source of tools: {reason}")]
    BadSource {
        /// Its section in the config file.
        section: String,
        /// Why not.
        reason: String,
    },
    /// A source of tools that this program knows nothing of.
    #[error("`[{kind}.{name}]` is configured, and this program was built without `{kind}`")]
    NoSource {
        /// The source.
        name: String,
        /// What kind it is.
        kind: &'static str,
    },
    /// Something is declared of a tool that declares it itself.
    #[error("`[tools.{name}]` declares what the tool declares itself")]
    DeclaredElsewhere {
        /// The tool.
        name: String,
    },
    /// A model that nobody may wish for.
    #[error("`model` is `{0}`, and no such model is offered here")]
    NoSuchModel(String),
    /// Something that was asked for cannot be used.
    #[error("`{field}`: {reason}")]
    Asked {
        /// What.
        field: &'static str,
        /// Why not.
        reason: ToolboxError,
    },
    /// A run that was asked with the credential of a pack that is not here.
    #[error(
        "the run was asked with a credential for the pack `{0}`, and this program does not have that pack"
    )]
    NoPack(String),
    /// Tools that a run was begun with are not here.
    #[error("the run was begun with tools that are not here: {}", listed(.0))]
    Lacking(Vec<String>),
    /// How a run was asked cannot be read here.
    #[error(
        "how the run was asked cannot be read: it was written by another version of Toolwright"
    )]
    Spec,
    /// A database that is none.
    #[error("the database ({place}) cannot be used: {reason}")]
    Database {
        /// Where it was set.
        place: String,
        /// What is wrong with it.
        reason: LocationError,
    },
    /// What is kept could be somebody else's.
    #[error("the data folder {} ({place}) is not used: {reason}", path.display())]
    Data {
        /// The folder.
        path: PathBuf,
        /// Where it was set.
        place: String,
        /// Who else could change it.
        reason: Exposed,
    },
    /// A config file that cannot be written.
    #[error("cannot write the config file {}: {reason}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Somebody else changed the config file at the same time.
    #[error("the config file {} was changed by somebody else meanwhile, and is left as they wrote it", .0.display())]
    Meanwhile(PathBuf),
    /// There is nowhere to keep settings.
    #[error("there is no folder for your settings")]
    NoSettings,
    /// Something changed that a program that runs cannot take up.
    #[error("`{0}` was changed, and a server that runs keeps what it began with")]
    Restart(&'static str),
    /// There is nowhere to keep anything.
    #[error("there is no home folder to keep data in")]
    NoHome,
    /// Which folders are trusted cannot be read or kept.
    #[error("which folders you trust ({}) cannot be read or kept: {reason}", path.display())]
    Trust {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The rules that were given when they lay in a file cannot be taken over.
    #[error("the approvals of an earlier version in {} cannot be taken over: {reason}", path.display())]
    Approvals {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The model is not usable as configured.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The conversations cannot be kept or read.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The tools are not usable.
    #[error(transparent)]
    Tools(#[from] ToolboxError),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        Self::Session(error.into())
    }
}

impl From<JournalError> for AppError {
    fn from(error: JournalError) -> Self {
        Self::Session(error.into())
    }
}

impl ActionableError for AppError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        let advice = match self {
            Self::Unreadable { .. } => "check the path given with --config or TOOLWRIGHT_CONFIG",
            Self::Unwritable { .. } => "see whether you may write there, and whether there is room",
            Self::Meanwhile(_) => "look at what it says now, and try again",
            Self::NoSettings => "name a file: --config FILE",
            Self::Restart(_) => "start the server anew, or put it back as it was",
            Self::Invalid { .. } => "correct that line of the file, or leave it out",
            Self::NoSuchTool { .. } => {
                "correct the name in the config file; `toolwright tools list` shows those of a task"
            }
            Self::Variable(_) => "set it again, or unset it",
            Self::NotOffered { advice, .. } => advice,
            Self::BadSource { .. } => "correct it in the config file",
            Self::NoSource { .. } => {
                "take the section out of the config file, or build it with that feature"
            }
            Self::DeclaredElsewhere { .. } => {
                "`effect`, `grounded`, `executable`, `free_text`, `after` and `examples` are said of \
                 tools that come from elsewhere (`[mcp.…]`, `[openapi.…]`); take them out"
            }
            Self::Task { .. } => {
                "`toolwright tasks check` looks at all of them; `toolwright tasks new` writes one \
                 that works"
            }
            Self::NoSuchModel(_) => {
                "name a model of the configured endpoint, or `offline`; \
                 files and addresses are for whoever starts the server"
            }
            Self::Asked { .. } => "correct it, or leave it out",
            Self::NoPack(_) => {
                "give every process that drives runs the same packs: the same build, with the same config file"
            }
            Self::Lacking(_) => {
                "give every process that drives runs the same packs, MCP servers and other sources of tools; \
                 whichever has them goes on with it"
            }
            Self::Spec => {
                "let every process that drives runs be of the same version, or of a newer one"
            }
            Self::Database { .. } => LocationError::ADVICE,
            Self::NoHome => "name a folder: --data DIR, or TOOLWRIGHT_DATA",
            Self::Data { reason, .. } => return Some(Cow::Owned(exposed(reason))),
            Self::Trust { path, .. } => {
                let path = path.display();
                return Some(Cow::Owned(format!(
                    "look at {path}; without it no folder is trusted, and you are asked again"
                )));
            }
            Self::Pack { error, .. } => return ActionableError::advice(error),
            Self::Model(error) => return ActionableError::advice(error),
            Self::Session(error) => return error.advice(),
            Self::BadValue { .. } => "correct it where it is set, or leave it out",
            Self::NoSuchTask { .. } => {
                "`toolwright tasks` lists them; `toolwright tasks new NAME` makes one"
            }
            Self::Approvals { path, .. } => {
                let path = path.display();
                return Some(Cow::Owned(format!(
                    "mend {path}, or move it away: what was approved in it is asked for again then"
                )));
            }
            Self::Tools(_) => return None,
        };
        Some(Cow::Borrowed(advice))
    }

    fn fault(&self) -> Fault {
        match self {
            Self::Approvals { .. } | Self::Unwritable { .. } | Self::Meanwhile(_) => Fault::Failure,
            Self::Session(error) => error.fault(),
            Self::Model(error) if error.fault() == Fault::NotConfigured => Fault::NotConfigured,
            // What was typed or set is all there is to a program that has not begun.
            _ => Fault::Usage,
        }
    }
}

/// A value as it may be shown: in an address a password may stand before the host.
fn shown(value: &str) -> Cow<'_, str> {
    match value.contains("://") && value.contains('@') {
        true => Cow::Owned(without_password(value)),
        false => Cow::Borrowed(value),
    }
}

/// As many names as one reads.
fn listed(names: &[String]) -> String {
    let first: Vec<_> = names.iter().take(LISTED).map(|it| format!("`{it}`")).collect();
    match names.len().saturating_sub(LISTED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// How many names are listed.
const LISTED: usize = 5;

/// Asks whether it was this.
fn meant(nearest: Option<&str>) -> String {
    nearest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

/// What to do about a data folder that is not its owner's alone.
fn exposed(reason: &Exposed) -> String {
    let first = match reason {
        Exposed::Writable { path } => format!("`chmod go-w {}`", path.display()),
        Exposed::Owned { path, .. } => {
            format!("run it as that account, or take it over with `chown` ({})", path.display())
        }
    };
    format!(
        "{first}, or choose another folder with --data or TOOLWRIGHT_DATA; whoever can write there \
         could give rules, read keys and change what is kept"
    )
}
