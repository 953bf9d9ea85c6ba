//! `toolwright conversations`: what was kept, and what can be done with it.

use std::{
    collections::{BTreeSet, HashSet},
    io::{self, BufRead, IsTerminal, Read},
};

use toolwright_app::{App, AppError, Config, export_cassette};
use toolwright_core::{
    Author, CallId, ConversationId, Event, EventKind, Fingerprint, Message, RunId, plural,
    printable, truncate_line,
};
use toolwright_store::{
    ConversationPage, ConversationStatus, ConversationSummary, ExportedAttachment, ImportReport,
    Instruction, Progress, Role, Store, StoreError,
};

use super::{
    following::{Telling, attended, tell, unattended},
    store_to_read,
    transcript::Transcript,
    versions::{self, Versions},
};
use crate::{
    args::ConversationsCommand,
    error::{CommandError, Result},
    exit::Exit,
    screen::Screen,
    style::{BOLD, DIM, END, GOOD, NAME, WARN, line, line_out, out, question},
    time::ago,
    watch::Watch,
};

pub(crate) async fn run(
    config: &Config,
    watch: &Watch,
    command: ConversationsCommand,
    json: bool,
) -> Result<Exit> {
    if let ConversationsCommand::Resume { id, approve, .. } = &command {
        let app = match json || !io::stdin().is_terminal() {
            true => unattended(config, watch, *approve).await?,
            false => attended(config, watch, *approve).await?,
        };
        return resume(&app, id, json).await;
    }
    let store = match command.only_reads() {
        true => store_to_read(config).await?,
        false => config.open_store().await?,
    };
    match command {
        ConversationsCommand::List { limit } => list(&store, limit, json).await,
        ConversationsCommand::Show { id, branch } => {
            show(&store, &id, branch.as_deref(), json).await
        }
        ConversationsCommand::Tree { id } => tree(&store, &id, json).await,
        ConversationsCommand::Search { words, limit } => {
            search(&store, &words.join(" "), limit, json).await
        }
        ConversationsCommand::Export { ids, cassette: Some(file), .. } => {
            export_to_cassette(config, &store, &ids, &file, json).await
        }
        ConversationsCommand::Export { ids, cassette: None, branch, markdown } => {
            if branch.is_some() && ids.len() != 1 {
                let what = "--branch is about one conversation: give its id";
                return Err(CommandError::unusable(what).into());
            }
            match markdown {
                true => export_markdown(&store, &ids, branch.as_deref()).await,
                false => export(&store, &ids, branch.as_deref()).await,
            }
        }
        ConversationsCommand::Import { file } => import(&store, &file, json).await,
        ConversationsCommand::Delete { id, yes } => delete(&store, &id, yes).await,
        ConversationsCommand::Resume { .. } => Ok(Exit::Answered),
    }
}

async fn list(store: &Store, limit: usize, json: bool) -> Result<Exit> {
    let found = store.list(&ConversationPage { limit, ..ConversationPage::default() }).await?;
    if json {
        found.iter().try_for_each(print)?;
        return Ok(Exit::Answered);
    }
    if found.is_empty() {
        line(&format!("{DIM}No conversations are kept yet. `toolwright chat` begins one.{END}"));
    }
    for summary in &found {
        out(&format!("{}\n", row(summary)))?;
    }
    Ok(Exit::Answered)
}

fn print(value: &impl serde::Serialize) -> Result {
    Ok(out(&format!("{}\n", serde_json::to_string(value)?))?)
}

fn row(summary: &ConversationSummary) -> String {
    let state = match summary.state {
        ConversationStatus::Idle => String::new(),
        ConversationStatus::Running => format!(" {GOOD}running{END}"),
        ConversationStatus::Unfinished => format!(" {WARN}unfinished{END}"),
    };
    let when = ago(summary.updated_at);
    let title = truncate_line(&summary.title, 60);
    let (id, messages) = (&summary.id, summary.messages);
    format!("{NAME}{id}{END}  {DIM}{when:>8}  {messages:>3} messages{END}{state}  {title}")
}

/// What a call would do that waits for a decision, by its run, its id and what exactly is shown.
fn preview(event: &Event) -> Option<(RunId, CallId, Fingerprint)> {
    match &event.kind {
        EventKind::CallPreview { id, fingerprint, .. } => {
            Some((event.run.clone(), id.clone(), fingerprint.clone()))
        }
        EventKind::Nested { event, .. } => preview(event),
        _ => None,
    }
}

