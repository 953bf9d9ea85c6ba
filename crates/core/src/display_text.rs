//! [`DisplayText`]: what of a run's events is text for the person who asked, in order and once.
//!
//! The terminal and every protocol that only knows text show a run through this, so that none of them
//! can show an answer that was rejected, or the same one twice.

use std::borrow::Cow;

use crate::{Event, EventKind, Message, ResultMode, Verdict};

/// What of a run's events is text for the person who asked: a fold of them.
///
/// Pieces are text as they come. A reply that did not come in pieces is text once it is known to stand:
/// beside calls at once, unless a verdict before it withholds it; as an answer with the verdict about it.
/// What takes an answer's place is text, and so, at the end, is an answer of which nothing was shown. Where a
/// model breaks off and another begins anew, that is said between the two.
#[derive(Clone, Debug, Default)]
pub struct DisplayText {
    mode: ResultMode,
    /// What was shown of this round.
    shown: String,
    /// A reply that may yet be rejected.
    pending: Option<String>,
    /// Whether the answer has to have a form: then it is shown when it has it.
    has_form: bool,
    /// Whether it was asked for in its form: what is said then, beside calls too, is an attempt at it.
    is_due: bool,
    /// Whether what this round's reply says beside its calls is not shown.
    withheld: bool,
}

impl DisplayText {
    /// Nothing was shown yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that an event adds to what is shown.
    pub fn add<'e>(&mut self, event: &'e Event) -> Option<Cow<'e, str>> {
        let text = self.text(event)?;
        self.pending = None;
        // What is said about a text is no part of one.
        if !matches!(event.kind, EventKind::ModelFallback { .. }) {
            self.shown.push_str(&text);
        }
        Some(text)
    }

    fn text<'e>(&mut self, event: &'e Event) -> Option<Cow<'e, str>> {
        match &event.kind {
            EventKind::RunStarted { mode, output, .. } => {
                *self = Self { mode: *mode, has_form: output.is_some(), ..Self::default() };
                None
            }
            EventKind::RoundStarted { .. } => {
                self.shown.clear();
                (self.pending, self.withheld) = (None, false);
                None
            }
            // The results take the place of what is said before the calls; whether there are any
            // shows with the reply.
            EventKind::Content { .. } if self.mode == ResultMode::SingleShot => None,
            // What does not have the form of the answer is sent back, and nobody can forget a text.
            EventKind::Content { .. } if self.has_form => None,
            EventKind::Content { data } => some(data),
            EventKind::ModelFallback { to, .. } => self.taken_back(to),
            EventKind::Reply { message, .. } => self.reply(message),
            EventKind::Message { message, .. } if message.role() == "assistant" => {
                self.whole(message.content())
            }
            // The run goes on behind an answer: that was one, and stands.
            EventKind::Message { message, .. } if message.is_steering() => {
                self.pending.take().map(Cow::Owned)
            }
            EventKind::Reviewed { verdict, .. } if verdict.accepts() => {
                self.pending.take().map(Cow::Owned)
            }
            EventKind::Reviewed { verdict, .. } => {
                self.withheld |= *verdict == Verdict::Withheld;
                self.pending = None;
                None
            }
            EventKind::OutputRequested => {
                (self.pending, self.is_due) = (None, true);
                None
            }
            EventKind::AnswerRejected { .. } | EventKind::Error(_) => {
                self.pending = None;
                None
            }
            EventKind::Done(answer) => self.whole(&answer.response),
            _ => None,
        }
    }

    fn reply<'e>(&mut self, message: &'e Message) -> Option<Cow<'e, str>> {
        let rest = message.content().strip_prefix(self.shown.as_str())?;
        match (self.mode, message.calls().is_empty()) {
            (_, is_answer) if self.has_form && (is_answer || self.is_due) => None,
            (ResultMode::SingleShot, false) => None,
            (ResultMode::Loop, _) if self.withheld => None,
            // What was begun is brought to its end.
            _ if !self.shown.is_empty() => some(rest),
            (ResultMode::Loop, false) => some(rest),
            (_, true) => {
                self.pending = Some(rest.to_owned()).filter(|it| !it.is_empty());
                None
            }
        }
    }

    /// Another model begins anew. Nobody can forget what is on their screen, so they are told.
    fn taken_back<'e>(&mut self, model: &str) -> Option<Cow<'e, str>> {
        self.pending = None;
        let shown = std::mem::take(&mut self.shown);
        (!shown.is_empty())
            .then(|| Cow::Owned(format!("\n\n[broken off; {model} begins anew]\n\n")))
    }

    /// A text that is shown unless something of it was.
    fn whole<'e>(&self, text: &'e str) -> Option<Cow<'e, str>> {
        if self.shown.is_empty() { some(text) } else { None }
    }
}

fn some(text: &str) -> Option<Cow<'_, str>> {
    (!text.is_empty()).then_some(Cow::Borrowed(text))
}
