//! `toolwright ask`: one question, one answer.

use std::{
    fmt::Display,
    io::{self, IsTerminal},
    path::Path,
};

use toolwright_app::{App, AppError, Config, Session};
use toolwright_core::{Attachment, OutputSchema, UserMessage, truncate_line};
use toolwright_files::{read_bounded, read_stream};

use super::{
    attaching::{file, named, of_server, piped, with_files},
    following::{Telling, attended, chosen, tell, unattended},
    slash,
    waiting::Waiting,
};
use crate::{
    args::RunArgs,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, line},
    watch::Watch,
};

pub(crate) async fn run(
    config: &Config,
    watch: &Watch,
    args: &RunArgs,
    asked: Asked,
    json: bool,
) -> Result<Exit> {
    let output = asked.schema.as_deref().map(schema).transpose()?;
    let (prompt, piped) = question(&asked.prompt)?;
    let (resources, files) = named(&args.attach);
    let mut prompt = with_files(prompt, files)?;
    if let Some(piped) = piped {
        prompt = prompt.with_attachment(piped);
    }
    if prompt.content.trim().is_empty() && prompt.attachments.is_empty() && resources.is_empty() {
        let message = "there is no question".to_owned();
        return Err(CommandError::unusable(message).with_advice("give one, or pipe one in").into());
    }
    let app = match json {
        true => unattended(config, watch, args.approve).await?,
        false => attended(config, watch, args.approve).await?,
    };
    let App { session, engine, context, project, .. } = app;
    for resource in resources {
        let parts = of_server(&project, resource).await?;
        prompt = parts.into_iter().fold(prompt, UserMessage::with_attachment);
    }
    if let Some(name) = slash::unknown(&project, &asked.prompt.join(" ")) {
        let names: Vec<_> = project.commands().iter().map(|it| format!("/{}", it.name)).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let there = truncate_line(&there, 1_000);
        return Err(CommandError::unusable(format!(
            "there is no command /{name}; there are: {there}"
        ))
        .with_advice("write a blank behind the slash where it is a question")
        .into());
    }
    if project.is_call(&prompt.content) {
        let asked = slash::question(&project, prompt.content).await?;
        prompt = prompt.attachments.into_iter().fold(asked, UserMessage::with_attachment);
    }
    if !json {
        project.notices().iter().for_each(|it| line(&format!("{DIM}{it}{END}")));
    }
    if engine.is_built_in() && !json {
        line(&format!("{DIM}{}{END}", engine.describe()));
    }
    let id = chosen(&session, args).await?;
    let (session, telling) = match output {
        Some(output) => {
            let agent = session.agent().with_output(output).map_err(|error| {
                CommandError::unusable(error.to_string()).with_advice("look at --schema")
            })?;
            (session.with_agent(agent), Telling::AtTheEnd)
        }
        None => (session, Telling::AsItComes),
    };
    let session = match asked.without.is_empty() {
        true => session,
        false => without(config, &session, asked.without)?,
    };
    let telling = if json { Telling::Events } else { telling };
    let _told = Waiting::new(&session.agent().settings().toolbox);
    let started = session.ask(id.as_ref(), prompt, context).await.map_err(AppError::from)?;
    tell(&session, started, telling).await
}

/// What is asked, and what form the answer has to have.
pub(crate) struct Asked {
    pub(crate) prompt: Vec<String>,
    pub(crate) schema: Option<String>,
    /// The tools that are off.
    pub(crate) without: Vec<String>,
}

/// The session without these tools. A name that no tool has is a mistake: whoever types it believes that it is off.
pub(crate) fn without(config: &Config, session: &Session, names: Vec<String>) -> Result<Session> {
    let toolbox = session.agent().settings().toolbox.current();
    // What a source has is only known once it is there.
    let may_come = |name: &str| config.sources().iter().any(|it| it.may_have(name));
    let is_known = |name: &&String| toolbox.names().any(|it| it == *name) || may_come(name);
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let told = format!("there is no tool `{}` in this task", truncate_line(name, 100));
        let advice = "`toolwright tools list` says which there are";
        return Err(CommandError::unusable(told).with_advice(advice).into());
    }
    Ok(session.with_agent(session.agent().without_tools(names)))
}

/// The longest schema, in bytes.
const LONGEST_SCHEMA: u64 = 1 << 20;

/// The form of the answer: the schema itself, or the file it is in.
fn schema(given: &str) -> Result<OutputSchema> {
    let unusable = |reason: &dyn Display| {
        CommandError::unusable(format!("--schema cannot be used: {reason}"))
            .with_advice("give a JSON Schema, or a file that holds one")
    };
    let (name, text) = match given.trim_start().starts_with('{') {
        true => ("answer".to_owned(), given.to_owned()),
        false => {
            let path = Path::new(given);
            let bytes = read_bounded(path, LONGEST_SCHEMA).map_err(|error| unusable(&error))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            (name, String::from_utf8_lossy(&bytes).into_owned())
        }
    };
    let schema = serde_json::from_str(&text).map_err(|error| unusable(&error))?;
    Ok(OutputSchema::new(&name, schema).map_err(|error| unusable(&error))?)
}

/// Longer questions fit no model.
const LONGEST: u64 = 20 << 20;

/// The question: what was typed, and what was piped in, which may be no text.
fn question(words: &[String]) -> Result<(String, Option<Attachment>)> {
    let typed = words.iter().filter(|word| *word != "-").cloned().collect::<Vec<_>>().join(" ");
    let asked_for = typed.is_empty() || words.iter().any(|word| word == "-");
    if !asked_for && !is_piped() {
        return Ok((typed, None));
    }
    if asked_for && io::stdin().is_terminal() {
        line(&format!("{DIM}Type the question, then Ctrl-D.{END}"));
    }
    let read = read_stream(io::stdin(), LONGEST).map_err(|error| {
        CommandError::unusable(format!("what is piped in cannot be used: {error}"))
            .with_advice("pipe in less of it")
    })?;
    match piped(read)? {
        Ok(text) if typed.is_empty() => Ok((text, None)),
        Ok(text) if text.trim().is_empty() => Ok((typed, None)),
        // The words of whoever wrote it, and not of whoever asks about it.
        Ok(text) => Ok((typed, Some(file(text.into_bytes())?))),
        Err(attachment) => Ok((typed, Some(attachment))),
    }
}

/// Whether standard input is a pipe or a file: then what is in it is meant for us. A terminal,
/// `/dev/null` or nothing at all is not.
#[cfg(unix)]
fn is_piped() -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata("/dev/stdin")
        .is_ok_and(|it| it.file_type().is_fifo() || it.file_type().is_file())
}

#[cfg(not(unix))]
fn is_piped() -> bool {
    false
}