async fn show(store: &Store, id: &str, branch: Option<&str>, json: bool) -> Result<Exit> {
    let summary = store.find(id).await?;
    let runs = store.runs(&summary.id).await?;
    let path = versions::chosen(&runs, branch)?;
    let (mut screen, mut seen) = (Screen::record(), HashSet::new());
    each_event(store, &summary.id, |event| {
        if !path.has(event) {
            return Ok(());
        }
        if json {
            return print(event);
        }
        // Whoever goes on with a run asks again what was asked already: it is the same question.
        if preview(event).is_some_and(|it| !seen.insert(it)) {
            return Ok(());
        }
        // What was said to a run stands behind the answer that it came after.
        screen.show(event)?;
        if let EventKind::Message { message, .. } = &event.kind
            && let Message::User(user) = &**message
            && matches!(user.origin, Author::Person | Author::Client)
        {
            let said = user.content.trim_end().replace('\n', "\n  ");
            out(&format!("{BOLD}› {said}{END}\n"))?;
            for file in &user.attachments {
                out(&format!("  {DIM}attached: {}{END}\n", printable(&file.describe())))?;
            }
        }
        Ok(())
    })
    .await??;
    if !json && branch.is_none() && !runs.is_line() {
        let id = &summary.id;
        line_out(&format!(
            "{DIM}Questions were asked anew in it: `toolwright conversations tree {id}` lists the versions.{END}"
        ))?;
    }
    if !json && summary.state == ConversationStatus::Unfinished {
        let id = &summary.id;
        line_out(&format!(
            "{WARN}unfinished{END}: `toolwright conversations resume {id}` goes on"
        ))?;
    }
    Ok(Exit::Answered)
}

async fn tree(store: &Store, id: &str, json: bool) -> Result<Exit> {
    let id = store.find(id).await?.id;
    let mut versions = Versions::default();
    let read = each_event(store, &id, |event| {
        versions.take(event);
        Ok(())
    });
    read.await??;
    if json {
        versions.print()?;
    } else {
        versions.draw()?;
    }
    if !json {
        line(&format!(
            "{DIM}`toolwright conversations show {id} --branch RUN` shows a version.{END}"
        ));
    }
    Ok(Exit::Answered)
}

/// Every event of a conversation in order, a page at a time: what the visitor came to, and what the store.
pub(super) async fn each_event(
    store: &Store,
    id: &ConversationId,
    mut visit: impl FnMut(&Event) -> Result,
) -> Result<Result<(), StoreError>> {
    const PAGE: usize = 500;
    let mut after = None;
    loop {
        let page = match store.events(id, after, PAGE).await {
            Ok(page) => page,
            Err(error) => return Ok(Err(error)),
        };
        for (position, event) in &page {
            visit(event)?;
            after = Some(*position);
        }
        if page.len() < PAGE {
            return Ok(Ok(()));
        }
    }
}

async fn search(store: &Store, words: &str, limit: usize, json: bool) -> Result<Exit> {
    let hits = store.search(words, limit).await?;
    if json {
        hits.iter().try_for_each(print)?;
        return Ok(Exit::Answered);
    }
    if hits.is_empty() {
        line(&format!("{DIM}Nothing has all of these words: {words}{END}"));
    }
    for hit in &hits {
        let part = |range: std::ops::Range<usize>| hit.snippet.get(range).unwrap_or_default();
        let (from, to) = (hit.matched.start, hit.matched.end);
        let (before, after) = (part(0..from), part(to..hit.snippet.len()));
        let found = part(from..to);
        let who = match hit.role {
            Role::User => "asked",
            Role::Assistant => "answered",
            Role::Tool => "returned",
        };
        // Which version it is in is worth knowing where there are several.
        let version = match store.runs(&hit.summary.id).await?.is_line() {
            true => String::new(),
            false => format!(" in {}", hit.run),
        };
        let row = row(&hit.summary);
        let who = format!("{DIM}{who}{version}:{END}");
        out(&format!("{row}\n    {who} {before}{BOLD}{found}{END}{after}\n"))?;
    }
    Ok(Exit::Answered)
}

/// The conversations of these ids; all there are, where none is given.
async fn named(store: &Store, ids: &[String]) -> Result<Vec<ConversationId>> {
    let mut all = Vec::new();
    for id in ids {
        all.push(store.find(id).await?.id);
    }
    if ids.is_empty() { everything(store).await } else { Ok(all) }
}

