//! [`Config`]: every setting, its value, and where the value came from.
//!
//! Flags beat environment variables beat the config file beat the defaults.

mod file;

use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

use toolwright_core::Limits;

use self::file::File;
use crate::{AppError, Task};

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A flag on the command line.
    Flag(&'static str),
    /// An environment variable.
    Env(&'static str),
    /// The config file.
    File(PathBuf),
    /// Nobody set it.
    Default,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Env(name) => write!(f, "environment {name}"),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it came from.
    pub place: Place,
}

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// `--data`.
    pub data: Option<PathBuf>,
    /// `--log`.
    pub log: Option<String>,
    /// `--task`.
    pub task: Option<String>,
    /// `--model`.
    pub model: Option<String>,
    /// `--rounds`.
    pub rounds: Option<u32>,
    /// `--tool-timeout`.
    pub tool_timeout: Option<String>,
}

/// Every setting, with where it came from. The key cannot be printed.
#[derive(Clone, Debug)]
pub struct Config {
    /// The config file that was read, if there is one.
    pub file: Option<PathBuf>,
    /// The job.
    pub task: Setting<Task>,
    /// The root of the model's API.
    pub base_url: Setting<Option<String>>,
    /// The key to it.
    pub api_key: Setting<Option<Secret>>,
    /// The model: `name`, `openai:name` or `demo`.
    pub model: Setting<Option<String>>,
    /// Rounds in which tools may be called.
    pub rounds: Setting<u32>,
    /// Calls in all.
    pub calls: Setting<u32>,
    /// Tokens in all.
    pub tokens: Setting<Option<u64>>,
    /// Time from start to end.
    pub wall_clock: Setting<Duration>,
    /// How long one call may take.
    pub tool_timeout: Setting<Duration>,
    /// Where data is kept.
    pub data: Setting<PathBuf>,
    /// How much is logged.
    pub log: Setting<String>,
}

/// A text that is not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[hidden]")
    }
}

impl fmt::Display for Secret {
    /// Its first and last letters, so that two keys can be told apart.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: Vec<char> = self.0.chars().collect();
        match letters.as_slice() {
            [a, b, c, .., y, z] if letters.len() >= 16 => write!(f, "{a}{b}{c}…{y}{z}"),
            _ => f.write_str("set"),
        }
    }
}

