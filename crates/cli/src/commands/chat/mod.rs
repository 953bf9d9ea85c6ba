//! [`Chat`]: `toolwright chat`, a conversation in the terminal.

mod asking;
mod attend;
mod choices;
mod clipboard;
mod completion;
mod conversation;
#[cfg_attr(not(unix), allow(dead_code))]
mod draft;
mod export;
mod keyboard;
mod lines;
mod picker;
mod status;
mod table;

use std::{collections::VecDeque, sync::Arc};

use toolwright_app::{
    App, ApprovalRules, Config, Flags, OpenPacks, StartedRun, assemble_in, nearest,
};
use toolwright_core::{Attachment, ConversationId, Observer, UserMessage};
use toolwright_pack::{Check, CheckState, OpenPack};
use toolwright_runtime::new_conversation_id;
use toolwright_store::Store;

use self::{
    completion::Completions,
    lines::{Lines, Typed},
};
use super::{
    approving::Approvers,
    attaching::{attachment, named, of_server, typed_path},
    following::chosen,
    slash,
};
use crate::{
    args::{ChatArgs, RunArgs},
    error::{Error, Result},
    exit::{self, Exit},
    screen::Thinking,
    stop::Ending,
    style::{BOLD, DIM, END, WARN, line, tame},
    watch::Watch,
};

/// How many tools are named when a chat begins.
const MOST_TOLD: usize = 8;

/// A conversation in the terminal.
struct Chat {
    /// What the chat was started with, and what was chosen since.
    flags: Flags,
    config: Config,
    packs: OpenPacks,
    approvals: Arc<ApprovalRules>,
    approve: bool,
    observers: Vec<Arc<dyn Observer>>,
    app: App,
    id: ConversationId,
    /// The conversation in which something was asked last.
    last: Option<ConversationId>,
    /// What goes with the next question.
    attached: Vec<Attachment>,
    /// The question that the next line replaces.
    editing: Option<String>,
    /// What the next line begins as.
    draft: String,
    /// Lines that were entered while a run went on.
    entered: VecDeque<String>,
    /// Whether the older part is replaced with the next question.
    compacts: bool,
    thinking: Thinking,
    /// What the model thought last.
    thought: String,
    completions: Completions,
    lines: Lines,
}

/// What is done after a line.
enum Next {
    /// The next line is read.
    Line,
    /// A run is followed.
    Run(Box<StartedRun>),
    /// What it said was stopped before it was done.
    Stopped,
    /// The chat ends.
    Leave,
}

pub(crate) async fn run(
    config: &Config,
    flags: Flags,
    watch: &Watch,
    args: &RunArgs,
    more: &ChatArgs,
) -> Result<Exit> {
    let mut chat = Chat::open(config, flags, watch, args, more).await?;
    // Somebody may be asked which conversation it is: the terminal is left as it was then, too.
    let ending = Ending::listen()?;
    let stop = ending.begin()?;
    let is_begun = tokio::select! {
        is_begun = chat.begin(args, more) => is_begun?,
        () = stop => return Ok(Exit::Interrupted),
    };
    let exit = match is_begun {
        true => chat.converse(&ending).await,
        false => Ok(Exit::Answered),
    };
    if let Some(id) = &chat.last {
        line(&format!("{DIM}Go on with: toolwright chat --conversation {id}{END}"));
    }
    exit
}

impl Chat {
    async fn open(
        config: &Config,
        flags: Flags,
        watch: &Watch,
        args: &RunArgs,
        more: &ChatArgs,
    ) -> Result<Self> {
        let store = config.open_store().await?;
        let approvals = Arc::new(ApprovalRules::open(config, &store).await?);
        let (packs, observers) = (OpenPacks::default(), watch.observers());
        let approver = Approvers::with(approvals.clone(), args.approve).attended();
        let app = assemble_in(config, &packs, Vec::new(), store, approver, observers.clone())?;
        // While the first question is typed.
        app.warm(config, &packs);
        let completions = Completions::default();
        completions.set_tasks(config.tasks.entries().iter().map(|it| it.name.clone()).collect());
        completions.add_models(config.model.names().map(str::to_owned));
        let lines = Lines::open(config, completions.clone());
        let thinking = if more.thinking { Thinking::Shown } else { Thinking::CountedWithHint };
        Ok(Self {
            flags,
            config: config.clone(),
            packs,
            approvals,
            approve: args.approve,
            observers,
            app,
            id: new_conversation_id(),
            last: None,
            attached: Vec::new(),
            editing: None,
            draft: String::new(),
            entered: VecDeque::new(),
            compacts: false,
            thinking,
            thought: String::new(),
            completions,
            lines,
        })
    }

    /// An agent of other settings, with the same conversations and approvals.
    fn assembled(&self, config: &Config) -> Result<App> {
        let approver = Approvers::with(self.approvals.clone(), self.approve).attended();
        let (store, observers) = (self.store().clone(), self.observers.clone());
        Ok(assemble_in(config, &self.packs, Vec::new(), store, approver, observers)?)
    }

    fn store(&self) -> &Store {
        self.app.session.store()
    }

