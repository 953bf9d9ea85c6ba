//! `toolwright tasks`: the jobs there are, and files to write one.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde_json::json;
use toolwright_app::{
    AppError, Config, OpenPacks, PackChoice, Task, TaskCatalog, TaskEntry, TaskSetup, TaskSource,
    config::{TASKS, check_tasks_folder},
};
use toolwright_core::truncate_line;
use toolwright_files::{Writing, private_file, private_folder};

use crate::{
    args::TasksCommand,
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, ERROR, GOOD, NAME, line, out},
};

pub(crate) fn run(config: &Config, command: Option<TasksCommand>, json: bool) -> Result<Exit> {
    match command.unwrap_or(TasksCommand::List) {
        TasksCommand::List => list(config, json),
        TasksCommand::Show { name, prompt } => show(config, &name, prompt, json),
        TasksCommand::New { name, project } => new(config, &name, project, json),
        TasksCommand::Check { tasks } => check(config, &tasks, json),
    }
}

fn list(config: &Config, json: bool) -> Result<Exit> {
    let entries = config.tasks.entries().iter().map(|entry| (entry, config.tasks.load(entry)));
    if json {
        let lines = entries.map(|(entry, task)| match task {
            Ok(task) => as_json(&task),
            Err(error) => json!({
                "name": entry.name, "source": entry.source.to_string(), "error": error.to_string(),
            }),
        });
        out(&format!("{}\n", serde_json::to_string_pretty(&lines.collect::<Vec<_>>())?))?;
        return Ok(Exit::Answered);
    }
    for (entry, task) in entries {
        let source = truncate_line(&entry.source.to_string(), usize::MAX);
        let told = match task {
            Ok(task) => truncate_line(&task.description, 200),
            // A name that is none cannot be asked about.
            Err(AppError::Task { reason, .. }) if !TaskCatalog::is_name(&entry.name) => {
                format!("{ERROR}wrong:{END} {}", truncate_line(&reason, 500))
            }
            Err(_) => format!(
                "{ERROR}wrong:{END} toolwright tasks check {}",
                truncate_line(&entry.name, 100)
            ),
        };
        let name = truncate_line(&entry.name, 100);
        out(&format!("{NAME}{name:<14}{END} {told} {DIM}({source}){END}\n"))?;
    }
    Ok(Exit::Answered)
}

fn as_json(task: &Task) -> serde_json::Value {
    let packs = match &task.packs {
        PackChoice::All => json!(["*"]),
        PackChoice::Named(names) => json!(names),
    };
    json!({
        "name": task.name, "title": task.title, "description": task.description, "packs": packs,
        "starters": task.starters, "source": task.source.to_string(),
    })
}

/// A task by its name, or in a file.
fn named(config: &Config, name: &str) -> Result<Task, AppError> {
    match TaskCatalog::is_file(name) {
        true => TaskCatalog::in_file(Path::new(name)),
        false => config.tasks.get(name),
    }
}

fn show(config: &Config, name: &str, prompt: bool, json: bool) -> Result<Exit> {
    let task = named(config, name)?;
    let text = if prompt {
        TaskSetup::of_task(config, &OpenPacks::default(), &task)?.system
    } else {
        let entry = config.tasks.entries().iter().find(|entry| entry.name == task.name);
        let text = entry.filter(|_| !TaskCatalog::is_file(name)).and_then(|it| it.text());
        text.map_or_else(|| task.prompt.clone(), |text| as_said(&task, text))
    };
    if let Some((path, fields)) = task.said().filter(|_| !prompt) {
        let (path, fields) = (path.display(), fields.join(", "));
        line(&format!("{DIM}`[tasks.{}]` in {path} says: {fields}{END}", task.name));
    }
    out(&if json {
        let key = if prompt { "prompt" } else { "file" };
        format!("{}\n", json!({"name": task.name, key: text}))
    } else {
        format!("{}\n", text.trim_end())
    })?;
    Ok(Exit::Answered)
}

/// A task's file, with the prompt that counts.
fn as_said(task: &Task, text: &str) -> String {
    let is_said = task.said().is_some_and(|(_, fields)| fields.contains(&"prompt"));
    match text.split_once("\n---").filter(|_| is_said) {
        Some((front, _)) => format!("{front}\n---\n{}\n", task.prompt),
        None => text.to_owned(),
    }
}

