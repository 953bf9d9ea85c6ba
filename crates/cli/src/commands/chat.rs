//! `toolwright chat`: a conversation in the terminal.

use std::{
    io::{self, IsTerminal},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
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
use toolwright_app::{App, AppError, Config, TaskContext};
use toolwright_core::{Attachment, UserMessage};
use toolwright_files::{Writing, private_file, private_folder};
use toolwright_pack::{Check, CheckState, OpenPack};
use toolwright_runtime::new_conversation_id;

use super::{
    attaching::{attachment, named, of_server, typed_path},
    following::{attended, chosen, follow},
    slash,
};
use crate::{
    args::RunArgs,
    error::{CommandError, Result},
    exit::{self, Exit},
    screen::Screen,
    stop::Ending,
    style::{BOLD, DIM, END, WARN, line},
    watch::Watch,
};

const HELP: &str = "Type a question and press Enter. A line that ends in \\ goes on in the next.
  /tools   the tools there are        /new    a new conversation
  /attach FILE   goes with the next question; mcp:SERVER:URI for what a server has
  /context  what the model is told of this project
  /help    this text                  /quit   leave (or Ctrl-D)
While an answer comes, Ctrl-C stops it.";

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
    let App { session, engine, packs, context, project } =
        attended(config, watch, args.approve).await?;
    let tools: Vec<_> = session.agent().settings().toolbox.names().map(str::to_owned).collect();
    line(&format!("{BOLD}toolwright{END} {DIM}· {}{END}", engine.describe()));
    for Check { name, state, says, advice } in packs.iter().flat_map(OpenPack::notices) {
        line(&match state {
            CheckState::Good => format!("{DIM}{says}{END}"),
            _ => format!("{WARN}{name}:{END} {says}. {}", advice.unwrap_or_default()),
        });
    }
    project.notices().iter().for_each(|it| line(&format!("{DIM}{it}{END}")));
    line(&format!("{DIM}tools: {}. /help for help, Ctrl-D to leave.{END}", tools.join(", ")));

    let ending = Ending::listen()?;
    let mut lines = Lines::open(config);
    let mut id = match chosen(&session, args.conversation.as_deref()).await? {
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
    loop {
        lines.refresh(&project);
        let question = match lines.read()? {
            Typed::Line(question) => question,
            Typed::Nothing => continue,
            Typed::End => return Ok(Exit::Answered),
        };
        match question.trim() {
            "" => continue,
            "/quit" | "/exit" => return Ok(Exit::Answered),
            "/help" => {
                HELP.lines().for_each(line);
                slash::list_commands(&project).await;
            }
            "/context" => slash::show_context(&project).await,
            "/tools" => tools.iter().for_each(|name| line(&format!("  {name}"))),
            "/new" => {
                id = new_conversation_id();
                attached.clear();
                line(&format!("{DIM}A new conversation.{END}"));
            }
            command if command.starts_with("/attach mcp:") => {
                let resource = command.trim_start_matches("/attach ").trim();
                attached.extend(taken_from_server(&project, resource).await);
            }
            command if command.starts_with("/attach ") => {
                attached.extend(taken(&typed_path(command.trim_start_matches("/attach "))));
            }
            // A file that was dropped on the terminal, or pasted.
            path if typed_path(path).is_absolute() && typed_path(path).is_file() => {
                attached.extend(taken(&typed_path(path)));
            }
            command
                if command.starts_with('/')
                    && !command.contains(' ')
                    && !project.is_call(command) =>
            {
                line(&format!("{WARN}There is no {command}.{END} /help shows what there is."));
            }
            _ => {
                let question = match slash::question(&project, question).await {
                    Ok(question) => question,
                    Err(error) => {
                        exit::report(&error, exit::Output::Other);
                        continue;
                    }
                };
                let question = attached.drain(..).fold(question, UserMessage::with_attachment);
                let mut run = match session.ask(Some(&id), question, context.clone()).await {
                    Ok(begun) => begun.running,
                    // The database may be locked or full for now: the person may try again.
                    Err(error) => {
                        exit::report(&AppError::from(error).into(), exit::Output::Other);
                        continue;
                    }
                };
                let mut screen = Screen::new();
                // A failure was shown as it happened; the conversation goes on from what stands.
                let _ = follow(&mut run, ending.begin()?, |event| screen.show(event)).await?;
                screen.rest();
                if ending.is_now() {
                    return Ok(Exit::Interrupted);
                }
            }
        }
    }
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
        ["/attach ", "/context", "/help", "/new", "/quit", "/tools"].into_iter().map(str::to_owned)
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

/// What was typed.
enum Typed {
    Line(String),
    Nothing,
    End,
}

/// Where lines come from: an editor with history at a terminal, plain lines otherwise.
enum Lines {
    Editor(Box<Editor<Multiline, FileHistory>>, std::path::PathBuf),
    Plain(io::Stdin),
}

impl Lines {
    fn open(config: &Config) -> Self {
        if !io::stdin().is_terminal() {
            return Self::Plain(io::stdin());
        }
        let settings = EditorConfig::builder().auto_add_history(true).build();
        let Ok(mut editor) = Editor::with_config(settings) else { return Self::Plain(io::stdin()) };
        editor.set_helper(Some(Multiline::default()));
        let data = &config.data.value;
        let history = data.join("history");
        // Without a place for it there is no history, and that is all.
        if private_folder(data).and_then(|()| private_file(&history, Writing::Update)).is_ok() {
            let _ = editor.load_history(&history);
        }
        Self::Editor(Box::new(editor), history)
    }

    /// Takes up what can be completed, where anything is.
    fn refresh(&self, project: &TaskContext) {
        if let Self::Editor(editor, _) = self
            && let Some(helper) = editor.helper()
        {
            helper.commands.refresh(project);
        }
    }

    fn read(&mut self) -> Result<Typed> {
        match self {
            Self::Editor(editor, history) => match editor.readline("› ") {
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
                Err(error) => Err(CommandError::failed(error).into()),
            },
            Self::Plain(input) => {
                let mut text = String::new();
                while input.read_line(&mut text)? > 0 {
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
