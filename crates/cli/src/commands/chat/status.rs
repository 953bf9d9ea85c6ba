//! `/status`, `/context` and `/tools`: what the chat is made of, what fills the window, what is offered.

use toolwright_core::{
    ContextFill, Conversation, EventKind, ToolEffect, UnavailableTool, Usage, plural, truncate_line,
};
use toolwright_pack::Pack;
use toolwright_store::StoreError;

use super::{Chat, Next};
use crate::{
    commands::{conversations::each_event, slash, waiting},
    error::Result,
    style::{BOLD, DIM, END, NAME, WARN, line, tame},
};

/// What was used in a conversation.
#[derive(Default)]
struct Spent {
    questions: usize,
    usage: Usage,
    cost: Option<u64>,
    /// The tokens that the provider counted in the last request.
    counted: Option<u64>,
    /// How often the older part was replaced.
    compactions: usize,
}

impl Chat {
    /// `/status`
    pub(super) async fn status(&mut self, _: &str) -> Result<Next> {
        let (spent, fill) = (self.spent().await?, self.fill().await?);
        let store = self.app.session.store();
        let row = |name: &str, text: String| line(&format!("  {DIM}{name:<13}{END} {text}"));
        row("model", tame(&self.app.engine.describe()));
        row("task", tame(&self.config.task.value.name));
        let title = match store.find(self.id.as_str()).await {
            Ok(found) => format!("  {}", tame(&found.title)),
            Err(StoreError::NotFound(_)) => format!("  {DIM}nothing was asked yet{END}"),
            Err(error) => return Err(error.into()),
        };
        row("conversation", format!("{}{title}", self.id));
        row("tokens", spent.tokens());
        if let Some(cost) = spent.cost {
            row("cost", format!("{:.4}", cost as f64 / 1_000_000.0));
        }
        row("window", self.filled(&fill));
        let waiting = store.queued(&self.id).await?;
        for it in &waiting {
            row("waits", tame(&it.message.content));
        }
        for it in &self.attached {
            row("attached", tame(&it.describe()));
        }
        if self.compacts {
            row("compacts", "with the next question".to_owned());
        }
        Ok(Next::Line)
    }

    /// `/context`
    pub(super) async fn context(&mut self, _: &str) -> Result<Next> {
        let (spent, fill) = (self.spent().await?, self.fill().await?);
        let basis = match fill.is_counted {
            true => "This rests on what the provider counted.",
            false => "Estimated: four bytes are about a token.",
        };
        line(&format!("The next request has {}. {DIM}{basis}{END}", self.filled(&fill)));
        let parts = [
            ("Instructions", fill.system),
            ("Project", fill.project),
            ("Tools", fill.tools),
            ("Messages", fill.history),
            ("Results", fill.results),
        ];
        for (name, tokens) in parts.into_iter().filter(|(_, tokens)| *tokens > 0) {
            line(&format!("  {name:<13} {:>9}  {}", grouped(tokens), bar(tokens, fill.total)));
        }
        let at = self.app.session.agent().settings().window.threshold() as u64;
        let before = match spent.compactions {
            0 => String::new(),
            times => format!(" That happened {times} {}.", plural(times as u64, "time", "times")),
        };
        line(&format!(
            "{DIM}Beyond {} the older part becomes a digest; /compact does it with the next question.{before}{END}",
            grouped(at)
        ));
        slash::show_context(&self.app.project).await;
        Ok(Next::Line)
    }

    /// `/compact`
    pub(super) async fn compact(&mut self, _: &str) -> Result<Next> {
        self.compacts = !self.compacts;
        let told = match self.compacts {
            true => {
                "The older part of the conversation becomes a digest with the next question. You keep everything; \
                 the model is sent less. /compact again leaves it as it is."
            }
            false => "The conversation stays as it is.",
        };
        line(&format!("{DIM}{told}{END}"));
        Ok(Next::Line)
    }

    /// `/tools`
    pub(super) async fn tools(&mut self, _: &str) -> Result<Next> {
        let toolbox = waiting::ready(&self.app.session.agent().settings().toolbox).await;
        for spec in toolbox.definitions().specs() {
            let effect = match spec.effect {
                ToolEffect::ReadOnly => "reads",
                ToolEffect::Idempotent | ToolEffect::Write => "writes",
                ToolEffect::Destructive => "asks first",
            };
            let source = toolbox.source_of(&spec.name).or_else(|| self.pack_of(&spec.name));
            let source = source.map(|it| format!(", from {}", tame(it))).unwrap_or_default();
            let name = tame(&spec.name);
            let about = truncate_line(&spec.description, 80);
            line(&format!("  {NAME}{name}{END} {DIM}({effect}{source}){END} {about}"));
        }
        for UnavailableTool { tool, reason } in toolbox.withheld() {
            let (tool, reason) = (tame(tool), truncate_line(reason, 1_000));
            line(&format!("  {DIM}{tool} is not offered:{END} {reason}"));
        }
        Ok(Next::Line)
    }

