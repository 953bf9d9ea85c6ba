//! [`Stage`]: where a case is played: the real assembly with real tools, or tools that are only described.

use std::{
    collections::{BTreeMap, HashMap},
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    pin::Pin,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;
use toolwright_app::{App, Config, Flags, OfflineModel, PackRegistry, assemble};
use toolwright_core::{
    CallId, Decision, Event, EventKind, Message, Status, ToolCatalog, ToolEffect,
    review::{Finding, FindingKind, ReviewCheck, ReviewTools, Reviewer},
};
use toolwright_review::AnswerReviewer;
use toolwright_runtime::{ApprovalRequest, Approver, RunStream};

use crate::question::{Case, Turn};

/// What came of one turn.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) calls: Vec<Made>,
    /// The tools that were offered, where not all were.
    pub(crate) offered: Vec<String>,
    /// The answer, or why there is none.
    pub(crate) answer: Result<String, String>,
    /// What in the answer no result and no question has.
    pub(crate) invented: Vec<String>,
    pub(crate) to_first_call: Option<Duration>,
    pub(crate) to_answer: Duration,
}

impl Default for Played {
    fn default() -> Self {
        Self {
            calls: Vec::new(),
            offered: Vec::new(),
            answer: Err("the run stopped before its end".to_owned()),
            invented: Vec::new(),
            to_first_call: None,
            to_answer: Duration::ZERO,
        }
    }
}

/// A call that was made.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) tool: String,
    pub(crate) args: Value,
    /// What it does to the world; unknown where it did not pass the checks.
    pub(crate) effect: Option<ToolEffect>,
    /// How it ended; not at all where only the first reply was wanted.
    pub(crate) status: Option<Status>,
    pub(crate) text: String,
}

impl Made {
    pub(crate) fn is_ok(&self) -> bool {
        self.status.is_none_or(Status::is_ok)
    }

    /// What the tool took for an argument: the file that it found under a name that is not quite the file's, where it says so.
    pub(crate) fn taken(&self, name: &str) -> Value {
        let given = self.args.get(name).unwrap_or(&Value::Null);
        let note = given.as_str().map(|typed| format!(": there is no {typed}]"));
        let taken = note.and_then(|note| {
            let (before, _) = self.text.rsplit_once(&note)?;
            let (_, path) = before.rsplit_once("[this is ")?;
            Some(Value::from(path))
        });
        taken.unwrap_or_else(|| given.clone())
    }
}

/// Where a case is played.
pub(crate) struct Stage {
    scratch: TempDir,
    template: PathBuf,
    /// The task that is set up: one model at a time is in memory.
    current: Option<(String, Config, App)>,
    model: String,
}

impl Stage {
    /// A stage with this model. What was fetched for it is in `models`, the files of the workspace in
    /// `template`.
    pub(crate) fn new(model: &str, models: &Path, template: &Path) -> Result<Self, Box<dyn Error>> {
        fs::create_dir_all(models)?;
        let scratch = tempfile::tempdir()?;
        fs::create_dir_all(scratch.path().join("data"))?;
        fs::create_dir_all(scratch.path().join("workspace"))?;
        std::os::unix::fs::symlink(models.canonicalize()?, scratch.path().join("data/models"))?;
        let (model, template) = (model.to_owned(), template.to_owned());
        Ok(Self { scratch, template, current: None, model })
    }

    /// Plays a case, turn by turn.
    pub(crate) async fn play(&mut self, case: &Case) -> Result<Vec<Played>, Box<dyn Error>> {
        self.reset(&case.notes, &case.workspace)?;
        let task = if case.tools.is_empty() { case.task.as_str() } else { "demo" };
        self.set_up(task).await?;
        let Some((_, _, app)) = &self.current else { return Ok(Vec::new()) };
        if !case.tools.is_empty() {
            let run = crate::described::ask(app, case)?;
            return Ok(vec![follow(run, Until::FirstReply).await]);
        }
        let id = toolwright_runtime::new_conversation_id();
        let mut played = Vec::new();
        for Turn { ask, .. } in &case.turns {
            let run = app.session.ask(Some(&id), ask.as_str(), app.context.clone()).await?;
            let tools = &*app.session.agent().settings().toolbox;
            played.push(follow(run.running, Until::Answer(tools)).await);
        }
        Ok(played)
    }

