//! `toolwright chat`: a conversation in the terminal.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

use rustyline::{
    Config as EditorConfig, Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use tokio::sync::oneshot;
use toolwright_app::{App, AppError, Config, TaskContext};
use toolwright_core::{Attachment, ConversationId, UnavailableTool, UserMessage, truncate_line};
use toolwright_files::{Writing, private_file, private_folder};
use toolwright_pack::{Check, CheckState, OpenPack};
use toolwright_runtime::{Toolbox, new_conversation_id};

use super::{
    again,
    attaching::{attachment, named, of_server, typed_path},
    following::{attended, chosen, follow},
    slash,
    waiting::{self, Waiting},
};
use crate::{
    args::RunArgs,
    error::{CommandError, Error, Result},
    exit::{self, Exit},
    reading::reading,
    screen::Screen,
    stop::Ending,
    style::{BOLD, DIM, END, WARN, line, tame},
    watch::Watch,
};

const HELP: &str = "Type a question and press Enter. A line that ends in \\ goes on in the next.
  /tools   the tools there are        /new    a new conversation
  /attach FILE   goes with the next question; mcp:SERVER:URI for what a server has
  /context  what the model is told of this project
  /retry   ask the last question again    /edit [TEXT]   ask another in its place
  /fork [N]   go on from the answer to question N in a copy of the conversation
  /help    this text                  /quit   leave (or Ctrl-D)
While an answer comes, Ctrl-C stops it.";

/// What has to be typed alone.
const OWN: [&str; 7] = ["/context", "/exit", "/help", "/new", "/quit", "/retry", "/tools"];

/// A file that goes with the next question, unless it cannot.
fn taken(file: &Path) -> Option<Attachment> {
    match attachment(file) {
        Ok(it) => {
            line(&format!("{DIM}{} goes with the next question.{END}", it.describe()));
            Some(it)
        }
        Err(error) => {
            exit::report(&error.into(), exit::Output::Other);
            None
        }
    }
}

/// What a server has that goes with the next question, unless it cannot.
async fn taken_from_server(project: &TaskContext, resource: &str) -> Vec<Attachment> {
    match of_server(project, resource).await {
        Ok(parts) => {
            for it in &parts {
                line(&format!("{DIM}{} goes with the next question.{END}", it.describe()));
            }
            parts
        }
        Err(error) => {
            exit::report(&error.into(), exit::Output::Other);
            Vec::new()
        }
    }
}

pub(crate) async fn run(config: &Config, watch: &Watch, args: &RunArgs) -> Result<Exit> {
    let mut last = None;
    let exit = converse(config, watch, args, &mut last).await;
    if let Some(id) = last {
        line(&format!("{DIM}Go on with: toolwright chat --conversation {id}{END}"));
    }
    exit
}

/// Talks until somebody leaves. `last` becomes the conversation in which something was asked last.
async fn converse(
    config: &Config,
    watch: &Watch,
    args: &RunArgs,
    last: &mut Option<ConversationId>,
) -> Result<Exit> {
    let App { session, engine, packs, context, project } =
        attended(config, watch, args.approve).await?;
    let toolbox = session.agent().settings().toolbox.clone();
    line(&format!("{BOLD}toolwright{END} {DIM}· {}{END}", engine.describe()));
    for Check { name, state, says, advice } in packs.iter().flat_map(OpenPack::notices) {
        line(&match state {
            CheckState::Good => format!("{DIM}{says}{END}"),
            _ => format!("{WARN}{name}:{END} {says}. {}", advice.unwrap_or_default()),
        });
    }
    project.notices().iter().for_each(|it| line(&format!("{DIM}{it}{END}")));
    line(&format!("{DIM}tools: {}. /help for help, Ctrl-D to leave.{END}", tools_told(&toolbox)));

    let ending = Ending::listen()?;
    let commands = Commands::default();
    let lines = Lines::open(config, commands.clone());
    let mut id = match chosen(&session, args).await? {
        Some(id) => id,
        None => new_conversation_id(),
    };
    let mut attached: Vec<Attachment> = Vec::new();
    let (resources, files) = named(&args.attach);
    for file in files {
        attached.push(attachment(file)?);
    }
    for resource in resources {
        attached.extend(of_server(&project, resource).await?);
    }
    // The question that the next line replaces.
    let mut editing: Option<String> = None;
    loop {
        commands.refresh(&project);
        let edited = editing.take();
        let typed = tokio::select! {
            typed = lines.read(edited.clone()) => typed?,
            () = ending.come() => return Ok(Exit::Interrupted),
        };
        let mut question = match typed {
            Typed::Line(question) => question,
            Typed::Nothing => continue,
            Typed::End => return Ok(Exit::Answered),
        };
        let typed = question.trim();
        if edited.is_some() && !typed.is_empty() && !OWN.contains(&typed) {
            question = format!("/edit {typed}");
        }
        let begun = match question.trim() {
            "" => continue,
            "/quit" | "/exit" => return Ok(Exit::Answered),
            "/help" => {
                HELP.lines().for_each(line);
                slash::list_commands(&project).await;
                continue;
            }
            "/context" => {
                slash::show_context(&project).await;
                continue;
            }
            "/tools" => {
                let now = waiting::ready(&toolbox).await;
                list_tools(&now);
                continue;
            }
            "/retry" => again::retry(&session, &id, context.clone()).await,
            "/edit" => {
                match again::last_question(&session, &id).await {
                    Ok(asked) => {
                        let says =
                            "The next line is asked in the place of this; an empty one leaves it:";
                        line(&format!("{DIM}{says}{END} {}", asked.content));
                        editing = Some(asked.content);
                    }
                    Err(error) => told(&error),
                }
                continue;
            }
            command if command.starts_with("/edit ") => {
                let text = command.trim_start_matches("/edit ").trim().to_owned();
                again::edit(&session, &id, &project, text, context.clone()).await
            }
            command if command == "/fork" || command.starts_with("/fork ") => {
                let number = command.trim_start_matches("/fork");
                match again::fork(&session, &id, number).await {
                    Ok(new) => id = new,
                    Err(error) => told(&error),
                }
                continue;
            }
            "/new" => {
                id = new_conversation_id();
                attached.clear();
                line(&format!("{DIM}A new conversation.{END}"));
                continue;
            }
            command if command.starts_with("/attach mcp:") => {
                let resource = command.trim_start_matches("/attach ").trim();
                attached.extend(taken_from_server(&project, resource).await);
                continue;
            }
            command if command.starts_with("/attach ") => {
                attached.extend(taken(&typed_path(command.trim_start_matches("/attach "))));
                continue;
            }
            // A file that was dropped on the terminal, or pasted.
            path if typed_path(path).is_absolute() && typed_path(path).is_file() => {
                attached.extend(taken(&typed_path(path)));
                continue;
            }
            command if slash::unknown(&project, command).is_some() => {
                let name = tame(command.split_whitespace().next().unwrap_or_default());
                let told = match OWN.contains(&name.as_str()) {
                    true => format!("{name} stands alone, without anything behind it."),
                    false => format!("There is no {name}."),
                };
                line(&format!("{WARN}{told}{END} /help shows what there is."));
                continue;
            }
            _ => match slash::question(&project, question).await {
                Ok(question) => {
                    let question = attached.drain(..).fold(question, UserMessage::with_attachment);
                    let begun = session.ask(Some(&id), question, context.clone()).await;
                    begun.map_err(|error| AppError::from(error).into())
                }
                Err(error) => Err(error),
            },
        };
        let mut run = match begun {
            Ok(begun) => begun.running,
            // The database may be locked or full for now: the person may try again.
            Err(error) => {
                told(&error);
                continue;
            }
        };
        *last = Some(id.clone());
        let _told = Waiting::new(&toolbox);
        let mut screen = Screen::new();
        // A failure was shown as it happened; the conversation goes on from what stands.
        let _ = follow(&mut run, ending.begin()?, |event| screen.show(event)).await?;
        screen.rest();
        if ending.is_now() {
            return Ok(Exit::Interrupted);
        }
    }
}

/// Says why something did not happen; the conversation goes on.
fn told(error: &Error) {
    exit::report(error, exit::Output::Other);
}

/// What can be typed behind a `/`. What servers have comes later than the first line, and may change.
#[derive(Clone)]
struct Commands(Arc<Mutex<Vec<String>>>);

impl Default for Commands {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Self::own().collect())))
    }
}

