//! `/model` and `/task`: what can answer and what can be done here, and taking up another.

use toolwright_app::{Flags, ModelSurvey};
use toolwright_core::truncate_line;

use super::{Chat, Next};
use crate::{
    commands::models,
    error::Result,
    style::{BOLD, DIM, END, ERROR, NAME, WARN, line, tame},
};

/// How many models of a provider are listed.
const MOST: usize = 40;

impl Chat {
    /// `/model [NAME]`
    pub(super) async fn model(&mut self, name: &str) -> Result<Next> {
        if name.is_empty() {
            self.list_models().await?;
        } else {
            let model = Some(name.to_owned());
            self.take_up(Flags { model, ..self.flags.clone() }).await?;
            self.completions.add_models([name.to_owned()]);
            line(&format!("{DIM}From now on: {}.{END}", self.app.engine.describe()));
        }
        Ok(Next::Line)
    }

    /// `/task [NAME]`
    pub(super) async fn task(&mut self, name: &str) -> Result<Next> {
        if name.is_empty() {
            self.list_tasks();
        } else {
            let task = Some(name.to_owned());
            self.take_up(Flags { task, ..self.flags.clone() }).await?;
            let (name, tools) = (tame(&self.config.task.value.name), self.tools_told());
            line(&format!("{DIM}From now on: task {name}, tools: {tools}.{END}"));
        }
        Ok(Next::Line)
    }

    /// Goes on as if the chat had been started with these flags; as it was where that is not possible.
    async fn take_up(&mut self, flags: Flags) -> Result {
        let config = self.config.with(&flags)?;
        models::ready(&config).await?;
        self.app = self.assembled(&config)?;
        (self.config, self.flags) = (config, flags);
        Ok(())
    }

    async fn list_models(&self) -> Result {
        line(&format!("{BOLD}{}{END} answers.", tame(&self.app.engine.name())));
        let survey = ModelSurvey::of(&self.config).await?;
        for provider in &survey.providers {
            let of = |it: &String| format!("{}:{it}", provider.name);
            let names: Vec<_> = provider.models.iter().take(MOST).map(of).collect();
            if let Some(problem) = &provider.problem {
                let (name, problem) = (tame(&provider.name), tame(problem));
                line(&format!("  {ERROR}✗{END} {name} {DIM}{problem}{END}"));
            }
            self.list_names(names);
        }
        for found in &survey.found {
            let of = |it: &str| format!("{}:{it}", found.provider);
            let names = found.models.iter().take(MOST).map(|it| of(&it.name));
            self.list_names(names.collect());
        }
        line(&format!("{DIM}/model NAME lets another answer; `offline` is always there.{END}"));
        Ok(())
    }

    fn list_names(&self, names: Vec<String>) {
        names.iter().for_each(|it| line(&format!("  {NAME}{}{END}", tame(it))));
        self.completions.add_models(names);
    }

    fn list_tasks(&self) {
        for entry in self.config.tasks.entries() {
            let is_it = entry.name == self.config.task.value.name;
            let mark = if is_it { format!("{BOLD}●{END}") } else { " ".to_owned() };
            let told = match self.config.tasks.load(entry) {
                Ok(task) => truncate_line(&task.description, 200),
                Err(error) => format!("{WARN}{}{END}", tame(&error.to_string())),
            };
            line(&format!("{mark} {NAME}{:<14}{END} {told}", tame(&entry.name)));
        }
        line(&format!("{DIM}/task NAME takes up another.{END}"));
    }
}
