//! [`AppError`]: why nothing could be put together, and what to do about it.

use std::path::PathBuf;

use toolwright_core::{JournalError, ModelError};
use toolwright_files::Exposed;
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
    #[error("{name} is set to `{value}` ({place}), which cannot be used: {reason}")]
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
    /// A task that does not exist.
    #[error("there is no task `{name}`; tasks are: {known}{}", meant(nearest.as_deref()))]
    NoSuchTask {
        /// The name.
        name: String,
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
    /// A model that nobody may wish for.
    #[error("`model` is `{0}`, and no such model is offered here")]
    NoSuchModel(String),
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
    /// The rules that were given cannot be read or kept.
    #[error("the approvals in {} cannot be read or kept: {reason}", path.display())]
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
    Store(#[from] StoreError),
    /// Something could not be added to a conversation.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A session could not go on.
    #[error(transparent)]
    Session(SessionError),
    /// The tools are not usable.
    #[error(transparent)]
    Tools(#[from] ToolboxError),
}

impl From<SessionError> for AppError {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Store(error) => Self::Store(error),
            SessionError::Journal(error) => Self::Journal(error),
            error => Self::Session(error),
        }
    }
}

impl AppError {
    /// What a person can do about it.
    pub fn advice(&self) -> Option<String> {
        match self {
            Self::Unreadable { .. } => {
                Some("check the path given with --config or TOOLWRIGHT_CONFIG".to_owned())
            }
            Self::Invalid { .. } => Some(
                "correct the file; `toolwright doctor` shows every setting it knows".to_owned(),
            ),
            Self::NoSuchTool { .. } => Some(
                "correct the name in the config file; `toolwright tools list` shows those of a task"
                    .to_owned(),
            ),
            Self::NotOffered { advice, .. } => Some((*advice).to_owned()),
            Self::Task { .. } => Some(
                "`toolwright tasks check` looks at all of them; `toolwright tasks new` writes one \
                 that works"
                    .to_owned(),
            ),
            Self::Pack { error, .. } => error.advice.clone(),
            Self::NoSuchModel(_) => Some(
                "name a model of the configured endpoint, or `offline`; \
                 files and addresses are for whoever starts the server"
                    .to_owned(),
            ),
            Self::Database { .. } => Some(LocationError::ADVICE.to_owned()),
            Self::Data { reason, .. } => Some(exposed(reason)),
            Self::NoHome => Some("name a folder: --data DIR, or TOOLWRIGHT_DATA".to_owned()),
            Self::Trust { path, .. } => Some(format!(
                "look at {}; without it no folder is trusted, and you are asked again",
                path.display()
            )),
            Self::Model(error) => error.advice.clone(),
            Self::Store(error) => error.advice(),
            Self::Journal(error) => error.advice.clone(),
            Self::Session(error) => error.advice(),
            _ => None,
        }
    }
}

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
