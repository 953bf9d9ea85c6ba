//! The tasks there are: what each says, and who wrote it.

use std::collections::HashSet;

use axum::extract::State;
use serde::Serialize;
use toolwright_app::{PackChoice, Task, TaskSource};
use utoipa::ToSchema;

use crate::{json::Json, server::Service};

/// All tasks.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaskFiles {
    tasks: Vec<TaskFile>,
}

/// A task as it is written.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaskFile {
    name: String,
    title: String,
    description: String,
    /// Who wrote it: `built_in`, `user`, `project` (a folder that is trusted) or `config`.
    written_by: &'static str,
    /// The file it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The packs it has tools of; `*` is all of them.
    packs: Vec<String>,
    /// The sources it has tools of; `*` is all of them.
    sources: Vec<String>,
    /// Which of their tools, where it does not have all.
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<String>>,
    /// What the model is told, a template.
    instructions: String,
    /// Whether it can be chosen here.
    offered: bool,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// All tasks, with what each says
#[utoipa::path(
    get, path = "/api/tasks", operation_id = "tasks", tag = "about",
    responses((status = 200, body = TaskFiles))
)]
pub(crate) async fn list(State(service): State<Service>) -> Json<TaskFiles> {
    let host = service.host();
    let offered: HashSet<_> = host.tasks().into_iter().map(|it| it.name).collect();
    let config = host.config();
    let catalog = &config.tasks;
    let mut tasks: Vec<_> = catalog
        .entries()
        .iter()
        .map(|entry| match catalog.load(entry) {
            Ok(task) => told(task, &offered),
            Err(error) => TaskFile {
                problem: Some(error.to_string()),
                ..blank(entry.name.clone(), &entry.source)
            },
        })
        .collect();
    // The usual one may be a file that no list has.
    let usual = &config.task.value;
    if !tasks.iter().any(|it| it.name == usual.name) {
        tasks.push(told(usual.clone(), &offered));
    }
    Json(TaskFiles { tasks })
}

fn told(task: Task, offered: &HashSet<String>) -> TaskFile {
    let names = |choice: &PackChoice| match choice {
        PackChoice::All => vec!["*".to_owned()],
        PackChoice::Named(names) => names.clone(),
    };
    TaskFile {
        packs: names(&task.packs),
        sources: names(&task.sources),
        tools: task.tools.as_ref().map(|it| it.iter().map(ToString::to_string).collect()),
        offered: offered.contains(&task.name),
        title: task.title,
        description: task.description,
        instructions: task.prompt,
        ..blank(task.name, &task.source)
    }
}

/// What is known of a task that cannot be read.
fn blank(name: String, source: &TaskSource) -> TaskFile {
    let (written_by, path) = match source {
        TaskSource::BuiltIn => ("built_in", None),
        TaskSource::User(path) => ("user", Some(path)),
        TaskSource::Project(path) => ("project", Some(path)),
        TaskSource::Config(path) => ("config", Some(path)),
    };
    TaskFile {
        title: name.clone(),
        name,
        description: String::new(),
        written_by,
        path: path.map(|it| it.display().to_string()),
        packs: Vec::new(),
        sources: Vec::new(),
        tools: None,
        instructions: String::new(),
        offered: false,
        problem: None,
    }
}
