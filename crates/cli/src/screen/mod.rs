//! [`Screen`]: a run as a person watches it in a terminal. A fold of the run's events.

mod calls;
mod spinner;
mod thought;

use std::{
    collections::HashMap,
    io::{self, IsTerminal},
    time::Duration,
};

use serde_json::Value;
use toolwright_core::{
    CallId, CallPreview, DisplayText, Event, EventKind, Failure, Message, PreviewContent, Question,
    QuestionAnswer, QuestionKind, Status, ToolChanges, Verdict, revealed, review::Finding,
    truncate_line,
};

use self::{
    calls::{ARGUMENTS, OpenCalls, arguments, milliseconds},
    spinner::{Spinner, tail},
    thought::Thought,
};
pub(crate) use self::{spinner::width, thought::Thinking};
use crate::{
    exit,
    markdown::Markdown,
    reading::Dialogue,
    style::{BOLD, DIM, END, ERROR, GOOD, NAME, WARN, line, line_out, out, tame},
};

/// When the answer is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AnswerShown {
    /// While the model says it.
    AsItComes,
    /// Once it stands: what reads it cannot forget one that is sent back.
    AtTheEnd,
    /// Somebody else shows it.
    Never,
}

/// A run as a person watches it: the answer on standard output, the steps on standard error.
pub(crate) struct Screen {
    spinner: Spinner,
    shown: DisplayText,
    answer: AnswerShown,
    /// How it is laid out, for a person.
    markdown: Option<Markdown>,
    /// Whether the last line of standard output is not finished.
    is_open: bool,
    thought: Thought,
    calls: OpenCalls,
    /// Those of them that are runs of other agents: what they show is further in.
    nested: HashMap<CallId, Box<Screen>>,
    /// How far in the steps stand.
    depth: usize,
    /// Whether the steps are on standard output, too: two streams that are read apart have no order.
    is_record: bool,
    /// What happened while a person was asked.
    held: Vec<Event>,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let is_watched = io::stdout().is_terminal();
        Self {
            spinner: Spinner::new(),
            shown: DisplayText::new(),
            answer: if is_watched { AnswerShown::AsItComes } else { AnswerShown::AtTheEnd },
            markdown: is_watched.then(|| Markdown::new(width())),
            is_open: false,
            thought: Thought::default(),
            calls: OpenCalls::default(),
            nested: HashMap::new(),
            depth: 0,
            is_record: false,
            held: Vec::new(),
        }
    }

    /// A run within the run, one step further in: its answer is the result of its call, and shown as that.
    fn within(&self) -> Self {
        let (depth, is_record) = (self.depth + 1, self.is_record);
        Self { depth, is_record, ..Self::still().without_text() }
    }

    /// The steps alone.
    pub(crate) fn without_text(self) -> Self {
        Self { answer: AnswerShown::Never, ..self }
    }

    /// A run that is over: nothing is awaited.
    pub(crate) fn still() -> Self {
        Self { spinner: Spinner::none(), answer: AnswerShown::AsItComes, ..Self::new() }
    }

    /// A run that was kept: all of it is what was asked for.
    pub(crate) fn record() -> Self {
        Self { is_record: true, ..Self::still() }
    }

    /// The same, with what the model thinks shown like this.
    pub(crate) fn thinking(mut self, how: Thinking) -> Self {
        self.thought.how = how;
        self
    }

    /// Shows what an event changed; while a person is asked, as soon as that is over.
    pub(crate) fn show(&mut self, event: &Event) -> io::Result<()> {
        if Dialogue::is_open() {
            self.held.push(event.clone());
            return Ok(());
        }
        for event in std::mem::take(&mut self.held) {
            self.show_now(&event)?;
        }
        self.show_now(event)?;
        self.spinner.restore();
        Ok(())
    }

    /// Shows what is being typed while the run goes on.
    pub(crate) fn draft(&mut self, draft: &str) {
        self.spinner.draft(draft);
    }

    /// Says what becomes of something that was typed while the run goes on.
    pub(crate) fn noted(&mut self, typed: &str, becomes: &str) {
        let typed = tame(&truncate_line(typed, ARGUMENTS));
        // What the model says is on the screen by whole blocks: one that is growing is not torn by this.
        self.spinner.hide();
        line(&format!("{NAME}›{END} {typed} {DIM}({becomes}){END}"));
        self.spinner.redraw();
    }

    fn show_now(&mut self, event: &Event) -> io::Result<()> {
        self.spinner.pause(matches!(
            event.kind,
            EventKind::DecisionNeeded { .. }
                | EventKind::CallPreview { .. }
                | EventKind::QuestionAsked { .. }
        ));
        if !matches!(event.kind, EventKind::Reasoning { .. }) {
            let lines = self.thought.close(event.at);
            self.thought_lines(&lines);
        }
        let is_shown = self.answer == AnswerShown::AsItComes;
        if let Some(text) = self.shown.add(event).filter(|_| is_shown) {
            self.text(&text)?;
        }
        match &event.kind {
            EventKind::OutputRequested => {
                self.step(&format!("{DIM}the answer is put into its form{END}"));
            }
            EventKind::RoundStarted { .. } => self.spinner.say("thinking"),
            EventKind::Reasoning { data } => {
                let lines = self.thought.add(data, event.at);
                self.thought_lines(&lines);
                self.spinner.say(&format!("thinking: {}", tail(self.thought.growing())));
            }
            EventKind::ModelRetry { attempt, wait_ms, reason } => {
                let wait = Duration::from_millis(*wait_ms);
                let wait = toolwright_duration::ahead(wait);
                self.step(&format!("{WARN}↻{END} {reason}; attempt {attempt} in {wait}"));
            }
            EventKind::ModelFallback { from, to, reason, .. } => {
                self.end_line()?;
                let told = format!("{from} gave no reply ({reason}): {to} goes on");
                self.step(&format!("{WARN}⇢{END} {told}"));
            }
            EventKind::Reply { message, .. } if !message.calls().is_empty() => self.end_line()?,
            EventKind::Message { message, .. } if message.is_steering() => self.steered(message)?,
            EventKind::ToolCalls { tool_calls } => {
                self.calls.add(tool_calls);
            }
            EventKind::CallPreview { id, preview, .. } => self.preview(id, preview),
            EventKind::CallStarted { id, tool } => {
                self.calls.start(id);
                self.end_line()?;
                self.spinner.say(tool);
            }
            EventKind::CallProgress { data, .. } => self.spinner.say(data),
            EventKind::QuestionAsked { tool, question, .. } => self.question(tool, question),
            EventKind::QuestionAnswered { answer, .. } => {
                self.step(&format!("  {DIM}the question was {}{END}", answered(answer)));
            }
            EventKind::PolicyApplied { note, .. } => {
                self.step(&format!("  {DIM}{}: {}{END}", note.layer, note.message));
            }
            EventKind::Reviewed { findings, checked, verdict, .. } => {
                self.reviewed(findings, *checked, *verdict);
            }
            EventKind::Compacted(digest) => {
                let replaced = digest.replaced;
                self.step(&format!("{DIM}{replaced} older messages were shortened{END}"));
            }
            EventKind::ToolsOffered { tools, of, unavailable: withheld } => {
                self.step(&format!("{DIM}{} of {of} tools are offered{END}", tools.len()));
                for it in withheld {
                    self.step(&format!("{WARN}!{END} {} {}", it.tool, it.reason));
                }
            }
            EventKind::ToolsChanged(changes) => self.tools_changed(changes),
            EventKind::CallFinished { id, tool, status, message, elapsed_ms, guard } => {
                self.finished(id, tool, *status, message, *elapsed_ms, guard.as_deref());
            }
            EventKind::AnswerRejected { guard, reason } => {
                self.step(&format!("{WARN}↩{END} {guard}: {reason} {DIM}(asked again){END}"));
            }
            EventKind::LimitReached { message, .. } | EventKind::Notice { message, .. } => {
                self.step(&format!("{WARN}!{END} {message}"));
            }
            EventKind::Done(answer) => {
                if self.answer == AnswerShown::AtTheEnd && !answer.response.is_empty() {
                    self.text(&answer.response)?;
                }
                self.end_line()?;
                if let Some(notice) = answer.finish_reason.notice() {
                    self.step(&format!("{WARN}!{END} {notice}"));
                }
            }
            EventKind::Error(failure) if self.depth > 0 => {
                self.step(&format!("{WARN}!{END} {}", tame(&failure.message)));
            }
            EventKind::Error(failure) => self.failed(failure)?,
            EventKind::Nested { id, event } => {
                self.end_line()?;
                self.begun(id);
                let inner = self.within();
                self.nested.entry(id.clone()).or_insert_with(|| Box::new(inner)).show_now(event)?;
                if let EventKind::RoundStarted { .. } = event.kind {
                    self.spinner.say("thinking");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Shows what was held back, and clears what is only there while something is awaited.
    pub(crate) fn rest(&mut self) {
        for event in std::mem::take(&mut self.held) {
            let _ = self.show_now(&event);
        }
        for id in self.calls.running() {
            self.begun(&id);
        }
        self.spinner.draft("");
        let _ = self.end_line();
    }

    /// All that the model thought, once it is at rest.
    pub(crate) fn into_thought(self) -> String {
        self.thought.into_text()
    }

    /// What a model thinks is shown to whoever waits for it, and is not what it says.
    fn thought_lines(&mut self, lines: &[String]) {
        if !self.spinner.is_there() {
            return;
        }
        let mark = if self.thought.how == Thinking::Shown { "│ " } else { "" };
        for line in lines {
            self.step(&format!("{DIM}{mark}{line}{END}"));
        }
    }

    /// A call that has a line of its own before it ends: others stand below it, or its end is not seen.
    fn begun(&mut self, id: &CallId) {
        let Some(call) = self.calls.take_running(id) else { return };
        let (tool, arguments) = (call.tool.clone(), arguments(call));
        self.step(&format!("{NAME}●{END} {BOLD}{tool}{END} {DIM}{arguments}{END}"));
    }

    fn text(&mut self, piece: &str) -> io::Result<()> {
        let Some(markdown) = &mut self.markdown else {
            self.spinner.hide();
            self.is_open = !piece.ends_with('\n');
            return out(piece);
        };
        self.is_open = true;
        let lines = markdown.add(piece);
        if !lines.is_empty() {
            self.spinner.hide();
            out(&lines)?;
        }
        // A block is laid out once it is complete: what is growing shows that something is.
        self.spinner.say(tail(markdown.growing()));
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.spinner.hide();
        if !std::mem::take(&mut self.is_open) {
            return Ok(());
        }
        match &mut self.markdown {
            Some(markdown) => out(&markdown.finish()),
            None => out("\n"),
        }
    }

    /// What was said to the run, from elsewhere. Whoever shows a log shows what was said themselves.
    fn steered(&mut self, message: &Message) -> io::Result<()> {
        self.end_line()?;
        if self.spinner.is_there() {
            let said = tame(&truncate_line(message.content(), ARGUMENTS));
            self.step(&format!("{NAME}›{END} {said} {DIM}(taken up){END}"));
        }
        Ok(())
    }

    fn tools_changed(&mut self, changes: &ToolChanges) {
        let news =
            [("new", &changes.added), ("gone", &changes.removed), ("changed", &changes.changed)];
        for (what, tools) in news.into_iter().filter(|(_, tools)| !tools.is_empty()) {
            let tools = truncate_line(&tools.join(", "), ARGUMENTS);
            self.step(&format!("{DIM}tools {what}: {}{END}", tame(&tools)));
        }
        for it in &changes.withheld {
            let (tool, reason) = (tame(&it.tool), tame(&it.reason));
            self.step(&format!("{WARN}!{END} {tool} is withheld: {reason}"));
        }
    }

    fn finished(
        &mut self,
        id: &CallId,
        tool: &str,
        status: Status,
        message: &Message,
        elapsed_ms: f64,
        guard: Option<&str>,
    ) {
        self.nested.remove(id);
        let is_new = self.calls.take_running(id).is_some();
        let arguments = self.calls.remove(id).as_ref().map(arguments).unwrap_or_default();
        let result = truncate_line(message.content(), 160);
        let time = milliseconds(elapsed_ms);
        // Below a line that says it already it is told no second time.
        let call = match is_new {
            true => format!("{BOLD}{tool}{END} {DIM}{arguments}{END}"),
            false => tool.to_owned(),
        };
        let margin = if is_new { "" } else { "  " };
        self.step(&match status {
            Status::Ok => format!("{margin}{GOOD}✓{END} {call} {DIM}{time}{END} {result}"),
            Status::Refused | Status::Denied => format!(
                "{WARN}✋{END} {BOLD}{tool}{END} {DIM}{arguments}{END} {WARN}{status}{}{END}: {result}",
                guard.map(|guard| format!(" by {guard}")).unwrap_or_default(),
            ),
            _ => format!("{margin}{ERROR}✗{END} {call} {DIM}{time}{END} {status}: {result}"),
        });
        if let Message::Tool(it) = message
            && let Some(detail) = &it.outcome.detail
        {
            self.step(&format!("    {DIM}{}{END}", truncate_line(detail, 300)));
        }
    }

    /// What a call would do, before anybody decides about it.
    fn preview(&mut self, id: &CallId, preview: &CallPreview) {
        let call = self.calls.get(id).cloned();
        let tool = revealed(call.as_ref().map_or("", |it| it.tool.as_str()));
        let Some(content) = &preview.content else {
            return self.asked(&tool, call.as_ref().map(|it| &*it.args));
        };
        let place = revealed(preview.place.as_deref().unwrap_or_default());
        let place = if place.is_empty() { String::new() } else { format!(" {DIM}in {place}{END}") };
        self.step(&format!("{WARN}?{END} {BOLD}{tool}{END}{place}"));
        for line in revealed(content.text()).lines() {
            let style = match (content, line.chars().next()) {
                (PreviewContent::Diff(_), Some('+')) => GOOD,
                (PreviewContent::Diff(_), Some('-')) => ERROR,
                (PreviewContent::Diff(_), Some('@')) => NAME,
                (PreviewContent::Diff(_), _) => DIM,
                (PreviewContent::Command(_), _) => BOLD,
            };
            self.step(&format!("  {style}{line}{END}"));
        }
    }

    /// A call of which nothing is known but its arguments: all of them, as they are decided about.
    fn asked(&mut self, tool: &str, arguments: Option<&Value>) {
        let head = format!("{WARN}?{END} {BOLD}{tool}{END}");
        let whole = arguments.map(Value::to_string).unwrap_or_default();
        if whole.len() <= ARGUMENTS {
            return self.step(&format!("{head} {DIM}{}{END}", revealed(&whole)));
        }
        self.step(&head);
        // With `#` JSON is laid out over several lines.
        for line in arguments.map(|it| format!("{it:#}")).unwrap_or_default().lines() {
            self.step(&format!("  {DIM}{}{END}", revealed(line)));
        }
    }

    /// What a tool asks. Whoever wrote it may want to be taken for somebody else.
    pub(crate) fn question(&mut self, tool: &str, question: &Question) {
        let tool = tame(&revealed(tool));
        let asker = match &question.asker {
            Some(asker) => format!("{} (tool {tool})", tame(&revealed(asker))),
            None => format!("the tool {tool}"),
        };
        self.step(&format!("{WARN}?{END} {BOLD}{asker}{END} asks you, not Toolwright:"));
        for line in revealed(&question.message).lines() {
            self.step(&format!("  │ {line}"));
        }
        match &question.kind {
            QuestionKind::Url { url, host } => {
                let (url, host) = (revealed(url), revealed(host));
                self.step(&format!("  It wants you to visit {BOLD}{host}{END}: {url}"));
            }
            _ => self.step(&format!(
                "  {DIM}Do not type passwords or other secrets: what you answer is kept, and {asker} reads it.{END}"
            )),
        }
    }

    fn reviewed(&mut self, findings: &[Finding], checked: usize, verdict: Verdict) {
        let told = verdict.describe(checked);
        if findings.is_empty() {
            return self.step(&format!("{DIM}review: {told}{END}"));
        }
        let found = Verdict::describe_findings(findings);
        self.step(&format!("{WARN}⚠ {told} by the results:{END} {found}"));
        if verdict == Verdict::Replaced {
            self.step(&format!("{DIM}What the tools returned is the answer instead.{END}"));
        }
        if verdict == Verdict::Withheld {
            self.step(&format!("{DIM}It was said beside a call and is not shown.{END}"));
        }
    }

    fn failed(&mut self, failure: &Failure) -> io::Result<()> {
        self.end_line()?;
        if self.is_record {
            return line_out(&format!("{ERROR}error:{END} {}", failure.message));
        }
        exit::say(&failure.message, failure.advice.as_deref());
        Ok(())
    }

    fn step(&mut self, text: &str) {
        // A step in the middle of a line of the answer would tear it.
        let _ = self.end_line();
        let text = format!("{:1$}{text}", "", self.depth * 4);
        if self.is_record {
            // Whoever reads no further is told so by what is written next.
            let _ = line_out(&text);
        } else {
            line(&text);
        }
    }
}

fn answered(answer: &QuestionAnswer) -> &'static str {
    match answer {
        QuestionAnswer::Accept { .. } => "answered",
        QuestionAnswer::Decline => "declined",
        QuestionAnswer::Cancel => "closed without an answer",
    }
}
