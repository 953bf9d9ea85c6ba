//! [`TaskSetup`]: the tools and instructions of a task, with the packs that stand behind them.

use std::{collections::HashSet, sync::Arc};

use toolwright_core::{RunContext, Tool, ToolChoice, ToolSource, truncate_line};
use toolwright_pack::{OpenPack, Pack};

use crate::{
    AppError, Config, ConfiguredSource, OpenPacks, PackChoice, PackRegistry, SourceKind, Task,
    TaskContext, ToolPattern,
    policies::known_tools,
    recorded,
    task::{PromptValues, is_dated},
    words::{meant, nearest},
};

/// The tools and instructions of a task, with the packs that stand behind them.
pub struct TaskSetup {
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Where more of them come from, which may change.
    pub sources: Vec<Arc<dyn ToolSource>>,
    /// The instructions that stand above conversations.
    pub system: String,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
    /// The packs, opened.
    pub packs: TaskPacks,
    /// What the model is told of the project.
    pub context: TaskContext,
    /// The day whose date is in the instructions, where one is.
    pub(crate) day: Option<String>,
}

/// The packs of a task, opened: each with its name.
#[derive(Clone, Default)]
pub struct TaskPacks(Vec<(&'static str, Arc<dyn OpenPack>)>);

impl TaskPacks {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &dyn OpenPack> {
        self.0.iter().map(|(_, pack)| &**pack)
    }

    /// Gives a run what the tools need and no model sees: what was set, or what came with the question
    /// for one of the packs.
    pub(crate) fn grant(&self, context: RunContext, given: Option<(&str, &str)>) -> RunContext {
        self.0.iter().fold(context, |context, (name, pack)| {
            let credential =
                given.filter(|(pack, _)| pack == name).map(|(_, credential)| credential);
            pack.grant(context, credential)
        })
    }
}

impl TaskSetup {
    /// What the configured task needs.
    ///
    /// # Errors
    /// When a pack cannot be used as it was set up, or the task names what there is not.
    pub fn of(config: &Config, packs: &OpenPacks) -> Result<Self, AppError> {
        Self::of_task(config, packs, &config.task.value)
    }

    /// What a task needs.
    ///
    /// # Errors
    /// When a pack cannot be used as it was set up, or the task names what there is not.
    pub fn of_task(config: &Config, packs: &OpenPacks, task: &Task) -> Result<Self, AppError> {
        task.check_names(config.packs(), config.sources())?;
        let mut open = Vec::new();
        for pack in config.packs().iter().filter(|pack| task.packs.has(pack.info().name)) {
            let name = pack.info().name;
            let opened = packs.open(config, pack, task.packs.names(name))?;
            open.extend(opened.map(|it| (name, it)));
        }
        let tools: Vec<_> = open.iter().flat_map(|(_, pack)| pack.tools()).collect();
        let sources = packs.sources.of_task(config, packs, task)?;
        let mut tools = task.chosen(tools, config)?;
        task.check_first(&tools, config)?;
        let told: Vec<_> = open.iter().map(|(_, pack)| pack.instructions()).collect();
        let told: Vec<_> = told.into_iter().filter(|it| !it.is_empty()).collect();
        let calendar = recorded::calendar(config, packs)?;
        let mut agents = config.sources().iter().filter(|it| it.kind == SourceKind::Agent);
        // What an agent among its tools is told may be dated, too.
        let is_dated = is_dated(&task.prompt) || agents.any(|it| task.has_source(&it.name));
        let day = is_dated.then(|| calendar.date());
        let values = PromptValues { tools: &tools, instructions: told.join("\n\n"), calendar };
        let system =
            values.fill_in(&task.prompt).map_err(|it| task.wrong("prompt", "", it.reason))?;
        let first_choice = task.first_tool_choice.clone();
        let packs = TaskPacks(open);
        let context = TaskContext::of(config, task, &packs, &sources)?;
        tools.extend(context.tool(task, &tools));
        Ok(Self { tools, sources, system, first_choice, packs, context, day })
    }

    /// The same with what another task has: its tools where they are missing, its instructions, and how
    /// it begins.
    #[must_use]
    pub(crate) fn with(mut self, other: Self) -> Self {
        if !self.system.contains(&other.system) {
            self.system = format!("{}\n\n{}", self.system, other.system);
        }
        let known: HashSet<_> = self.tools.iter().map(|it| it.spec().name.clone()).collect();
        let missing = other.tools.into_iter().filter(|it| !known.contains(&it.spec().name));
        self.tools.extend(missing);
        let known: HashSet<_> = self.sources.iter().map(|it| it.name().to_owned()).collect();
        let missing = other.sources.into_iter().filter(|it| !known.contains(it.name()));
        self.sources.extend(missing);
        let known: HashSet<_> = self.packs.0.iter().map(|(name, _)| *name).collect();
        let missing = other.packs.0.into_iter().filter(|(name, _)| !known.contains(name));
        self.packs.0.extend(missing);
        self.first_choice = other.first_choice;
        self.context = self.context.with(other.context);
        self.day = self.day.or(other.day);
        self
    }
}

/// Why a name is no source's. Those of `tools list`, which say the kind, too, lead to the name alone.
fn no_source(name: &str, sources: &[ConfiguredSource]) -> String {
    let names = || sources.iter().map(|it| it.name.as_str());
    let bare = sources.iter().find_map(|it| name.strip_prefix(it.kind.name())?.strip_prefix('.'));
    let meant = meant(bare.unwrap_or(name), names());
    let there = match sources.is_empty() {
        true => "none is there".to_owned(),
        false => format!("sources are: {}", names().collect::<Vec<_>>().join(", ")),
    };
    format!("there is no source of tools `{name}` in the config file ({there}){meant}")
}

impl Task {
    /// Whether there are the packs, the sources and the tools that it names, in whatever task.
    pub(crate) fn check_names(
        &self,
        packs: &PackRegistry,
        sources: &[ConfiguredSource],
    ) -> Result<(), AppError> {
        if let PackChoice::Named(names) = &self.packs
            && let Some(name) = names.iter().find(|name| packs.get(name).is_none())
        {
            let meant = meant(name, packs.iter().map(|it| it.info().name));
            let reason = format!("there is no pack `{name}` (packs are: {}){meant}", packs.names());
            return Err(self.wrong("packs", name, reason));
        }
        if let PackChoice::Named(names) = &self.sources
            && let Some(name) =
                names.iter().find(|name| !sources.iter().any(|it| it.name == **name))
        {
            return Err(self.wrong("sources", name, no_source(name, sources)));
        }
        let known = known_tools(packs);
        let is_known =
            |tool: &str| known.contains(tool) || sources.iter().any(|it| it.may_have(tool));
        match self.approvals.iter().find(|rule| !is_known(&rule.tool)) {
            None => Ok(()),
            Some(rule) => {
                let meant = meant(&rule.tool, known.iter().copied());
                let reason =
                    format!("`approvals` names a tool `{}`, and there is none{meant}", rule.tool);
                Err(self.wrong("approvals", &rule.tool, reason))
            }
        }
    }

    /// Those of these tools that it has.
    fn chosen(
        &self,
        tools: Vec<Arc<dyn Tool>>,
        config: &Config,
    ) -> Result<Vec<Arc<dyn Tool>>, AppError> {
        let Some(patterns) = &self.tools else { return Ok(tools) };
        if patterns.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = tools.iter().map(|tool| tool.spec().name.as_str()).collect();
        // What a source has is only known once it is asked.
        let sources = config.sources();
        let is_of_source = |pattern: &ToolPattern| {
            let mut own = sources.iter().filter(|it| self.has_source(&it.name));
            own.any(|it| pattern.may_be_about(it))
        };
        let stray = patterns
            .iter()
            .find(|it| !names.iter().any(|name| it.is_about(name)) && !is_of_source(it));
        if let Some(pattern) = stray {
            let reason = self.why_stray(pattern, &names, config.packs());
            return Err(self.wrong("tools", &pattern.to_string(), reason));
        }
        let admit = |tool: &Arc<dyn Tool>| ToolPattern::admit(patterns, &tool.spec().name);
        Ok(tools.into_iter().filter(admit).collect())
    }

    /// Why a pattern is about none of the tools of these names.
    fn why_stray(&self, pattern: &ToolPattern, names: &[&str], packs: &PackRegistry) -> String {
        let other = packs.iter().map(Pack::info).find(|info| {
            !info.tools.is_empty() && info.tools.iter().any(|name| pattern.is_about(name))
        });
        let why = match other {
            Some(info) if self.packs.has(info.name) => {
                format!(": it is one of the pack `{}`, which is not set up here", info.name)
            }
            Some(info) => {
                format!(": it is one of the pack `{}`, which `packs` does not name", info.name)
            }
            None => there_are(&pattern.to_string(), names),
        };
        format!("no tool of the task is called `{pattern}`{why}")
    }

    /// Whether it can begin as it says.
    fn check_first(&self, tools: &[Arc<dyn Tool>], config: &Config) -> Result<(), AppError> {
        let names: Vec<&str> = tools.iter().map(|tool| tool.spec().name.as_str()).collect();
        let has_sources = config.sources().iter().any(|it| self.has_source(&it.name));
        let (word, reason) = match &self.first_tool_choice {
            ToolChoice::Tool(name) if config.may_come_from_source(name) => return Ok(()),
            ToolChoice::Required if has_sources => return Ok(()),
            ToolChoice::Tool(name) if !names.contains(&name.as_str()) => {
                let reason = format!(
                    "`first_tool_choice` is none of auto, required and none, and no tool of the task \
                     is called `{name}`{}",
                    there_are(name, &names)
                );
                (name.as_str(), reason)
            }
            ToolChoice::Required if names.is_empty() => {
                let reason = "`first_tool_choice` requires a call, and the task has no tools";
                ("required", reason.to_owned())
            }
            _ => return Ok(()),
        };
        Err(self.wrong("first_tool_choice", word, reason))
    }

    /// What is wrong with what a field says: told with the line of the file, or with the config file where
    /// that says it.
    fn wrong(&self, field: &str, word: &str, reason: String) -> AppError {
        let said = self.said_in.as_ref().filter(|(_, fields)| fields.contains(&field));
        let (place, line) = match said {
            Some((path, _)) => {
                (format!("{}, `[tasks.{}] {field}`", path.display(), self.name), None)
            }
            None => (self.source.to_string(), self.front.line_of(field, word)),
        };
        AppError::Task { name: self.name.clone(), place, line, reason }
    }
}

/// What there is instead of a name, for people: as many as one reads.
fn there_are(name: &str, names: &[&str]) -> String {
    let all = match names {
        [] => "none".to_owned(),
        names => truncate_line(&names.join(", "), 1_000),
    };
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("; did you mean `{meant}`? There are: {all}"),
        None => format!("; there are: {all}"),
    }
}
