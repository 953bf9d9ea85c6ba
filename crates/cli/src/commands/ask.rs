//! `toolwright ask`: one question, one answer.

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
};

use toolwright_app::{App, AppError, Config, ModelBackend};
use toolwright_core::Attachment;
use toolwright_files::read_stream;

use super::{
    attaching::{piped, with_files},
    following::{chosen, tell, unattended},
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
    prompt: Vec<String>,
    json: bool,
) -> Result<Exit> {
    let (prompt, piped) = question(&prompt)?;
    let files = args.attach.iter().map(PathBuf::as_path);
    let mut prompt = with_files(prompt, files)?;
    if let Some(piped) = piped {
        prompt = prompt.with_attachment(piped);
    }
    if prompt.content.trim().is_empty() {
        let message = "there is no question".to_owned();
        return Err(CommandError::unusable(message).with_advice("give one, or pipe one in").into());
    }
    let App { session, engine, context, .. } = unattended(config, watch, args.approve).await?;
    if !matches!(engine, ModelBackend::Endpoint(_)) && !json {
        line(&format!("{DIM}{}{END}", engine.describe()));
    }
    let id = chosen(&session, args.conversation.as_deref()).await?;
    tell(session.ask(id.as_ref(), prompt, context).await.map_err(AppError::from)?.running, json)
        .await
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
    let piped = match piped(read_stream(io::stdin(), LONGEST)?)? {
        Ok(text) => text,
        Err(attachment) => return Ok((typed, Some(attachment))),
    };
    let question = match (typed.is_empty(), piped.trim().is_empty()) {
        (true, _) => piped,
        (false, true) => typed,
        (false, false) => format!("{typed}\n\n{piped}"),
    };
    Ok((question, None))
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
