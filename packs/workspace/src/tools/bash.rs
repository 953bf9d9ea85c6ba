//! [`Bash`]: runs a command in the sandbox.

use std::{path::Path, sync::Arc, time::Duration};

use futures_core::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use toolwright_core::{
    CallPreview, OpaqueCommand, Output, PreviewContent, RuleTargets, RunContext, Tool, ToolEffect,
    ToolError, ToolErrorKind, ToolResult, ToolSpec, Verbatim, schema_of,
};
use toolwright_sandbox::{Ending, Output as Written, Words, size};

use crate::{
    NoSandbox, Workspace,
    root::Kind,
    sandbox::{Access, Fate, Finished, Held, Job, Repository},
    shell::{self, Looking},
};

/// The longest script that the system takes as one argument.
const LONGEST: usize = (128 << 10) - 1;

/// The longest script that is searched for commands that carry out what nobody has seen.
const READ: usize = 16 << 10;
/// What a call says that left something behind.
const LEFT: &str = "The command left something that steers other programs, and it could not be put \
    aside. Until somebody has looked at it, no other command runs here";

/// What a call says that nobody could have gone on with.
const NO_SCREEN: &str = "Command was stopped: it is a full-screen program that waits for keys, and \
    there is no terminal here. Use one that needs none (sed, or the tool edit, instead of vi)";

/// Things people say when they want it.
const EXAMPLES: [&str; 7] = [
    "run the tests",
    "build the project",
    "run git status",
    "how many lines of code are there",
    "execute make lint",
    "what is the disk usage",
    "what does `python3 report.py` print",
];

/// Words by which people ask for it: whatever asks for something to be done or to be known. What is only said asks
/// for nothing.
const ASKED_BY: &str = "\
    run, rerun, execute, start, launch, call, invoke, test, build, compile, install, uninstall, \
    update, upgrade, format, lint, check, verify, commit, push, pull, fetch, checkout, merge, \
    stash, git, make, cargo, npm, python, pip, docker, command, script, shell, bash, terminal, \
    use, try, do, count, print, show, list, tell, give, get, find, sort, compare, diff, move, \
    copy, rename, delete, remove, create, how, what, which, who, when, where, again, repeat, \
    once more, go, node, ls, cat, grep, pytest, is, are, can, see, need, want, let, kick off, \
    fire, ps, df, du, echo, uname, whoami, pwd, date, head, tail, wc, cp, mv, rm, mkdir, touch, \
    chmod, sed, awk, curl, tar, sh, ruff, mvn, gradle, yarn, clean, clear, write, add, free, \
    env, version, space, size, last, line, final, closing, end, number, word, output, user, username, \
    folder, linter, formatter, fmt, branch, current, history, exec, hit, apply, kill, prepare, \
    system, am, order, changes, no, meant";

pub(crate) fn tool(workspace: Arc<Workspace>) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("bash", description(&workspace), schema_of::<Arguments>());
    let spec = spec.free_text("command").executable("command").generated("command");
    let spec = spec.asked_by(ASKED_BY.split(", ")).examples(EXAMPLES).verbatim(Verbatim::Text);
    let spec = match workspace.sandbox() {
        // It does nothing but say so: nobody has to be asked.
        Err(_) => spec.effect(ToolEffect::ReadOnly),
        // What is stopped here says what it wrote until then.
        Ok(_) => spec
            .effect(ToolEffect::Destructive)
            .timeout(workspace.settings.limits.most_time + Duration::from_secs(10)),
    };
    Arc::new(Bash { workspace, spec })
}

/// What a script may do with the workspace. Asked before it is decided about and when it runs, so a
/// script that needs no question has no way to write.
fn access(script: &str) -> Access {
    match shell::looks(script) {
        Some(_) => Access::ReadOnly,
        None => Access::Write,
    }
}

/// Runs a command in the sandbox.
struct Bash {
    workspace: Arc<Workspace>,
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// The command, or a script of several lines.
    command: String,
    /// How many seconds it may take.
    #[schemars(range(min = 1))]
    timeout_seconds: Option<u64>,
    /// The folder to run it in, as a path from the workspace root. Without it, the workspace root.
    cwd: Option<String>,
}