impl Config {
    /// Reads the settings from where they are: `flags`, the environment, the config file.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn load(flags: &Flags) -> Result<Self, AppError> {
        Self::load_from(flags, &|name| std::env::var(name).ok())
    }

    /// As [`Config::load`], with an environment of the caller's.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn load_from(
        flags: &Flags,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, AppError> {
        let env = |name: &'static str| env(name).filter(|value| !value.trim().is_empty());
        let named = flags.config.clone().or_else(|| env("TOOLWRIGHT_CONFIG").map(PathBuf::from));
        let (path, file) = File::find(named.as_deref())?;
        let layers = Layers { env: &env, path: path.as_deref() };

        let task = layers.pick("--task", flags.task.clone(), "TOOLWRIGHT_TASK", file.task);
        let base = layers
            .pick("", None, "OPENAI_API_BASE", None)
            .or_else(|| layers.pick("", None, "OPENAI_BASE_URL", file.model.base_url));
        let timeout = flags.tool_timeout.clone();
        let timeout = layers.pick("--tool-timeout", timeout, "", file.limits.tool_timeout);
        let rounds = flags.rounds.map(|it| it.to_string());
        let rounds =
            layers.pick("--rounds", rounds, "", file.limits.rounds.map(|it| it.to_string()));
        let limits = Limits::default();
        Ok(Self {
            task: parsed("task", task, Task::General, str::parse::<Task>)?,
            base_url: optional(base),
            api_key: {
                let key = layers.pick("", None, "OPENAI_API_KEY", file.model.api_key);
                let key = optional(key);
                Setting { value: key.value.map(Secret), place: key.place }
            },
            model: optional(layers.pick(
                "--model",
                flags.model.clone(),
                "TOOLWRIGHT_MODEL",
                file.model.name,
            )),
            rounds: parsed("rounds", rounds, limits.rounds, str::parse::<u32>)?,
            calls: layers.in_file(file.limits.calls, limits.calls),
            tokens: layers.in_file(file.limits.tokens.map(Some), None),
            wall_clock: parsed(
                "limits.wall_clock",
                layers.pick("", None, "", file.limits.wall_clock),
                limits.wall_clock.unwrap_or(Duration::MAX),
                humantime::parse_duration,
            )?,
            tool_timeout: parsed(
                "limits.tool_timeout",
                timeout,
                Duration::from_secs(60),
                humantime::parse_duration,
            )?,
            data: {
                let flag = flags.data.as_ref().map(|it| it.to_string_lossy().into_owned());
                let data = layers.pick("--data", flag, "TOOLWRIGHT_DATA", file.data);
                match data {
                    Some(data) => Setting { value: data.value.into(), place: data.place },
                    None => Setting { value: default_data(), place: Place::Default },
                }
            },
            log: layers
                .pick("--log", flags.log.clone(), "TOOLWRIGHT_LOG", file.log)
                .unwrap_or(Setting { value: "warn".to_owned(), place: Place::Default }),
            file: path,
        })
    }

    /// What bounds a run.
    pub fn limits(&self) -> Limits {
        Limits {
            rounds: self.rounds.value,
            calls: self.calls.value,
            tokens: self.tokens.value,
            cost: None,
            wall_clock: Some(self.wall_clock.value),
        }
    }
}

/// The sources of a value, best first.
struct Layers<'a> {
    env: &'a dyn Fn(&'static str) -> Option<String>,
    path: Option<&'a Path>,
}

impl Layers<'_> {
    fn pick(
        &self,
        flag: &'static str,
        given: Option<String>,
        variable: &'static str,
        in_file: Option<String>,
    ) -> Option<Setting<String>> {
        let from_env = || if variable.is_empty() { None } else { (self.env)(variable) };
        given
            .map(|value| Setting { value, place: Place::Flag(flag) })
            .or_else(|| from_env().map(|value| Setting { value, place: Place::Env(variable) }))
            .or_else(|| in_file.map(|value| Setting { value, place: self.file() }))
    }

    fn in_file<T>(&self, in_file: Option<T>, default: T) -> Setting<T> {
        match in_file {
            Some(value) => Setting { value, place: self.file() },
            None => Setting { value: default, place: Place::Default },
        }
    }

    fn file(&self) -> Place {
        Place::File(self.path.map(Path::to_owned).unwrap_or_default())
    }
}

fn optional(setting: Option<Setting<String>>) -> Setting<Option<String>> {
    match setting {
        Some(setting) => Setting { value: Some(setting.value), place: setting.place },
        None => Setting { value: None, place: Place::Default },
    }
}

fn parsed<T, E: fmt::Display>(
    name: &'static str,
    setting: Option<Setting<String>>,
    default: T,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Setting<T>, AppError> {
    let Some(Setting { value, place }) = setting else {
        return Ok(Setting { value: default, place: Place::Default });
    };
    match parse(&value) {
        Ok(value) => Ok(Setting { value, place }),
        Err(error) => {
            let (place, reason) = (place.to_string(), error.to_string());
            Err(AppError::BadValue { name, value, place, reason })
        }
    }
}

/// `$XDG_DATA_HOME/toolwright`, or the system's equivalent; the working folder without a home.
fn default_data() -> PathBuf {
    use etcetera::BaseStrategy;
    etcetera::choose_base_strategy()
        .map(|base| base.data_dir().join("toolwright"))
        .unwrap_or_else(|_| PathBuf::from(".toolwright"))
}
