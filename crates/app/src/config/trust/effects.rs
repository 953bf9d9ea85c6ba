//! [`FolderContents::said`]: what a folder says, and what would become of each thing, held against what
//! holds without it.

use std::{path::Path, sync::Arc};

use serde::de::DeserializeSeed;
use toml::{Table, Value};
use toolwright_command::Author;
use toolwright_core::{ModelOptions, ReviewMode, revealed, truncate_line};
use toolwright_project::ContextKind;
use toolwright_runtime::{Rule, RuleVerdict};

use super::{
    super::{
        CommandEntry, Config, Flags, SettingSource, commands, file::File, layers::Layers,
        sections::FileSeed,
    },
    FolderContents, FolderSetting, Layer, SettingOutcome,
};
use crate::{
    AppError, TaskCatalog,
    task::{TaskFields, front_matter},
};

/// How much of a prompt is shown.
const SHOWN: usize = 400;

impl FolderContents {
    /// What the folder says, and what would become of it: its settings, and every field of its tasks.
    ///
    /// # Errors
    /// When its settings are not valid.
    pub fn said(&self, config: &Config) -> Result<Vec<FolderSetting>, AppError> {
        let without = Without::new(config);
        let (_, mut said) = self.sifted(config.packs())?;
        let table: Table = self.text()?.parse().unwrap_or_default();
        for setting in &mut said {
            let alone = alone(&table, &setting.key).filter(|_| setting.key != "rules");
            if let (SettingOutcome::Narrowing, Some(alone)) = (setting.becomes, alone)
                && !without.is_narrower(self, alone)
            {
                setting.becomes = SettingOutcome::NotNarrower;
            }
        }
        for (path, text) in self.tasks() {
            said.extend(self.task(&without, &path, text));
        }
        let author = Author::Project(self.folder().to_owned());
        said.extend(self.tools().iter().map(|(path, text)| command(path, text, &author)));
        said.extend(self.projects());
        Ok(said)
    }

    /// What the project tells a model, and what lies below the folder.
    fn projects(&self) -> Vec<FolderSetting> {
        let row = |key: String, about, value| FolderSetting {
            key,
            about,
            value,
            becomes: SettingOutcome::Taken,
        };
        let files = self.project().files().map(|file| {
            let about = match file.kind {
                ContextKind::Instructions => "what the model is told, as the project's words",
                ContextKind::Skill => "a file of a skill",
                ContextKind::Command => "a command that you can call",
            };
            let value = match std::str::from_utf8(&file.bytes) {
                Ok(text) => {
                    let letters = text.chars().count();
                    format!(
                        "{} ({letters} characters in all)",
                        truncate_line(&revealed(text), SHOWN)
                    )
                }
                Err(_) => format!("{} bytes", file.bytes.len()),
            };
            row(file.name.clone(), about, value)
        });
        let nested = self.nested().iter().map(|(name, _)| {
            let about = "what the model is told when it works there";
            row(name.clone(), about, self.folder().join(name).display().to_string())
        });
        files.chain(nested).collect()
    }

