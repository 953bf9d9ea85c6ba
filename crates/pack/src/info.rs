//! [`PackInfo`]: what a pack is, as data.

use crate::SettingKey;

/// What a pack is. All of it is known before anything is opened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PackInfo {
    /// Its name. The section of the config file has it, too.
    pub name: &'static str,
    /// What it is for, in a line.
    pub summary: &'static str,
    /// What can be set about it.
    pub settings: &'static [SettingKey],
    /// The tasks that come with it, as files.
    pub tasks: &'static [TaskFile],
    /// The names of its tools, as far as they are known without opening it: what the config file says
    /// of a tool is held against them.
    pub tools: &'static [&'static str],
    /// Words of its domain, with blanks between them. To the review they are no names that a result
    /// would have to bear out.
    pub vocabulary: &'static str,
    /// What somebody who asks may send along to be let in elsewhere.
    pub credential: Option<Credential>,
    /// The models that come with it.
    pub models: &'static [PackModel],
}

/// A model that comes with a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackModel {
    /// The name that `--model` is given.
    pub name: &'static str,
    /// What answers where it is chosen, in an honest sentence.
    pub about: &'static str,
}

impl PackModel {
    /// A model of this name.
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about }
    }
}

/// A task that comes with a pack: Markdown with front matter, as a user would write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskFile {
    /// The task's name.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// What somebody who asks may send along, for one run: never kept, and never shown to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Credential {
    /// The field of the request it stands in.
    pub field: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// The task that is meant where it is sent and none is named. Whatever the task, the pack's tools
    /// are at hand then.
    pub task: &'static str,
}

impl PackInfo {
    /// A pack of this name: lower-case letters, digits and `_`.
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            settings: &[],
            tasks: &[],
            tools: &[],
            vocabulary: "",
            credential: None,
            models: &[],
        }
    }

    /// The same with what can be set about it.
    pub const fn settings(mut self, settings: &'static [SettingKey]) -> Self {
        self.settings = settings;
        self
    }

    /// The same with the tasks that come with it.
    pub const fn tasks(mut self, tasks: &'static [TaskFile]) -> Self {
        self.tasks = tasks;
        self
    }

    /// The same with the names of its tools.
    pub const fn tools(mut self, tools: &'static [&'static str]) -> Self {
        self.tools = tools;
        self
    }

    /// The same with words of its domain.
    pub const fn vocabulary(mut self, words: &'static str) -> Self {
        self.vocabulary = words;
        self
    }

    /// The same with what somebody who asks may send along.
    pub const fn credential(mut self, credential: Credential) -> Self {
        self.credential = Some(credential);
        self
    }
}

impl PackInfo {
    /// The same with the models that come with it.
    pub const fn models(mut self, models: &'static [PackModel]) -> Self {
        self.models = models;
        self
    }
}

impl TaskFile {
    /// A task of this name.
    pub const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text }
    }
}

impl Credential {
    /// What stands in this field of a request, and means this task.
    pub const fn new(field: &'static str, about: &'static str, task: &'static str) -> Self {
        Self { field, about, task }
    }
}
