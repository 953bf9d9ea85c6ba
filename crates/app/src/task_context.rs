//! [`TaskContext`]: what a task tells its model of the project, and what the user can call there.

use std::{path::Path, sync::Arc};

use serde_json::Value;
use toolwright_core::{Attachment, Tool, ToolSource};
use toolwright_pack::OpenPack;
use toolwright_project::{
    ContextBudget, ContextSource, ContextText, Expansion, ExpansionError, LOAD_SKILL,
    NestedInstructions, ProjectContext, SlashCommand,
};
use toolwright_runtime::ResultAppendix;

use crate::{
    AppError, Config, PackChoice, ServerPrompt, Task, TaskSource, UserContentError,
    config::FolderProject,
    task_content::{self, TaskContent},
    task_setup::TaskPacks,
};

/// What a task tells its model of the project, and what the user can call there.
#[derive(Clone, Default)]
pub struct TaskContext {
    project: Arc<FolderProject>,
    is_told: bool,
    budget: ContextBudget,
    servers: TaskContent,
}

impl TaskContext {
    /// What the project says in the folder that the task works in. It is told where the task is about a
    /// folder: where its packs work in one, where it takes all packs there are, and where it is the project's
    /// own. A task about something else is not told how to write code.
    pub(crate) fn of(
        config: &Config,
        task: &Task,
        packs: &TaskPacks,
        sources: &[Arc<dyn ToolSource>],
    ) -> Result<Self, AppError> {
        let folder = packs.iter().find_map(OpenPack::folder);
        let is_told = folder.is_some()
            || task.packs == PackChoice::All
            || matches!(task.source, TaskSource::Project(_));
        let project = Arc::new(config.project(folder)?);
        let servers = TaskContent::new(config, sources);
        Ok(Self { project, is_told, budget: ContextBudget::default(), servers })
    }

    /// For a model that reads this many tokens.
    pub(crate) fn for_window(&mut self, tokens: u64) {
        self.budget = ContextBudget::of_window(tokens);
    }

    /// For a model that is told nothing of it: its prompt has no room.
    pub(crate) fn untold(&mut self) {
        self.is_told = false;
    }

    /// The tool by which a model reads skills, where it is told of any.
    pub(crate) fn tool(&self, task: &Task, tools: &[Arc<dyn Tool>]) -> Option<Arc<dyn Tool>> {
        let is_taken = tools.iter().any(|it| it.spec().name == LOAD_SKILL);
        // A task that says which tools it has has no others.
        let is_admitted = task
            .tools
            .as_ref()
            .is_none_or(|patterns| crate::ToolPattern::admit(patterns, LOAD_SKILL));
        if !self.is_told || is_taken || !is_admitted {
            return None;
        }
        Some(Arc::new(self.context().tool()?))
    }

    /// How the model is told; nothing where it is not.
    pub(crate) fn text(&self) -> ContextText {
        match self.is_told {
            true => self.context().text(self.budget),
            false => ContextText::default(),
        }
    }

    /// What is said beside results, where something may be.
    pub(crate) fn appendix(&self, packs: &TaskPacks) -> Option<Arc<dyn ResultAppendix>> {
        let nested = self.project.nested.clone().filter(|_| self.is_told)?;
        packs.iter().find(|it| it.folder().is_some())?;
        Some(Arc::new(Nested { nested, packs: packs.clone() }))
    }

    fn context(&self) -> &ProjectContext {
        &self.project.context
    }

    /// Whether the model is told of it: a task that is about no folder is not, and neither is a small model.
    pub fn is_told(&self) -> bool {
        self.is_told
    }

    /// Everything that is told or could be called, and what is not used.
    pub fn sources(&self) -> Vec<ContextSource> {
        self.context().sources(self.budget)
    }

    /// What the user has to know of it, a line each.
    pub fn notices(&self) -> Vec<String> {
        let notice = self.project.notice.clone().into_iter();
        notice.chain(self.text().notices).collect()
    }

    /// The commands that the user can call.
    pub fn commands(&self) -> &[SlashCommand] {
        self.context().commands()
    }

    /// What is told where this task's words are another's: what their servers have can be called in both.
    pub(crate) fn with(mut self, mut other: Self) -> Self {
        let (own_servers, servers) =
            (std::mem::take(&mut self.servers), std::mem::take(&mut other.servers));
        let mut kept = if self.is_told { self } else { other };
        kept.servers = own_servers;
        kept.servers.extend(servers);
        kept
    }

    /// The prompts of the task's servers, which the user can call, too. Servers are asked where that is not known.
    pub async fn prompts(&self) -> Vec<ServerPrompt> {
        self.servers.prompts().await
    }

    /// The resources that the task's servers list, as [`attach`](Self::attach) takes them.
    pub async fn resources(&self) -> Vec<String> {
        self.servers.resources().await
    }

    /// Whether a line calls a command that there is, or a prompt of a server that there is.
    pub fn is_call(&self, line: &str) -> bool {
        let name = toolwright_project::called(line).map(|(name, _)| name);
        name.is_some_and(|name| self.commands().iter().any(|it| it.name == name))
            || self.servers.called(line).is_some()
    }

    /// What becomes of a line that calls a command or a prompt; none where it calls none there is. A file comes
    /// before a prompt of the same name.
    ///
    /// # Errors
    /// Where nothing becomes of it.
    pub async fn call(&self, line: &str) -> Option<Result<Expansion, UserContentError>> {
        match self.expand(line) {
            Some(expansion) => Some(expansion.map_err(UserContentError::from)),
            None => self.servers.expand(line).await,
        }
    }

    /// Whether this is the address of a server's resource, and no file: `mcp:SERVER:URI`.
    pub fn is_resource(text: &str) -> bool {
        task_content::reference(text).is_some()
    }

    /// What stands at `mcp:SERVER:URI`: foreign text, as a file is, named by where it came from.
    ///
    /// # Errors
    /// Where nothing does.
    pub async fn attach(&self, reference: &str) -> Result<Vec<Attachment>, UserContentError> {
        self.servers.attach(reference).await
    }

    /// What becomes of a line that calls a command; none where it calls none there is.
    ///
    /// # Errors
    /// Where nothing becomes of it.
    pub fn expand(&self, line: &str) -> Option<Result<Expansion, ExpansionError>> {
        self.context().expand(line)
    }

    /// What becomes of a command with these in its places; none where there is no such command.
    ///
    /// # Errors
    /// Where nothing becomes of it.
    pub fn expand_words(
        &self,
        name: &str,
        words: &[String],
    ) -> Option<Result<Expansion, ExpansionError>> {
        self.context().expand_words(name, words)
    }
}

/// What the project says about the files that were touched.
struct Nested {
    nested: NestedInstructions,
    packs: TaskPacks,
}

impl ResultAppendix for Nested {
    fn mark(&self) -> &str {
        NestedInstructions::MARK
    }

    fn beside(
        &self,
        tool: &str,
        arguments: &Value,
        is_told: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let pack = self.packs.iter().find(|it| it.folder().is_some())?;
        let touched = pack.touched(tool, arguments)?;
        let folder: &Path = pack.folder()?;
        self.nested.about(&folder.join(touched), is_told)
    }
}
