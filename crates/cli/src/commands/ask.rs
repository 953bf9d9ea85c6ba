//! `toolwright ask`: one question, one answer.

use std::io::{self, IsTerminal, Read};

use toolwright_app::{App, Config, Engine, Talk, assemble, context};
use toolwright_core::{ConversationId, Event, Failure};
use toolwright_runtime::{AllowAll, DenyAll, Running};

use crate::{
    args::RunArgs,
    exit::Exit,
    screen::Screen,
    stop::asked_to_stop,
    style::{DIM, END, line, out},
    watch::Watch,
};

pub(crate) async fn run(
    config: &Config,
    watch: &Watch,
    args: &RunArgs,
    prompt: Vec<String>,
    json: bool,
) -> anyhow::Result<Exit> {
    let prompt = question(&prompt)?;
    if prompt.trim().is_empty() {
        anyhow::bail!("there is no question: give one, or pipe one in");
    }
    let App { talk, engine } = if args.approve {
        assemble(config, AllowAll, watch.observers()).await?
    } else {
        assemble(config, DenyAll, watch.observers()).await?
    };
    if matches!(engine, Engine::Demo) && !json {
        line(&format!("{DIM}{}{END}", engine.describe()));
    }
    let id = chosen(&talk, args.conversation.as_deref()).await?;
    let mut run = talk.ask(id.as_ref(), prompt, context(config)).await?;
    let stop = asked_to_stop()?;
    let end = if json {
        follow(&mut run, stop, |event| out(&format!("{}\n", serde_json::to_string(event)?))).await?
    } else {
        let mut screen = Screen::new();
        follow(&mut run, stop, |event| screen.show(event)).await?
    };
    Ok(end.map_or_else(|failure| Exit::from(&failure), |()| Exit::Answered))
}

/// The conversation that was named, if one was.
pub(crate) async fn chosen(
    talk: &Talk,
    named: Option<&str>,
) -> anyhow::Result<Option<ConversationId>> {
    match named {
        Some(named) => Ok(Some(talk.store().find(named).await?.id)),
        None => Ok(None),
    }
}

/// Follows a run to its end, or until `stop` is: that cancels it in good order.
pub(crate) async fn follow(
    run: &mut Running,
    stop: impl Future<Output = ()>,
    mut show: impl FnMut(&Event) -> io::Result<()>,
) -> anyhow::Result<Result<(), Failure>> {
    let cancel = run.cancel();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            biased;
            event = run.next() => match event {
                Some(event) => match show(&event) {
                    // `toolwright ask … | head`: whoever listened has left.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => cancel.cancel(),
                    shown => shown?,
                },
                None => return Ok(run.finish().await.map(drop)),
            },
            () = &mut stop, if !cancel.is_cancelled() => cancel.cancel(),
        }
    }
}

/// The question: what was typed, and what was piped in.
fn question(words: &[String]) -> io::Result<String> {
    let typed = words.iter().filter(|word| *word != "-").cloned().collect::<Vec<_>>().join(" ");
    let asked_for = typed.is_empty() || words.iter().any(|word| word == "-");
    if !asked_for && !is_piped() {
        return Ok(typed);
    }
    if asked_for && io::stdin().is_terminal() {
        line(&format!("{DIM}Type the question, then Ctrl-D.{END}"));
    }
    let mut piped = String::new();
    io::stdin().read_to_string(&mut piped)?;
    Ok(match (typed.is_empty(), piped.trim().is_empty()) {
        (true, _) => piped,
        (false, true) => typed,
        (false, false) => format!("{typed}\n\n{piped}"),
    })
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
