//! [`CheckedCommand`]: a definition that was looked at, for who wrote it.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::Value;
use toolwright_core::{ToolEffect, ToolSpec};

use crate::{
    CommandDefinition, OutputForm, SandboxChoice, SandboxOptions, arguments::Token,
    options::check_tokens,
};

/// How long a program may take, where nobody says, and at most.
const TIME: Duration = Duration::from_secs(60);
const MOST_TIME: Duration = Duration::from_secs(60 * 60);

/// How many bytes are kept of what it writes, where nobody says, and at most.
const KEPT: usize = 256 << 10;
const MOST_KEPT: usize = 8 << 20;

/// How many arguments a definition may have, and how long its description may be.
const TOKENS: usize = 256;
const ABOUT: usize = 4_000;

/// What the environment may have of ours for a program that a project names: how things look, and
/// nothing that is secret or steers a program.
const HARMLESS: [&str; 10] = [
    "CI", "COLUMNS", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_TIME", "LINES", "NO_COLOR", "TZ",
];

/// Who wrote a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Author {
    /// The user, in their own settings. Paths are from this folder.
    User(PathBuf),
    /// A project that the user trusts, whose folder this is: nothing outside of it is shown, nothing
    /// runs without a sandbox, and what it may change is asked about.
    Project(PathBuf),
}

impl Author {
    fn folder(&self) -> &Path {
        let (Self::User(folder) | Self::Project(folder)) = self;
        folder
    }
}

/// What a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stdin {
    Nothing,
    /// All arguments.
    Json,
    /// One of them.
    Parameter(String),
}

/// A definition that was looked at, for who wrote it.
#[derive(Clone, Debug)]
pub struct CheckedCommand {
    /// What a model is told of it.
    pub spec: ToolSpec,
    pub(crate) tokens: Vec<Token>,
    pub(crate) stdin: Stdin,
    pub(crate) output: OutputForm,
    pub(crate) ok_exit: Vec<i32>,
    pub(crate) time: Duration,
    pub(crate) kept: usize,
    pub(crate) env: Vec<String>,
    pub(crate) cwd: Option<PathBuf>,
    /// What it may do in its sandbox, with full paths; none where it runs without one.
    pub(crate) sandbox: Option<SandboxOptions>,
    /// The project's folder, where a project wrote it.
    pub(crate) project: Option<PathBuf>,
    /// Every folder that was named, and which it was when its definition was looked at: whoever can
    /// rename one could have put a link to another in its place by the time it is called.
    pub(crate) looked_at: Vec<(PathBuf, Option<FileId>)>,
}

/// A file's device, and its number there.
pub(crate) type FileId = (u64, u64);

impl CheckedCommand {
    /// Looks at a definition.
    ///
    /// # Errors
    /// What is wrong with it, or what its author may not say.
    pub fn new(
        name: &str,
        definition: &CommandDefinition,
        author: &Author,
    ) -> Result<Self, String> {
        let schema = definition.schema()?;
        if definition.command.len() > TOKENS {
            return Err(format!("`command` has more than {TOKENS} parts"));
        }
        let about = definition.description.trim();
        if about.is_empty() || about.len() > ABOUT {
            return Err(format!("`description` has to have 1 to {ABOUT} bytes"));
        }
        let tokens: Vec<Token> =
            definition.command.iter().map(|it| Token::read(it)).collect::<Result<_, _>>()?;
        check_tokens(&tokens, &schema, &definition.executable)?;
        if tokens.iter().any(|it| it.before.contains('\0') || it.after.contains('\0')) {
            return Err("`command` has a NUL byte in it".to_owned());
        }
        let stdin = stdin(definition)?;
        check_use(&schema, &tokens, &stdin)?;
        let sandbox = sandbox(definition, author)?;
        check_env(&definition.env, author)?;
        let time = match &definition.timeout {
            None => TIME,
            Some(text) => toolwright_duration::parse_nonzero(text)
                .map_err(|error| format!("`timeout`: {error}"))?
                .min(MOST_TIME),
        };
        let cwd = definition.cwd.as_deref().map(|it| full(it, author, "cwd")).transpose()?;
        let project = match author {
            Author::Project(folder) => Some(full(folder, author, "the project's folder")?),
            Author::User(_) => None,
        };
        let named = sandbox.iter().flat_map(|it| it.read.iter().flatten().chain(&it.write));
        let named = named.chain(&cwd).chain(&project);
        let looked_at = named.map(|it| (it.clone(), folder_id(it))).collect();
        let effect = effect(definition.effect, sandbox.as_ref(), author);
        let mut spec = ToolSpec::new(name, about, schema).effect(effect);
        // What is stopped here says what it wrote until then.
        spec = spec.timeout(time + Duration::from_secs(15));
        spec.grounded.clone_from(&definition.grounded);
        spec.executable.clone_from(&definition.executable);
        spec.free_text.clone_from(&definition.free_text);
        spec.after.clone_from(&definition.after);
        spec.examples.clone_from(&definition.examples);
        Ok(Self {
            tokens,
            stdin,
            output: definition.output,
            ok_exit: definition.ok_exit.clone().unwrap_or_else(|| vec![0]),
            time,
            kept: definition.max_output.unwrap_or(KEPT).clamp(1, MOST_KEPT),
            env: definition.env.clone(),
            cwd,
            sandbox,
            project,
            looked_at,
            spec,
        })
    }

    /// The variables of our environment that it gets, by name.
    pub fn variables(&self) -> &[String] {
        &self.env
    }