impl Commands {
    fn own() -> impl Iterator<Item = String> {
        let alone = OWN.into_iter().filter(|it| *it != "/exit");
        ["/attach ", "/edit ", "/fork "].into_iter().chain(alone).map(str::to_owned)
    }

    /// Takes up what there is, while a person types.
    fn refresh(&self, project: &TaskContext) {
        let (all, project) = (self.0.clone(), project.clone());
        tokio::spawn(async move {
            let new = Self::own().chain(slash::completions(&project).await).collect();
            *all.lock().unwrap_or_else(PoisonError::into_inner) = new;
        });
    }

    fn fitting(&self, typed: &str) -> Vec<String> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |it: &&String| typed.starts_with('/') && it.starts_with(typed);
        all.iter().filter(fits).cloned().collect()
    }
}

/// The tools there are, on a line, and where more come from: those of sources are known once they are ready.
fn tools_told(toolbox: &Toolbox) -> String {
    let own =
        toolbox.definitions().specs().iter().filter(|it| toolbox.source_of(&it.name).is_none());
    let own: Vec<_> = own.map(|it| it.name.clone()).collect();
    let sources: Vec<_> = toolbox.sources().iter().map(|it| tame(it.name())).collect();
    let more = format!("those of {} (/tools lists them)", sources.join(", "));
    match (own.is_empty(), sources.is_empty()) {
        (true, true) => "none".to_owned(),
        (false, true) => own.join(", "),
        (true, false) => more,
        (false, false) => format!("{}; and {more}", own.join(", ")),
    }
}