impl Tool for Bash {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let (asked, folder) = self.check(&arguments).await?;
            let folder = Path::new(&folder);
            let ran = self.run(&asked, folder, context).await;
            ran.map_err(|error| error.with_input(shown(&arguments, folder)))
        })
    }

    fn opaque_commands(&self, arguments: &Value) -> Vec<OpaqueCommand> {
        let Some(script) = arguments.get("command").and_then(Value::as_str) else {
            return Vec::new();
        };
        // Nothing else happens meanwhile: what takes long to read is for a person.
        if script.len() > READ {
            let reason = format!("it is longer than {} KiB", READ >> 10);
            return vec![OpaqueCommand::Unclear { part: script.to_owned(), reason }];
        }
        shell::unseen(script)
    }

    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        _context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        Box::pin(async move {
            let Ok(asked) = parse(arguments) else { return CallPreview::default() };
            // What means no folder is shown as typed.
            let (place, failure) = match self.check(arguments).await {
                Ok((_, folder)) => (Some(folder), None),
                Err(error) => (asked.cwd, Some(error)),
            };
            let (subjects, read_only) = self.judge(asked.command.clone(), place.clone()).await;
            CallPreview {
                place,
                targets: subjects,
                read_only,
                content: Some(PreviewContent::Command(asked.command)),
                failure,
                ..CallPreview::default()
            }
        })
    }
}

impl Bash {
    /// What is asked for and the folder it runs in, where it can begin at all.
    async fn check(&self, arguments: &Value) -> Result<(Arguments, String), ToolError> {
        let asked = parse(arguments)?;
        let typed = asked.cwd.as_deref().unwrap_or_default();
        let folder = self.folder(asked.cwd.clone()).await.map_err(|error| {
            error.with_input(shown(arguments, &self.workspace.root.absolute(typed)))
        })?;
        let begins = match (self.workspace.sandbox(), problem(&asked.command)) {
            (Err(missing), _) => Err(refused(missing)),
            (Ok(_), Some(problem)) => {
                Err(ToolError::new(format!("Invalid input: command: {problem}")))
            }
            (Ok(_), None) => Ok(()),
        };
        begins.map_err(|error| error.with_input(shown(arguments, Path::new(&folder))))?;
        Ok((asked, folder))
    }

    /// The commands in a script, and whether it changes nothing. A long one takes its time: others
    /// need not wait for it.
    async fn judge(&self, script: String, folder: Option<String>) -> (RuleTargets, bool) {
        let workspace = self.workspace.clone();
        let judge = move || {
            let read_only = shell::looks(&script).is_some_and(|Looking { uses_git }| {
                let root = workspace.root.path();
                let folder = folder.as_deref().map_or(root, Path::new);
                !uses_git || Repository::plain(root, folder).is_some()
            });
            let subjects = if read_only {
                shell::read_only_subjects(&script)
            } else {
                shell::subjects(&script)
            };
            (subjects, read_only)
        };
        let found = tokio::task::spawn_blocking(judge).await;
        let unread = || RuleTargets::Unclear("it could not be read".to_owned());
        found.unwrap_or_else(|_| (unread(), false))
    }

    /// The full path of the folder to run in. It is where the command begins, and opens nothing: what
    /// can be written to is the workspace, whatever is chosen.
    async fn folder(&self, typed: Option<String>) -> Result<String, ToolError> {
        let workspace = self.workspace.clone();
        let find = move || {
            let root = &workspace.root;
            root.check().map_err(|error| ToolError::new(error.to_string()))?;
            let Some(typed) = typed.filter(|it| !matches!(it.as_str(), "" | "." | "./")) else {
                return Ok(root.path().display().to_string());
            };
            let wrong = |told: String| ToolError::new(format!("Invalid input: cwd: {told}"));
            let place = root.locate(&typed).map_err(|error| wrong(error.to_string()))?;
            let shown = place.absolute.display();
            match root.metadata(&place.relative) {
                Ok(found) if found.kind == Kind::Folder => Ok(shown.to_string()),
                Ok(_) => Err(wrong(format!("{shown} is no folder"))),
                Err(error) => Err(wrong(format!("{shown}: {error}"))),
            }
        };
        let found = tokio::task::spawn_blocking(find).await;
        found.map_err(|error| {
            ToolError::new("The folder could not be looked at").with_detail(error.to_string())
        })?
    }