    /// What a task of the folder's says.
    fn task(
        &self,
        without: &Without<'_>,
        path: &Path,
        text: Result<String, String>,
    ) -> Vec<FolderSetting> {
        let tasks = vec![(path.to_owned(), text.clone())];
        let with = without.with(Layer {
            path: self.path().to_owned(),
            file: File::default(),
            tasks,
            tools: Vec::new(),
        });
        // What stands in it is what is looked at: one that is wrong says why, and counts for nothing.
        let entry = |config: &Config| {
            let is_it = |it: &&crate::TaskEntry| it.source.path() == Some(path);
            let entry = config.tasks.entries().iter().find(is_it)?;
            Some((entry.name.clone(), config.tasks.load(entry)))
        };
        let made = with.of(None).ok().as_ref().and_then(entry);
        let shown = path.display().to_string();
        let wrong = |name: &str, reason: String| {
            vec![FolderSetting {
                key: format!("tasks.{name}"),
                about: "a task of the folder's own that cannot be used",
                value: reason,
                becomes: SettingOutcome::Ignored,
            }]
        };
        let name = match made {
            Some((name, Ok(_))) => name,
            Some((name, Err(error))) => return wrong(&name, error.to_string()),
            None => return wrong("*", shown),
        };
        let fields = text.ok().and_then(|text| front_matter(&text).ok()).unwrap_or_default();
        let config = with.of(Some(&name)).ok();
        let narrows = |place: Place| {
            let is_it = |it: &SettingSource| matches!(it, SettingSource::Folder(it) if it == path);
            match config.as_ref().is_none_or(|it| is_it(place(it))) {
                true => SettingOutcome::Narrowing,
                false => SettingOutcome::NotNarrower,
            }
        };
        let mut rows = vec![("", "a task of the folder's own", shown, SettingOutcome::Taken)];
        rows.extend(taken(&fields));
        rows.extend(narrowing(&fields, narrows));
        let row = |(field, about, value, becomes): Row| FolderSetting {
            key: match field {
                "" => format!("tasks.{name}"),
                field => format!("tasks.{name}.{field}"),
            },
            about,
            value,
            becomes,
        };
        rows.into_iter().map(row).collect()
    }
}

/// What a command of the folder's is: the very command, and what it may do.
fn command(path: &Path, text: &Result<String, String>, author: &Author) -> FolderSetting {
    let CommandEntry { name, summary, command, .. } = commands::project(path, text, author);
    let key = format!("commands.{name}");
    match (summary, command) {
        (Some(value), Ok(_)) => {
            let about = "a program that the model may call";
            FolderSetting { key, about, value, becomes: SettingOutcome::Taken }
        }
        (_, command) => FolderSetting {
            key,
            about: "a program that cannot be called",
            value: command.err().unwrap_or_default(),
            becomes: SettingOutcome::Ignored,
        },
    }
}

/// Where a setting came from.
type Place = fn(&Config) -> &SettingSource;

type Row = (&'static str, &'static str, String, SettingOutcome);

/// What a task says and a folder may.
fn taken(fields: &TaskFields) -> Vec<Row> {
    let list = |it: &Option<Vec<String>>| it.as_ref().map(|it| format!("[{}]", it.join(", ")));
    let prompt = fields.prompt.as_ref().map(|it| {
        let (lines, letters) = (it.lines().count(), it.chars().count());
        let told = truncate_line(it, SHOWN);
        format!("{told} ({lines} lines, {letters} characters in all)")
    });
    let all = [
        ("title", "what it is called", fields.title.clone()),
        ("description", "what it is for", fields.description.clone()),
        ("packs", "the packs it has tools of", list(&fields.packs)),
        ("sources", "the sources it has tools of", list(&fields.sources)),
        ("tools", "which of their tools", list(&fields.tools)),
        ("model", "the model, which is asked with your key", fields.model.clone()),
        ("options", "how the model is to write", options(&fields.options)),
        ("first_tool_choice", "what it begins with", fields.first_tool_choice.clone()),
        ("starters", "questions to begin with", list(&fields.starters)),
        ("prompt", "what the model is told", prompt),
    ];
    let said = |(field, about, value): (_, _, Option<String>)| {
        value.map(|it| (field, about, it, SettingOutcome::Taken))
    };
    all.into_iter().filter_map(said).collect()
}

/// Options, where there are any.
fn options(options: &ModelOptions) -> Option<String> {
    (!options.is_empty()).then(|| format!("{options:?}"))
}