/// `/tools`: what is offered, and what is not.
fn list_tools(toolbox: &Toolbox) {
    for spec in toolbox.definitions().specs() {
        line(&format!("  {}", tame(&spec.name)));
    }
    for UnavailableTool { tool, reason } in toolbox.withheld() {
        line(&format!(
            "  {DIM}{} is not offered:{END} {}",
            tame(tool),
            truncate_line(reason, 1_000)
        ));
    }
}

/// What was typed.
enum Typed {
    Line(String),
    Nothing,
    End,
}

/// Where lines come from: a thread that waits for them, so that nobody else has to.
struct Lines(mpsc::Sender<Wanted>);

/// A line that is waited for: what it begins as, and who waits.
type Wanted = (Option<String>, oneshot::Sender<Result<Typed, String>>);

impl Lines {
    fn open(config: &Config, commands: Commands) -> Self {
        let (wanted, lines) = mpsc::channel::<Wanted>();
        let data = config.data.value.clone();
        // Where there is no thread nobody takes up what is wanted, which is the end of the lines.
        let _ = thread::Builder::new().name("lines".to_owned()).spawn(move || {
            let mut source = LineSource::open(&data, commands);
            while let Ok((begun, typed)) = lines.recv() {
                let _ = typed.send(source.read(&begun.unwrap_or_default()));
            }
        });
        Self(wanted)
    }

    /// The next line; at a terminal it begins as this.
    async fn read(&self, begun: Option<String>) -> Result<Typed> {
        let wanted = self.0.clone();
        let read = reading(move || {
            let (send, typed) = oneshot::channel();
            wanted.send((begun, send)).ok()?;
            typed.blocking_recv().ok()
        });
        match read.await.flatten() {
            Some(typed) => Ok(typed.map_err(CommandError::failed)?),
            None => Ok(Typed::End),
        }
    }
}

/// An editor with history at a terminal, plain lines otherwise.
enum LineSource {
    Editor(Box<Editor<Multiline, FileHistory>>, PathBuf),
    Plain(io::Stdin),
}

impl LineSource {
    fn open(data: &Path, commands: Commands) -> Self {
        if !io::stdin().is_terminal() {
            return Self::Plain(io::stdin());
        }
        let settings = EditorConfig::builder().auto_add_history(true).build();
        let Ok(mut editor) = Editor::with_config(settings) else { return Self::Plain(io::stdin()) };
        editor.set_helper(Some(Multiline { commands }));
        let history = data.join("history");
        // Without a place for it there is no history, and that is all.
        if private_folder(data).and_then(|()| private_file(&history, Writing::Update)).is_ok() {
            let _ = editor.load_history(&history);
        }
        Self::Editor(Box::new(editor), history)
    }

    fn read(&mut self, begun: &str) -> Result<Typed, String> {
        match self {
            Self::Editor(editor, history) => match editor.readline_with_initial("› ", (begun, ""))
            {
                Ok(text) => {
                    // What is no file of ours is not written to.
                    if private_file(&*history, Writing::Update).is_ok() {
                        let _ = editor.save_history(history);
                    }
                    Ok(Typed::Line(text.replace("\\\n", "\n")))
                }
                Err(ReadlineError::Interrupted) => {
                    line(&format!("{DIM}Ctrl-D leaves.{END}"));
                    Ok(Typed::Nothing)
                }
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(error) => Err(error.to_string()),
            },
            Self::Plain(input) => {
                let mut text = String::new();
                while input.read_line(&mut text).map_err(|error| error.to_string())? > 0 {
                    let Some(line) = text.strip_suffix("\\\n") else {
                        return Ok(Typed::Line(text));
                    };
                    text = format!("{line}\n");
                }
                Ok(if text.is_empty() { Typed::End } else { Typed::Line(text) })
            }
        }
    }
}

/// A line that ends in `\` goes on in the next; one that begins with `/` calls a command.
#[derive(Default)]
struct Multiline {
    commands: Commands,
}

impl Helper for Multiline {}
impl Highlighter for Multiline {}
impl Completer for Multiline {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or_default();
        Ok((0, self.commands.fitting(typed)))
    }
}
impl Hinter for Multiline {
    type Hint = String;
}

impl Validator for Multiline {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if context.input().ends_with('\\') {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}