    async fn run(&self, asked: &Arguments, folder: &Path, context: &RunContext) -> ToolResult {
        let limits = &self.workspace.settings.limits;
        let sandbox = self.workspace.sandbox().map_err(refused)?;
        let wanted = asked.timeout_seconds.map_or(limits.time, Duration::from_secs);
        let time = wanted.min(limits.most_time);
        let progress = |line: String| context.progress(line);
        let script = asked.command.clone();
        let access = tokio::task::spawn_blocking(move || access(&script)).await;
        // Nobody knows: it may do the least.
        let access = access.unwrap_or(Access::ReadOnly);
        let cut_off = |output: Written| context.partial(Words::from(output).text);
        let (script, progress, cut_off) = (asked.command.as_str(), &progress, &cut_off);
        let job = Job { script, access, folder, time, progress, cut_off };
        let finished = sandbox.run(job).await;
        let (memory, free) = (size(limits.memory), size(limits.free));
        let failure = match &finished.ending {
            Ending::Exited(0) | Ending::OutOfMemory(0) => None,
            Ending::Exited(code) => Some(format!("Command failed with exit code {code}")),
            Ending::OutOfMemory(_) => Some(format!("Command ran out of memory (limit {memory})")),
            Ending::TimedOut => {
                Some(format!("Command timed out after {} s and was stopped", time.as_secs_f32()))
            }
            Ending::DiskFull => Some(format!(
                "Command was stopped: the workspace's disk is nearly full (less than {free} or a \
                 twentieth of it is free)"
            )),
            Ending::NoScreen => Some(NO_SCREEN.to_owned()),
            Ending::NotStarted(reason) => Some(format!("Command could not be started: {reason}")),
        };
        // What is left that way must not go unnoticed, and no other command begins meanwhile.
        let left = finished.held.iter().any(|it| matches!(it.now, Fate::Left(_)));
        let failure = failure.or_else(|| left.then(|| LEFT.to_owned()));
        let kind = match finished.ending {
            Ending::TimedOut => ToolErrorKind::TimedOut,
            Ending::Exited(_) | Ending::OutOfMemory(_) => ToolErrorKind::Unsuccessful,
            _ => ToolErrorKind::Lasting,
        };
        let most = limits.most_time.as_secs();
        let is_less = asked.timeout_seconds.is_some() && time < wanted;
        let less = is_less.then(|| format!("[it may take at most {most} seconds here]"));
        match failure {
            None => Ok(Output::Text(told(None, finished, less))),
            Some(failure) => Err(ToolError::new(told(Some(failure), finished, less)).of_kind(kind)),
        }
    }
}

/// The arguments as they were understood.
fn shown(arguments: &Value, folder: &Path) -> Value {
    let mut input = arguments.clone();
    if let Some(fields) = input.as_object_mut() {
        fields.insert("cwd".to_owned(), folder.display().to_string().into());
    }
    input
}

fn parse(arguments: &Value) -> Result<Arguments, ToolError> {
    Arguments::deserialize(arguments)
        .map_err(|error| ToolError::new(format!("Invalid input: {error}")))
}

fn problem(script: &str) -> Option<&'static str> {
    if script.contains('\0') {
        return Some("it has a NUL byte in it, which no command can have");
    }
    let is_long = script.len() > LONGEST;
    is_long.then_some("it is longer than 128 KiB: put it into a file and run that")
}

fn refused(missing: &NoSandbox) -> ToolError {
    let NoSandbox { reason, advice, .. } = missing;
    let told = format!("Commands cannot be run here: {reason}. What helps: {advice}");
    ToolError::new(told).of_kind(ToolErrorKind::Refused)
}

/// What happened, what the command wrote, what else there is to say, and a last line on how it ended.
fn told(failure: Option<String>, finished: Finished, less: Option<String>) -> String {
    let Finished { ending, output, took, held } = finished;
    let Words { mut text, replaced, .. } = output.into();
    if let Some(failure) = failure {
        text.insert_str(0, &format!("{failure}\n"));
    }
    let mut line = |more: &str| {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(more);
    };
    for Held { was, now } in held {
        let why = "it decides what other programs run, so a person has to look at it first";
        line(&match now {
            Fate::Renamed(now) => format!("[{was} was renamed to {now}: {why}]"),
            Fate::Gone => format!("[{was} is gone: it decided what other programs run]"),
            Fate::Left(error) => {
                format!("[{was} is new, and could not be renamed ({error}): {why}]")
            }
        });
    }
    if let Some(less) = less {
        line(&less);
    }
    if ending == Ending::OutOfMemory(0) {
        line("[one of its processes was stopped: it was out of memory]");
    }
    if replaced > 0 {
        line(&format!("[{replaced} bytes of the output are no text and are shown as \u{fffd}]"));
    }
    let how = match ending {
        Ending::Exited(code) | Ending::OutOfMemory(code) => format!("exit {code}"),
        Ending::TimedOut | Ending::DiskFull | Ending::NoScreen => "stopped".to_owned(),
        Ending::NotStarted(_) => "not started".to_owned(),
    };
    line(&format!("[{how}, {:.1} s]", took.as_secs_f32()));
    text
}

fn description(workspace: &Workspace) -> String {
    let unavailable = match workspace.sandbox() {
        Err(NoSandbox { reason, .. }) => format!("Not available here: {reason}. "),
        Ok(_) => String::new(),
    };
    let seconds = workspace.settings.limits.time.as_secs();
    format!(
        "{unavailable}Runs a command with bash in the workspace, in a sandbox: for building, testing \
         and everything that the other tools do not do. It sees the workspace and the system's \
         programs, and writes only in the workspace and its own /tmp, which is gone afterwards. There \
         is no network. It reads no input, and what it leaves running is stopped when it ends. It may \
         take {seconds} seconds unless timeout_seconds says more. Result: what it wrote, both outputs \
         in their order, and how it ended."
    )
}
