//! [`TaskSetup`]: the tools and instructions of a task, with the packs that stand behind them.

use std::{collections::HashSet, sync::Arc};

use toolwright_core::{RunContext, Tool, ToolChoice};
use toolwright_pack::OpenPack;

use crate::{
    AppError, Config, OpenPacks, Task, ToolPattern,
    policies::nearest,
    task::{Calendar, PromptValues, is_dated},
};

/// The tools and instructions of a task, with the packs that stand behind them.
pub struct TaskSetup {
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The instructions that stand above conversations.
    pub system: String,
    /// Whether the first round must call a tool.
    pub first_choice: ToolChoice,
    /// The packs, opened.
    pub packs: TaskPacks,
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
        task.check_packs(config.packs())?;
        let mut open = Vec::new();
        for pack in config.packs().iter().filter(|pack| task.packs.has(pack.info().name)) {
            let name = pack.info().name;
            let opened = packs.open(config, pack, task.packs.names(name))?;
            open.extend(opened.map(|it| (name, it)));
        }
        let tools: Vec<_> = open.iter().flat_map(|(_, pack)| pack.tools()).collect();
        let tools = task.chosen(tools)?;
        let told: Vec<_> = open.iter().map(|(_, pack)| pack.instructions()).collect();
        let told: Vec<_> = told.into_iter().filter(|it| !it.is_empty()).collect();
        let calendar = Calendar::now(config.time_zone.value.as_ref());
        let day = is_dated(&task.prompt).then(|| calendar.date());
        let values = PromptValues { tools: &tools, instructions: told.join("\n\n"), calendar };
        let system = values.fill_in(&task.prompt).map_err(|it| task.wrong(it.reason))?;
        let first_choice = task.first_tool_choice.clone();
        Ok(Self { tools, system, first_choice, packs: TaskPacks(open), day })
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
        let known: HashSet<_> = self.packs.0.iter().map(|(name, _)| *name).collect();
        let missing = other.packs.0.into_iter().filter(|(name, _)| !known.contains(name));
        self.packs.0.extend(missing);
        self.first_choice = other.first_choice;
        self.day = self.day.or(other.day);
        self
    }
}

impl Task {
    /// Whether there are the packs that it names.
    pub(crate) fn check_packs(&self, packs: &crate::PackRegistry) -> Result<(), AppError> {
        let crate::PackChoice::Named(names) = &self.packs else { return Ok(()) };
        match names.iter().find(|name| packs.get(name).is_none()) {
            None => Ok(()),
            Some(name) => {
                let known = packs.names();
                Err(self.wrong(format!("there is no pack `{name}`; packs are: {known}")))
            }
        }
    }

    /// Those of these tools that it has.
    fn chosen(&self, tools: Vec<Arc<dyn Tool>>) -> Result<Vec<Arc<dyn Tool>>, AppError> {
        let names: Vec<String> = tools.iter().map(|tool| tool.spec().name.clone()).collect();
        let stray = self.tools.iter().find(|it| !names.iter().any(|name| it.is_about(name)));
        if let Some(pattern) = stray {
            let nearest = nearest(&pattern.to_string(), names.iter().map(String::as_str));
            let meant = nearest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default();
            return Err(self.wrong(format!("no tool is called `{pattern}`{meant}")));
        }
        let admit = |tool: &Arc<dyn Tool>| ToolPattern::admit(&self.tools, &tool.spec().name);
        Ok(tools.into_iter().filter(admit).collect())
    }

    fn wrong(&self, reason: String) -> AppError {
        let (name, place) = (self.name.clone(), self.source.to_string());
        AppError::Task { name, place, line: None, reason }
    }
}
