//! [`CommandTool`]: runs a program when a model calls it.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_core::future::BoxFuture;
use serde_json::{Map, Value};
use toolwright_core::{
    CallPreview, PreviewContent, RunContext, Tool, ToolError, ToolErrorKind, ToolResult, ToolSpec,
};
use toolwright_sandbox::{
    Job, Limits, Network, NoSandbox, SameFile, SandboxProfile, SharedSandbox, Streams, run_unwalled,
};

use crate::{
    CheckedCommand, CommandPlaces,
    arguments::{filled_in, text},
    check::Stdin,
    result::{cut_off, result},
};

/// Runs a program when a model calls it.
pub struct CommandTool {
    command: CheckedCommand,
    sandbox: Arc<SharedSandbox>,
    /// The folder that one stands in, as it was when this was made.
    here: Option<SameFile>,
}

impl CommandTool {
    pub(crate) fn new(
        command: CheckedCommand,
        places: &CommandPlaces,
        sandbox: Arc<SharedSandbox>,
    ) -> Self {
        // What a project wrote is shown nothing but the project: where another folder was put in its
        // place, this one may be anywhere.
        let is_inside =
            |it: &PathBuf| command.project.as_ref().is_none_or(|project| it.starts_with(project));
        let here = places.folder.clone().filter(is_inside).and_then(|it| SameFile::at(it).ok());
        Self { command, sandbox, here }
    }

    /// Whether it could run now: its program is there, and its sandbox holds.
    ///
    /// # Errors
    /// Why not, and what to do about it.
    pub async fn check(&self) -> Result<(), NoSandbox> {
        let Some(program) = self.command.tokens.first().map(|it| it.before.clone()) else {
            return Err(NoSandbox::new("it names no program", "name one in `command`"));
        };
        if self.command.sandbox.is_none() {
            return Ok(());
        }
        let profile = self.profile();
        let sandbox = self.sandbox.get().await?;
        sandbox.check(program.as_ref(), &profile).map(drop)
    }

    /// What it sees and may do.
    fn profile(&self) -> SandboxProfile {
        let options = self.command.sandbox.clone().unwrap_or_default();
        let here = self.here.as_ref().map(|it| it.path.clone());
        let read: Vec<_> = options.read.unwrap_or_else(|| here.iter().cloned().collect());
        let is_shown = |it: &PathBuf| {
            self.command.sandbox.is_none()
                || read.iter().chain(&options.write).any(|shown| it.starts_with(shown))
        };
        let folder = self.command.cwd.clone().or_else(|| here.filter(is_shown));
        let mut profile =
            SandboxProfile::new(folder.clone().unwrap_or_else(|| PathBuf::from("/tmp")));
        let limits = Limits::default();
        profile.limits = Limits {
            memory: options.memory_mb.map_or(limits.memory, |mb| mb.saturating_mul(1 << 20)),
            processes: options.processes.unwrap_or(limits.processes),
            ..limits
        };
        if options.network {
            profile.network = Network::Host;
        }
        let own = self.command.env.iter();
        let own = own.filter_map(|name| Some((name.clone(), std::env::var(name).ok()?)));
        profile.env = own.collect();
        let looked_at = self.command.looked_at.iter();
        let same = looked_at.clone().filter_map(|(path, id)| {
            id.map(|(device, number)| SameFile { path: path.clone(), device, number })
        });
        profile.resolved = looked_at.map(|(path, _)| (path.clone(), path.clone())).collect();
        profile.same = same.collect();
        let written = options.write.first().cloned();
        profile.owner = written.or_else(|| folder.filter(|it| is_ordinary(it)));
        if let Some(here) = self.here.clone().filter(|it| read.contains(&it.path)) {
            profile.resolved.push((here.path.clone(), here.path.clone()));
            profile.same.push(here);
        }
        // Where it begins has to be there.
        let read = read.into_iter().chain(self.command.cwd.clone());
        profile.showing(read, options.write, [])
    }