    /// The command and what it may do, in a line, for who decides about it.
    pub fn summary(&self, definition: &CommandDefinition) -> String {
        let mut parts = vec![format!("{:?}", definition.command)];
        let list = |paths: &[PathBuf]| {
            paths.iter().map(|it| it.display().to_string()).collect::<Vec<_>>().join(", ")
        };
        match &self.sandbox {
            None => parts.push("without a sandbox".to_owned()),
            Some(options) => {
                let network = if options.network { "this machine's network" } else { "no network" };
                parts.push(network.to_owned());
                if let Some(read) = &options.read {
                    parts.push(format!("reads {}", list(read)));
                }
                match options.write.as_slice() {
                    [] => parts.push("changes nothing".to_owned()),
                    write => parts.push(format!("may change {}", list(write))),
                }
            }
        }
        if let Some(cwd) = &self.cwd {
            parts.push(format!("in {}", cwd.display()));
        }
        if !self.env.is_empty() {
            parts.push(format!("gets {}", self.env.join(", ")));
        }
        parts.join("; ")
    }
}

fn stdin(definition: &CommandDefinition) -> Result<Stdin, String> {
    match definition.stdin.as_deref() {
        None | Some("none") => Ok(Stdin::Nothing),
        Some("json") => Ok(Stdin::Json),
        Some(text) => match Token::read(text) {
            Ok(Token { before, parameter: Some(name), after })
                if before.is_empty() && after.is_empty() =>
            {
                Ok(Stdin::Parameter(name))
            }
            _ => Err(format!("`stdin` is {text:?}: write none, json, or one parameter: {{name}}")),
        },
    }
}

/// Whether every parameter is there, and used.
fn check_use(schema: &Value, tokens: &[Token], stdin: &Stdin) -> Result<(), String> {
    let known = schema.get("properties").and_then(Value::as_object);
    let mut used: Vec<&str> = tokens.iter().filter_map(|it| it.parameter.as_deref()).collect();
    if let Stdin::Parameter(name) = stdin {
        used.push(name);
    }
    let is_known = |name: &str| known.is_some_and(|it| it.contains_key(name));
    if let Some(name) = used.iter().find(|name| !is_known(name)) {
        return Err(format!("`{{{name}}}` is no parameter: describe it in `args`"));
    }
    let mut names = known.into_iter().flat_map(|it| it.keys());
    match names.find(|name| *stdin != Stdin::Json && !used.contains(&name.as_str())) {
        Some(name) => Err(format!(
            "the parameter `{name}` goes nowhere: put `{{{name}}}` into `command`, or say `stdin = \
             \"json\"`"
        )),
        None => Ok(()),
    }
}

fn sandbox(
    definition: &CommandDefinition,
    author: &Author,
) -> Result<Option<SandboxOptions>, String> {
    let options = match (&definition.sandbox, author) {
        (SandboxChoice::Switch(false), Author::Project(_)) => {
            return Err("a project's tool runs in a sandbox: only your own settings can say \
                        `sandbox = false`"
                .to_owned());
        }
        (SandboxChoice::Switch(false), Author::User(_)) => return Ok(None),
        (SandboxChoice::Switch(true), _) => SandboxOptions::default(),
        (SandboxChoice::Options(options), _) => options.clone(),
    };
    let all = |paths: &[PathBuf], what| -> Result<Vec<PathBuf>, String> {
        paths.iter().map(|it| full(it, author, what)).collect()
    };
    Ok(Some(SandboxOptions {
        read: options.read.as_deref().map(|it| all(it, "sandbox.read")).transpose()?,
        write: all(&options.write, "sandbox.write")?,
        ..options
    }))
}

/// The full path of something that a definition names, which its author may name.
fn full(path: &Path, author: &Author, what: &str) -> Result<PathBuf, String> {
    let joined = match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => author.folder().join(path),
    };
    let real = joined.canonicalize().map_err(|error| {
        format!("`{what}` names {}, which cannot be opened: {error}", joined.display())
    })?;
    match author {
        Author::User(_) => Ok(real),
        Author::Project(folder) if folder.canonicalize().is_ok_and(|it| real.starts_with(it)) => {
            Ok(real)
        }
        Author::Project(_) => Err(format!(
            "`{what}` names {}, which is outside of the project's folder",
            joined.display()
        )),
    }
}

/// Which folder it is; nothing for a file, which whoever edits it may put there anew.
#[cfg(unix)]
fn folder_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    let found = path.symlink_metadata().ok().filter(|it| !it.is_file())?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn folder_id(_path: &Path) -> Option<FileId> {
    None
}

fn check_env(names: &[String], author: &Author) -> Result<(), String> {
    let is_name = |it: &str| {
        !it.is_empty()
            && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
            && !it.starts_with(|it: char| it.is_ascii_digit())
    };
    if let Some(name) = names.iter().find(|it| !is_name(it)) {
        return Err(format!("`env` has {name:?}: it lists names of variables"));
    }
    let harmless = |it: &&String| HARMLESS.contains(&it.as_str());
    match (author, names.iter().find(|it| !harmless(it))) {
        (Author::Project(_), Some(name)) => Err(format!(
            "`env` asks for {name}: a project's tool gets only {}",
            HARMLESS.join(", ")
        )),
        _ => Ok(()),
    }
}

/// What running it does: what is said, or what its sandbox leaves it. A project's word does not make it
/// more harmless.
fn effect(
    said: Option<ToolEffect>,
    sandbox: Option<&SandboxOptions>,
    author: &Author,
) -> ToolEffect {
    let is_held = sandbox.is_some_and(|it| !it.network && it.write.is_empty());
    match (author, is_held) {
        (_, true) => said.unwrap_or(ToolEffect::ReadOnly),
        (Author::User(_), false) => said.unwrap_or_default(),
        (Author::Project(_), false) => ToolEffect::Destructive,
    }
}

#[cfg(test)]
mod tests;