    /// The pack that a tool comes from.
    fn pack_of(&self, tool: &str) -> Option<&'static str> {
        let infos = self.config.packs().iter().map(Pack::info);
        infos.into_iter().find(|it| it.tools.contains(&tool)).map(|it| it.name)
    }

    /// How full the window is, in words.
    fn filled(&self, fill: &ContextFill) -> String {
        let window = self.app.session.agent().settings().window.tokens;
        let percent = (fill.total as f64 / window.max(1) as f64 * 100.0).round();
        let about = if fill.is_counted { "" } else { "about " };
        let share =
            if fill.total > 0 && percent < 1.0 { "<1".to_owned() } else { percent.to_string() };
        let full = if fill.total as f64 > self.app.session.agent().settings().window.threshold() {
            format!(" {WARN}nearly full{END}")
        } else {
            String::new()
        };
        format!(
            "{BOLD}{about}{} of {} tokens{END} ({share}%){full}",
            grouped(fill.total),
            grouped(window)
        )
    }

    /// What the next request has.
    async fn fill(&self) -> Result<ContextFill> {
        let settings = self.app.session.agent().settings();
        let tools = settings.toolbox.current().definitions().json().len();
        let counted = self.spent().await?.counted;
        let history = match self.is_begun().await? {
            true => self.app.session.store().acquire(&self.id).await?.load().await?.history,
            false => Conversation::new(),
        };
        Ok(history.fill(tools, counted))
    }

    /// Whether something was asked in the conversation.
    pub(super) async fn is_begun(&self) -> Result<bool> {
        match self.app.session.store().find(self.id.as_str()).await {
            Ok(_) => Ok(true),
            Err(StoreError::NotFound(_)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn spent(&self) -> Result<Spent> {
        let mut spent = Spent::default();
        if !self.is_begun().await? {
            return Ok(spent);
        }
        let store = self.app.session.store();
        let newest = store.runs(&self.id).await?.newest();
        let read = each_event(store, &self.id, |event| {
            // What was asked anew was paid for, too; the window has the newest version alone.
            let is_newest = newest.has(event);
            match &event.kind {
                EventKind::RunStarted { .. } => spent.questions += 1,
                EventKind::Reply { usage, .. } if is_newest => {
                    spent.counted = Some(usage.prompt_tokens);
                }
                EventKind::Compacted(_) if is_newest => {
                    (spent.counted, spent.compactions) = (None, spent.compactions + 1);
                }
                EventKind::Done(answer) => spent.add(&answer.usage, answer.cost),
                EventKind::Error(failure) => spent.add(&failure.usage, failure.cost),
                _ => {}
            }
            Ok(())
        });
        read.await??;
        Ok(spent)
    }
}

impl Spent {
    /// The tokens, in words.
    fn tokens(&self) -> String {
        let Usage { prompt_tokens, cached_tokens, completion_tokens, .. } = self.usage;
        if self.questions > 0 && prompt_tokens == 0 {
            return "nobody counted them".to_owned();
        }
        let (read, cached) = (grouped(prompt_tokens), grouped(cached_tokens));
        let (written, questions) = (grouped(completion_tokens), self.questions);
        let word = plural(questions as u64, "question", "questions");
        format!("{read} read ({cached} from a cache), {written} written, in {questions} {word}")
    }

    fn add(&mut self, usage: &Usage, cost: Option<u64>) {
        self.usage.prompt_tokens += usage.prompt_tokens;
        self.usage.cached_tokens += usage.cached_tokens;
        self.usage.completion_tokens += usage.completion_tokens;
        if let Some(cost) = cost {
            self.cost = Some(self.cost.unwrap_or_default() + cost);
        }
    }
}

/// A number as people read it: `12,345`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share of a whole, drawn.
fn bar(part: u64, whole: u64) -> String {
    const WIDTH: u64 = 20;
    let filled = (part * WIDTH).div_ceil(whole.max(1)).min(WIDTH) as usize;
    "█".repeat(filled)
}

#[cfg(test)]
mod tests {
    use super::{bar, grouped};

    #[test]
    fn numbers_and_shares_are_drawn() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!((bar(0, 10).as_str(), bar(1, 1_000).as_str()), ("", "█"));
        assert_eq!(bar(9, 9), "█".repeat(20));
    }
}