async fn export_to_cassette(
    config: &Config,
    store: &Store,
    ids: &[String],
    file: &std::path::Path,
    json: bool,
) -> Result<Exit> {
    let requests = export_cassette(config, store, &named(store, ids).await?, file).await?;
    if json {
        print(&serde_json::json!({"cassette": file, "requests": requests}))?;
        return Ok(Exit::Answered);
    }
    let file = file.display();
    let word = plural(requests as u64, "request is", "requests are");
    line(&format!("{GOOD}✓{END} {requests} {word} in {file}"));
    line(&format!("{DIM}`toolwright ask --cassette {file} …` gets the same replies again.{END}"));
    Ok(Exit::Answered)
}

/// One version of each conversation, as a text to read.
async fn export_markdown(store: &Store, ids: &[String], branch: Option<&str>) -> Result<Exit> {
    for id in &named(store, ids).await? {
        out(&markdown(store, id, branch).await?)?;
    }
    Ok(Exit::Answered)
}

/// One version of a conversation, as a text to read.
pub(super) async fn markdown(
    store: &Store,
    id: &ConversationId,
    branch: Option<&str>,
) -> Result<String> {
    let path = versions::chosen(&store.runs(id).await?, branch)?;
    let mut text = Transcript::titled(&store.find(id.as_str()).await?.title);
    let read = each_event(store, id, |event| {
        if path.has(event) {
            text.take(event);
        }
        Ok(())
    });
    read.await??;
    Ok(text.into_text())
}

async fn export(store: &Store, ids: &[String], branch: Option<&str>) -> Result<Exit> {
    let all = named(store, ids).await?;
    // What can be read is saved, whatever else cannot.
    let mut exit = Exit::Answered;
    for id in &all {
        let mut attached = BTreeSet::new();
        // Runs are written whole: a part of one is no log.
        let only = match branch {
            Some(_) => Some(versions::chosen(&store.runs(id).await?, branch)?),
            None => None,
        };
        let only = only.map(|path| path.runs().cloned().collect::<HashSet<_>>());
        let written = each_event(store, id, |event| {
            if only.as_ref().is_some_and(|only| !only.contains(&event.run)) {
                return Ok(());
            }
            attached.extend(event.kind.attachments().iter().map(|it| it.digest));
            print(event)
        });
        match written.await? {
            Err(error @ StoreError::Damaged { .. }) => {
                line(&format!("{WARN}not all of {id} is exported{END}: {error}"));
                exit = Exit::Failed;
            }
            done => done?,
        }
        for digest in attached {
            if let Some(bytes) = store.attachment(id, &digest).await? {
                print(&ExportedAttachment::new(digest, bytes))?;
            }
        }
    }
    Ok(exit)
}

/// Every conversation there is, oldest first.
async fn everything(store: &Store) -> Result<Vec<ConversationId>> {
    let mut page = ConversationPage { limit: 500, ..ConversationPage::default() };
    let mut all = Vec::new();
    loop {
        let found = store.list(&page).await?;
        let Some(last) = found.last() else { break };
        page.before = Some(last.cursor());
        all.extend(found.into_iter().map(|summary| summary.id));
    }
    all.reverse();
    Ok(all)
}

/// All of an export counts, or nothing of it: so its events are held until the last one was read.
const MOST_IMPORTED: u64 = 1 << 30;
/// The longest line of an export: one event with all that is in it.
const LONGEST_LINE: u64 = 64 << 20;

async fn import(store: &Store, file: &std::path::Path, json: bool) -> Result<Exit> {
    let events = if file.as_os_str() == "-" {
        events_in("what is piped in", io::stdin().lock())?
    } else {
        let name = file.display().to_string();
        let opened = std::fs::File::open(file).map_err(|error| unreadable(&name, &error))?;
        // What says of itself that it is too long is not even begun.
        if opened.metadata().is_ok_and(|it| it.len() > MOST_IMPORTED) {
            return Err(unreadable(&name, &too_large("it", MOST_IMPORTED)).into());
        }
        events_in(&name, io::BufReader::new(opened))?
    };
    let imported = store.import(events).await?;
    if json {
        print(&imported)?;
    } else {
        let ImportReport { conversations, runs, events, known } = imported;
        line(&format!(
            "{GOOD}✓{END} {events} {} of {runs} {} in {conversations} {} imported, {known} {} there \
             already",
            plural(events as u64, "event", "events"),
            plural(runs as u64, "run", "runs"),
            plural(conversations as u64, "conversation", "conversations"),
            plural(known as u64, "event was", "events were"),
        ));
    }
    Ok(Exit::Answered)
}