/// What a task says and may only make narrower.
fn narrowing(fields: &TaskFields, narrows: impl Fn(Place) -> SettingOutcome) -> Vec<Row> {
    fn number<T: ToString>(it: Option<T>) -> Option<String> {
        it.map(|it| it.to_string())
    }
    let limits = &fields.limits;
    let all: [(_, _, _, Place); 10] = [
        ("limits.rounds", "rounds with tools", number(limits.rounds), |it| &it.limits.rounds.place),
        ("limits.calls", "calls in all", number(limits.calls), |it| &it.limits.calls.place),
        ("limits.tokens", "tokens in all", number(limits.tokens), |it| &it.limits.tokens.place),
        ("limits.cost", "what a run may cost", number(limits.cost), |it| &it.limits.cost.place),
        (
            "limits.wall_clock",
            "how long a run may take",
            limits.wall_clock.map(toolwright_duration::format),
            |it| &it.limits.wall_clock.place,
        ),
        (
            "limits.tool_timeout",
            "how long a call may take",
            limits.tool_timeout.map(toolwright_duration::format),
            |it| &it.limits.tool_timeout.place,
        ),
        (
            "limits.agent_depth",
            "how deep agents may ask each other",
            number(limits.agent_depth),
            |it| &it.limits.agent_depth.place,
        ),
        (
            "limits.parallel_agents",
            "agents that run at the same time",
            number(limits.parallel_agents),
            |it| &it.limits.parallel_agents.place,
        ),
        ("review", "how strictly answers are checked", fields.review.map(review), |it| {
            &it.review.place
        }),
        (
            "one_at_a_time",
            "whether only the first call of a reply runs",
            number(fields.one_at_a_time),
            |it| &it.one_at_a_time.place,
        ),
    ];
    let said = |(field, about, value, place): (_, _, Option<String>, Place)| {
        value.map(|it| (field, about, it, narrows(place)))
    };
    let rules = fields.approvals.iter().cloned().map(Rule::from).map(|rule| {
        let verdict = match rule.verdict {
            RuleVerdict::Allow => "allow",
            RuleVerdict::Ask => "ask",
            RuleVerdict::Deny => "deny",
        };
        let text = [verdict, &rule.tool, rule.pattern.as_deref().unwrap_or_default()].join(" ");
        ("approvals", "what is denied or asked about", text, SettingOutcome::Narrowing)
    });
    all.into_iter().filter_map(said).chain(rules).collect()
}

fn review(mode: ReviewMode) -> String {
    format!("{mode:?}").to_lowercase()
}

/// A file that says nothing but this one key.
fn alone(table: &Table, key: &str) -> Option<Table> {
    let (first, rest) =
        key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let value = match (table.get(first)?, rest) {
        (value, None) => value.clone(),
        (Value::Table(inner), Some(rest)) => Value::Table(alone(inner, rest)?),
        _ => return None,
    };
    Some([(first.to_owned(), value)].into_iter().collect())
}

/// The settings as they are without the folder, and without what is said for one run: a folder is trusted
/// for all that follow.
struct Without<'a> {
    config: &'a Config,
    layers: Arc<Layers>,
}

impl<'a> Without<'a> {
    fn new(config: &'a Config) -> Self {
        let layers = Layers { folder: None, ..(*config.layers).clone() };
        Self { config, layers: Arc::new(layers) }
    }

    fn with(&self, folder: Layer) -> Without<'a> {
        let layers = Layers { folder: Some(folder), ..(*self.layers).clone() };
        Without { config: self.config, layers: Arc::new(layers) }
    }

    fn of(&self, task: Option<&str>) -> Result<Config, AppError> {
        let flags = Flags { task: task.map(str::to_owned), ..Flags::default() };
        Config::of(self.config.packs(), self.layers.clone(), &flags, &|_| None)
    }

    /// Whether anything is other than without this, in any task that there is.
    fn is_narrower(&self, contents: &FolderContents, alone: Table) -> bool {
        let Ok(file) = FileSeed(self.config.packs()).deserialize(Value::Table(alone)) else {
            return true;
        };
        let path = contents.path().to_owned();
        let with = self.with(Layer { path, file, tasks: Vec::new(), tools: Vec::new() });
        let shown = |mut config: Config| {
            config.layers = self.layers.clone();
            format!("{config:?}")
        };
        // What is no name would be read as a file.
        let entries = self.config.tasks.entries().iter();
        let mut named = entries.filter(|entry| TaskCatalog::is_name(&entry.name));
        named.any(|entry| match (self.of(Some(&entry.name)), with.of(Some(&entry.name))) {
            (Ok(without), Ok(with)) => shown(without) != shown(with),
            (without, with) => without.is_ok() != with.is_ok(),
        })
    }
}