    /// The program with its arguments, and what it sees, where it can be started.
    async fn ready(&self, arguments: &Value) -> Result<(Vec<OsString>, SandboxProfile), ToolError> {
        let wrong = |told: String| ToolError::new(format!("Invalid input: {told}"));
        let program = filled_in(&self.command.tokens, arguments).map_err(wrong)?;
        let profile = self.profile();
        if self.command.sandbox.is_some() {
            let sandbox = self.sandbox.get().await.map_err(|none| refused(&none))?;
            let first = program.first().cloned().unwrap_or_default();
            sandbox.check(&first, &profile).map_err(|none| refused(&none))?;
        }
        Ok((program, profile))
    }

    async fn run(&self, arguments: &Value, context: &RunContext) -> ToolResult {
        let arguments = self.with_defaults(arguments);
        let (program, profile) = self.ready(&arguments).await?;
        let input = self.input(&arguments);
        let progress = |line: String| context.progress(line);
        let cut_off = |output, errors| context.partial(cut_off(output, errors));
        let job = Job {
            program: &program,
            profile: &profile,
            streams: Streams::Separate(&input),
            time: self.command.time,
            kept: self.command.kept.div_ceil(2),
            disk: None,
            progress: &progress,
            cut_off: &cut_off,
        };
        let finished = if self.command.sandbox.is_some() {
            let sandbox = self.sandbox.get().await.map_err(|none| refused(&none))?;
            sandbox.run(job, ()).await
        } else {
            run_unwalled(job).await
        };
        result(&self.command, finished)
    }

    /// The arguments, with what the schema says of those that are missing.
    fn with_defaults(&self, arguments: &Value) -> Value {
        let mut all = arguments.as_object().cloned().unwrap_or_else(Map::new);
        let properties = self.command.spec.parameters.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            if let Some(usual) = schema.get("default").filter(|_| !all.contains_key(name)) {
                all.insert(name.clone(), usual.clone());
            }
        }
        Value::Object(all)
    }

    fn input(&self, arguments: &Value) -> Vec<u8> {
        match &self.command.stdin {
            Stdin::Nothing => Vec::new(),
            Stdin::Json => format!("{arguments}\n").into_bytes(),
            Stdin::Parameter(name) => match arguments.get(name) {
                None | Some(Value::Null) => Vec::new(),
                Some(value) => text(value).into_bytes(),
            },
        }
    }
}

/// Whether a folder belongs to somebody who is not root.
fn is_ordinary(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        folder.metadata().is_ok_and(|it| it.uid() != 0)
    }
    #[cfg(not(unix))]
    {
        folder.exists()
    }
}

fn refused(NoSandbox { reason, advice, .. }: &NoSandbox) -> ToolError {
    let told = format!("It cannot be run here: {reason}. What helps: {advice}");
    ToolError::new(told).of_kind(ToolErrorKind::Refused)
}

impl Tool for CommandTool {
    fn spec(&self) -> &ToolSpec {
        &self.command.spec
    }

    fn call<'a>(
        &'a self,
        arguments: Arc<Value>,
        context: &'a RunContext,
    ) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move { self.run(&arguments, context).await })
    }

    /// The very arguments that the program would get.
    fn preview<'a>(
        &'a self,
        arguments: &'a Value,
        _context: &'a RunContext,
    ) -> BoxFuture<'a, CallPreview> {
        Box::pin(async move {
            match self.ready(&self.with_defaults(arguments)).await {
                Ok((program, _)) => {
                    let content = Some(PreviewContent::Command(shown(&program)));
                    CallPreview { content, ..CallPreview::default() }
                }
                Err(failure) => CallPreview { failure: Some(failure), ..CallPreview::default() },
            }
        })
    }
}

/// Arguments as a person reads them: what is no plain word is quoted.
fn shown(program: &[OsString]) -> String {
    let is_plain = |it: &str| {
        !it.is_empty() && it.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c))
    };
    let words = program.iter().map(|it| it.to_string_lossy());
    let words = words.map(|it| if is_plain(&it) { it.into_owned() } else { format!("{it:?}") });
    words.collect::<Vec<_>>().join(" ")
}