/// The events of an export, a line at a time: what is none ends it before more is read.
fn events_in(name: &str, export: impl BufRead) -> Result<Vec<Event>, CommandError> {
    let cannot = |error| unreadable(name, &error);
    let mut export = export.take(MOST_IMPORTED + 1);
    const MARK: &[u8] = b"\xef\xbb\xbf";
    if export.fill_buf().map_err(cannot)?.starts_with(MARK) {
        export.consume(MARK.len());
    }
    if is_conversation(export.fill_buf().map_err(cannot)?) {
        return conversation_in(name, export);
    }
    let (mut events, mut attached) = (Vec::<Event>::new(), Vec::new());
    for number in 1.. {
        let mut text = Vec::new();
        let length = (&mut export).take(LONGEST_LINE + 1).read_until(b'\n', &mut text);
        let length = length.map_err(cannot)?;
        if export.limit() == 0 {
            return Err(cannot(too_large("it", MOST_IMPORTED)));
        }
        if length as u64 > LONGEST_LINE {
            return Err(cannot(too_large(&format!("line {number}"), LONGEST_LINE)));
        }
        if length == 0 {
            break;
        }
        if let Ok(read) = serde_json::from_slice::<ExportedAttachment>(&text) {
            attached.push(read);
        } else if !text.trim_ascii().is_empty() {
            events.push(serde_json::from_slice(&text).map_err(|error| {
                CommandError::failed(format!(
                    "line {number} is not an event: {error}; nothing was imported"
                ))
            })?);
        }
    }
    ExportedAttachment::restore(attached, &events)
        .map_err(|error| CommandError::failed(format!("{error}; nothing was imported")))?;
    Ok(events)
}

/// Whether one conversation as a single value begins so, whichever of its parts comes first. An event begins otherwise.
fn is_conversation(begins: &[u8]) -> bool {
    let first = begins.trim_ascii_start().strip_prefix(b"{");
    let first = first.and_then(|it| it.trim_ascii_start().strip_prefix(b"\""));
    let is_part = |part: &&str| {
        first
            .and_then(|it| it.strip_prefix(part.as_bytes()))
            .is_some_and(|it| it.starts_with(b"\""))
    };
    ["toolwright", "conversation", "events", "attachments"].iter().any(is_part)
}

/// One conversation as a single value: what the page and the API export.
#[derive(serde::Deserialize)]
struct ExportedConversation {
    events: Vec<Event>,
    #[serde(default)]
    attachments: Vec<ExportedAttachment>,
}

fn conversation_in(name: &str, export: impl BufRead) -> Result<Vec<Event>, CommandError> {
    let no_export = |error: &dyn std::fmt::Display| {
        CommandError::failed(format!("{name} is no export: {error}; nothing was imported"))
    };
    let ExportedConversation { events, attachments } =
        serde_json::from_reader(export).map_err(|error| no_export(&error))?;
    ExportedAttachment::restore(attachments, &events).map_err(|error| no_export(&error))?;
    Ok(events)
}

fn unreadable(name: &str, error: &io::Error) -> CommandError {
    CommandError::failed(format!("cannot read {name}: {error}"))
}

fn too_large(what: &str, limit: u64) -> io::Error {
    let message = format!("{what} is larger than {} MiB; nothing was imported", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

async fn delete(store: &Store, id: &str, yes: bool) -> Result<Exit> {
    let summary = store.find(id).await?;
    if !yes && !confirmed(&summary)? {
        line(&format!("{DIM}Nothing was deleted. --yes deletes without asking.{END}"));
        return Ok(Exit::Failed);
    }
    store.delete(&summary.id).await?;
    line(&format!("{GOOD}✓{END} {} is deleted", summary.id));
    Ok(Exit::Answered)
}

fn confirmed(summary: &ConversationSummary) -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    question(&format!("Delete {} ({})? [y/N] ", summary.id, truncate_line(&summary.title, 50)))?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

async fn resume(app: &App, id: &str, json: bool) -> Result<Exit> {
    let store = app.session.store();
    let id = store.find(id).await?.id;
    match app.session.resume(&id, app.context.clone()).await.map_err(AppError::from)? {
        Some(begun) => {
            // What somebody wanted to stop is gone on with now: nobody wants it stopped any more.
            if let Some(Progress { open: Some((run, _)), .. }) = store.progress(&id).await? {
                store.dismiss(&id, &run, &Instruction::Stop).await?;
            }
            let how = if json { Telling::Events } else { Telling::AsItComes };
            tell(&app.session, begun, how).await
        }
        None => {
            line(&format!("{DIM}Nothing was cut short in {id}.{END}"));
            Ok(Exit::Answered)
        }
    }
}