    /// What a file of the workspace holds.
    pub(crate) fn file(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.scratch.path().join("workspace").join(path)).ok()
    }

    /// The parameters of a tool of the task that is set up.
    pub(crate) fn schema(&self, tool: &str) -> Option<Value> {
        let (_, _, app) = self.current.as_ref()?;
        Some(app.session.agent().settings().toolbox.get(tool)?.spec().parameters.clone())
    }

    async fn set_up(&mut self, task: &str) -> Result<(), Box<dyn Error>> {
        if self.current.as_ref().is_some_and(|(name, ..)| name == task) {
            return Ok(());
        }
        self.current = None;
        let folder = self.scratch.path();
        let works = matches!(task, "general" | "workspace").then(|| folder.join("workspace"));
        // The files are the evaluation's own, and so are the commands, but for what the sandbox is for.
        let works = works.map(|path| {
            let path = (("workspace", "path"), path.to_string_lossy().into_owned());
            [path, (("workspace", "allow_root"), "true".to_owned())]
        });
        let flags = Flags {
            data: Some(folder.join("data")),
            task: Some(task.to_owned()),
            model: Some(self.model.clone()),
            packs: works.into_iter().flatten().collect(),
            ..Flags::default()
        };
        let packs = PackRegistry::new()
            .with(toolwright_demo::DemoPack)
            .with(toolwright_market::MarketPack)
            .with(toolwright_watch::WatchPack)
            .with(toolwright_workspace::WorkspacePack);
        let config = Config::load(&packs, &flags)?;
        fetched(&config).await?;
        let app = assemble(&config, Looked, Vec::new()).await?;
        self.current = Some((task.to_owned(), config, app));
        Ok(())
    }

    /// The notes and files of a case that begins. The folders stay: the tools hold them open.
    fn reset(&self, notes: &[String], files: &BTreeMap<String, String>) -> io::Result<()> {
        let lines: String = notes.iter().map(|note| format!("{note}\n")).collect();
        fs::write(self.scratch.path().join("data/notes.txt"), lines)?;
        let workspace = self.scratch.path().join("workspace");
        for entry in fs::read_dir(&workspace)? {
            let path = entry?.path();
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        copy(&self.template, &workspace)?;
        for (path, text) in files {
            let path = workspace.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)?;
        }
        Ok(())
    }
}

/// What the offline model needs is fetched once; without it every question would only be wrong.
async fn fetched(config: &Config) -> Result<(), Box<dyn Error>> {
    if config.offline().is_none() || OfflineModel::is_fetched(config) {
        return Ok(());
    }
    let config = config.clone();
    let fetch = move || OfflineModel::fetch(&config, &mut |_, _, _| {});
    Ok(tokio::task::spawn_blocking(fetch).await??)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Somebody who looks at every call and says yes.
struct Looked;

impl Approver for Looked {
    fn decide<'a>(
        &'a self,
        _: &'a ApprovalRequest<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(std::future::ready(Decision::AllowReviewed))
    }
}

/// How far a run is followed.
#[derive(Clone, Copy)]
enum Until<'c> {
    FirstReply,
    /// The tools it may rest on.
    Answer(&'c dyn ToolCatalog),
}

async fn follow(mut run: RunStream, until: Until<'_>) -> Played {
    let started = Instant::now();
    let mut played = Played::default();
    let mut places = HashMap::new();
    while let Some(event) = run.next().await {
        if matches!(event.kind, EventKind::ToolCalls { .. }) {
            played.to_first_call.get_or_insert_with(|| started.elapsed());
        }
        if let (EventKind::Reply { message, .. }, Until::FirstReply) = (&event.kind, until) {
            return first_reply(message, started.elapsed());
        }
        note(&mut played, &mut places, event);
    }
    played.to_answer = started.elapsed();
    if let (Ok(answer), Some(conversation), Until::Answer(tools)) =
        (&played.answer, run.conversation(), until)
    {
        let found = AnswerReviewer::new()
            .review(answer, conversation, ReviewTools::Required(tools))
            .findings
            .into_iter()
            .filter(is_invented);
        played.invented = found.map(|it| it.text).collect();
    }
    played
}

/// Names are not asked for: whatever a person calls something would be one.
fn is_invented(finding: &Finding) -> bool {
    use FindingKind::{Date, Figure, Id};
    finding.check == ReviewCheck::Supported && matches!(finding.kind, Figure | Date | Id)
}

fn note(played: &mut Played, places: &mut HashMap<CallId, usize>, event: Event) {
    match event.kind {
        EventKind::ToolCalls { tool_calls } => {
            for call in tool_calls {
                places.insert(call.id, played.calls.len());
                let args = (*call.args).clone();
                let (effect, text) = (None, String::new());
                let status = Some(Status::Interrupted);
                played.calls.push(Made { tool: call.tool, args, effect, status, text });
            }
        }
        EventKind::CallChecked { id, tool, arguments: args, effect, .. } => {
            if let Some(made) = places.get(&id).and_then(|at| played.calls.get_mut(*at)) {
                (made.tool, made.args, made.effect) = (tool, (*args).clone(), Some(effect));
            }
        }
        EventKind::CallFinished { id, status, message, .. } => {
            if let Some(made) = places.get(&id).and_then(|at| played.calls.get_mut(*at)) {
                // A model is shown one or the other, and so are people.
                let words = match &*message {
                    Message::Tool(it) => it.outcome.words.as_deref().unwrap_or_default(),
                    _ => "",
                };
                (made.status, made.text) =
                    (Some(status), format!("{}\n{words}", message.content()));
            }
        }
        EventKind::ToolsOffered { tools, .. } => played.offered = tools,
        EventKind::Done(answer) => played.answer = Ok(answer.response),
        EventKind::Error(failure) => played.answer = Err(failure.message),
        _ => {}
    }
}

/// What the model said first; its calls are not run.
fn first_reply(message: &Message, took: Duration) -> Played {
    let made = message.calls().iter().map(|call| Made {
        tool: call.name.clone(),
        args: serde_json::from_str(&call.arguments).unwrap_or_default(),
        effect: None,
        status: None,
        text: String::new(),
    });
    Played {
        calls: made.collect(),
        answer: Ok(message.content().to_owned()),
        to_first_call: (!message.calls().is_empty()).then_some(took),
        to_answer: took,
        ..Played::default()
    }
}