fn new(config: &Config, name: &str, project: bool, json: bool) -> Result<Exit> {
    if !TaskCatalog::is_name(name) {
        let message = format!("`{}` is no name for a task", truncate_line(name, 100));
        return Err(CommandError::unusable(message)
            .with_advice("use small letters, digits, `-` and `_`")
            .into());
    }
    let known = config.tasks.entries().iter().find(|entry| entry.name == name);
    let folder = match (project, &config.user_folder) {
        (true, _) => project_folder(known)?,
        (false, Some(folder)) => folder.join("tasks"),
        (false, None) => return Err(AppError::NoHome.into()),
    };
    match project {
        // Others work in it, too.
        true => std::fs::create_dir_all(&folder)?,
        false => private_folder(&folder)?,
    }
    let path = folder.join(format!("{name}.md"));
    let packs: Vec<_> = config.packs().iter().map(|pack| pack.info().name).collect();
    let text = NEW.replace("{packs}", &packs.join(", "));
    write_new(&path, &text).map_err(|error| {
        let path = path.display();
        let message = match error.kind() {
            io::ErrorKind::AlreadyExists => format!("{path} is there already, and was not changed"),
            _ => format!("{path} cannot be written: {error}"),
        };
        CommandError::unusable(message)
            .with_advice("choose another name, or edit the file that is there")
    })?;
    if json {
        out(&format!("{}\n", json!({"name": name, "path": path})))?;
        return Ok(Exit::Answered);
    }
    out(&format!("{}\n", path.display()))?;
    if let Some(TaskEntry { source: TaskSource::BuiltIn, .. }) = known {
        line(&format!("`{name}` is built in: your file is in its place from now on"));
    }
    // What is not trusted yet has no name.
    let at = if project { path.display().to_string() } else { name.to_owned() };
    line(&format!("{DIM}Edit it, then: toolwright tasks check {at}{END}"));
    if project {
        line(&format!("{DIM}Whoever works here has to trust it first: toolwright trust{END}"));
    }
    Ok(Exit::Answered)
}

/// Where a task of the project's is written, if it can be one beside the task of its name.
fn project_folder(known: Option<&TaskEntry>) -> Result<PathBuf> {
    if let Some(entry) = known.filter(|it| !matches!(it.source, TaskSource::Project(_))) {
        let message = format!("there is a task `{}` already ({})", entry.name, entry.source);
        return Err(CommandError::unusable(message)
            .with_advice("choose another name: a project's task takes the place of none")
            .into());
    }
    match check_tasks_folder(Path::new("")) {
        Ok(_) => Ok(PathBuf::from(TASKS)),
        Err(refusal) => {
            let message = format!("{} cannot be used: {}", refusal.path.display(), refusal.reason);
            Err(CommandError::unusable(message)
                .with_advice("put a folder in its place: tasks are read from nowhere else")
                .into())
        }
    }
}

/// Writes a file where there is none.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = private_file(path, Writing::New)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn check(config: &Config, tasks: &[String], json: bool) -> Result<Exit> {
    let all: Vec<(String, Result<Task, AppError>)> = match tasks {
        [] => {
            let entries = config.tasks.entries().iter();
            entries.map(|entry| (entry.name.clone(), config.tasks.load(entry))).collect()
        }
        names => names.iter().map(|name| (name.clone(), named(config, name))).collect(),
    };
    let open = OpenPacks::default();
    let mut is_wrong = false;
    let mut lines = Vec::new();
    for (name, task) in &all {
        let looked = task.as_ref().map_err(ToString::to_string).and_then(|task| {
            match TaskSetup::of_task(config, &open, task) {
                Ok(setup) => Ok((told(&setup), task.warnings())),
                // Where one stands is no mistake of the task's.
                Err(AppError::Pack { error, .. }) => Ok((format!("not here: {error}"), Vec::new())),
                Err(error) => Err(error.to_string()),
            }
        });
        let is_good = looked.is_ok();
        let (says, warnings) = looked.unwrap_or_else(|error| (error, Vec::new()));
        let says = warnings.iter().fold(says, |says, it| format!("{says}; warning: {it}"));
        is_wrong |= !is_good;
        if json {
            lines.push(json!({"name": name, "ok": is_good, "message": says}));
            continue;
        }
        let sign = if is_good { format!("{GOOD}✓{END}") } else { format!("{ERROR}✗{END}") };
        let says = truncate_line(&says, usize::MAX);
        out(&format!("{sign} {BOLD}{}{END} {says}\n", truncate_line(name, 200)))?;
    }
    if json {
        out(&format!("{}\n", serde_json::to_string_pretty(&lines)?))?;
    }
    Ok(if is_wrong { Exit::Usage } else { Exit::Answered })
}

fn told(setup: &TaskSetup) -> String {
    match setup.tools.len() {
        1 => "1 tool".to_owned(),
        count => format!("{count} tools"),
    }
}

/// What a new file says. Everything in it can go.
const NEW: &str = r#"---
description: what it is for, in a line
# The packs it has tools of ("*" for all): {packs}
packs: ["*"]
# Which of their tools: names, get_* for those that begin so, !delete_* to leave some out
# tools: ["*", "!delete_*"]
# auto, or required where an answer without a call would be made up
# first_tool_choice: auto
# off, warn, enforce or replace: how strictly answers are held against the results
# review: warn
# limits: { rounds: 10, wall_clock: 10m }
# model: offline
# one_at_a_time: true
# approvals:
#   - { verdict: ask, tool: take_note }
starters:
  - A question to begin with
---
You are a helpful assistant. {{ today }}

Say here how the model is to work.

{{ instructions }}

The tools:
{%- for tool in tools %}
- {{ tool.name }}: {{ tool.summary }}
{%- endfor %}
"#;