    /// Says what there is, and takes up what was named on the command line. Whether there is a conversation to go on
    /// with.
    async fn begin(&mut self, args: &RunArgs, more: &ChatArgs) -> Result<bool> {
        line(&format!("{BOLD}toolwright{END} {DIM}· {}{END}", self.app.engine.describe()));
        for Check { name, state, says, advice } in self.app.packs.iter().flat_map(OpenPack::notices)
        {
            line(&match state {
                CheckState::Good => format!("{DIM}{says}{END}"),
                _ => format!("{WARN}{name}:{END} {says}. {}", advice.unwrap_or_default()),
            });
        }
        self.app.project.notices().iter().for_each(|it| line(&format!("{DIM}{it}{END}")));
        let tools = self.tools_told();
        line(&format!("{DIM}tools: {tools}. /help for help, Ctrl-D to leave.{END}"));
        if let Some(id) = chosen(&self.app.session, args).await? {
            self.go_on_with(id).await?;
        }
        match &more.resume {
            None => {}
            Some(Some(named)) => self.go_on_with(picker::named(self.store(), named).await?).await?,
            Some(None) => match picker::pick(self.store()).await? {
                Some(id) => self.go_on_with(id).await?,
                None => return Ok(false),
            },
        }
        let (resources, files) = named(&args.attach);
        for file in files {
            self.attached.push(attachment(file)?);
        }
        for resource in resources {
            self.attached.extend(of_server(&self.app.project, resource).await?);
        }
        Ok(true)
    }

    /// The tools there are, on a line, and where more come from: those of sources are known once they are ready.
    fn tools_told(&self) -> String {
        let toolbox = &self.app.session.agent().settings().toolbox;
        let own =
            toolbox.definitions().specs().iter().filter(|it| toolbox.source_of(&it.name).is_none());
        let own: Vec<_> = own.map(|it| it.name.clone()).collect();
        // A wall of names is read by nobody.
        let own = match own.len() {
            ..=MOST_TOLD => own,
            many => vec![format!("{many} (/tools lists them)")],
        };
        let sources: Vec<_> = toolbox.sources().iter().map(|it| tame(it.name())).collect();
        let more = format!("those of {} (/tools lists them)", sources.join(", "));
        match (own.is_empty(), sources.is_empty()) {
            (true, true) => "none".to_owned(),
            (false, true) => own.join(", "),
            (true, false) => more,
            (false, false) => format!("{}; and {more}", own.join(", ")),
        }
    }

    /// Talks until somebody leaves.
    async fn converse(&mut self, ending: &Ending) -> Result<Exit> {
        let mut is_interrupted = false;
        loop {
            let typed = match self.entered.pop_front() {
                Some(typed) => typed,
                None => {
                    self.completions.refresh(&self.app.project, self.store());
                    let begun = std::mem::take(&mut self.draft);
                    let typed = tokio::select! {
                        typed = self.lines.read(begun) => typed?,
                        () = ending.come() => return Ok(Exit::Interrupted),
                    };
                    match typed {
                        Typed::Line(typed) => typed,
                        Typed::End => return Ok(Exit::Answered),
                        Typed::Interrupted if is_interrupted => return Ok(Exit::Interrupted),
                        Typed::Interrupted => {
                            (is_interrupted, self.editing) = (true, None);
                            line(&format!("{DIM}Ctrl-C again or Ctrl-D leaves.{END}"));
                            continue;
                        }
                    }
                }
            };
            is_interrupted = false;
            // A command may wait for somebody who does not answer.
            let stop = ending.begin()?;
            let taken = tokio::select! {
                taken = self.take(typed) => taken,
                () = stop => Ok(Next::Stopped),
            };
            match taken {
                Ok(Next::Stopped) if ending.is_now() => return Ok(Exit::Interrupted),
                Ok(Next::Stopped) => line(&format!("{DIM}Stopped.{END}")),
                Ok(Next::Line) => {}
                Ok(Next::Leave) => return Ok(Exit::Answered),
                Ok(Next::Run(started)) => {
                    if self.follow(*started, ending).await? {
                        return Ok(Exit::Interrupted);
                    }
                }
                // The database may be locked or full for now: the person may try again.
                Err(error) => told(&error),
            }
        }
    }

    /// Does what a line says.
    async fn take(&mut self, typed: String) -> Result<Next> {
        let (name, rest) = table::split(&typed);
        let edited = self.editing.take();
        if let Some(command) = table::find(name) {
            if !rest.is_empty() && command.arguments.is_empty() {
                let says = format!("{name} stands alone, without anything behind it.");
                line(&format!("{WARN}{says}{END} /help shows what there is."));
                return Ok(Next::Line);
            }
            let rest = rest.to_owned();
            return (command.run)(self, &rest).await;
        }
        let typed_trimmed = typed.trim();
        if typed_trimmed.is_empty() {
            return Ok(Next::Line);
        }
        if edited.is_some() {
            return self.edit(typed_trimmed).await;
        }
        // A file that was dropped on the terminal, or pasted.
        let path = typed_path(typed_trimmed);
        if path.is_absolute() && path.is_file() {
            self.attach_file(&path);
            return Ok(Next::Line);
        }
        if slash::unknown(&self.app.project, typed_trimmed).is_some() {
            self.unknown(name).await;
            return Ok(Next::Line);
        }
        match self.app.project.is_call(&typed) {
            true => self.send(slash::question(&self.app.project, typed).await?).await,
            false => self.ask(UserMessage::new(typed)).await,
        }
    }

    /// Says that there is no such command, and which was probably meant.
    async fn unknown(&self, name: &str) {
        let others = slash::completions(&self.app.project).await;
        let known = table::listed().map(|it| it.name).chain(others.iter().map(String::as_str));
        let meant = nearest(name, known).map(|it| format!(" Did you mean {}?", tame(&it)));
        let (name, meant) = (tame(name), meant.unwrap_or_default());
        line(&format!("{WARN}There is no {name}.{END}{meant} /help shows what there is."));
    }
}

/// Says why something did not happen; the conversation goes on.
fn told(error: &Error) {
    exit::report(error, exit::Output::Other);
}
