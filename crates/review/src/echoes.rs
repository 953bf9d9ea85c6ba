//! [`Echoes`]: what results only repeat of their calls' own arguments, which supports nothing.
//!
//! A model that writes a figure into a call and finds it again in the result was told it by nobody. What
//! a person has to decide about is no echo: they were shown it, and it is what was done. Nor is a day or
//! an id that is an argument by itself: a search was narrowed by it, or something was found under it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use toolwright_core::{
    CallId, Conversation, ToolCatalog,
    values::{ArgumentWords, Leaf, each_leaf},
};

use super::{
    figure::Figure,
    scan::{Mention, What, scan},
};

/// What was said to tools that repeat it perhaps.
#[derive(Default)]
pub(super) struct Echoes {
    asked: ArgumentWords,
    said: HashMap<CallId, Said>,
}

/// What one call was made with.
#[derive(Default)]
struct Said {
    numbers: Vec<f64>,
    /// Texts that are an argument by themselves, in lower case.
    whole: HashSet<String>,
    /// The days and times that stand in texts, as they are written, in lower case.
    moments: HashSet<String>,
}

impl Echoes {
    /// Reads the calls of a conversation.
    pub(super) fn of(conversation: &Conversation, catalog: &dyn ToolCatalog) -> Self {
        let mut echoes = Self::default();
        let calls = conversation.messages().iter().flat_map(|message| message.calls());
        for call in calls {
            let spec = catalog.find(&call.name);
            if spec.is_some_and(|it| it.effect.needs_decision()) {
                continue;
            }
            echoes.asked.hear_call(call);
            let said = echoes.said.entry(call.id.clone()).or_default();
            if let Ok(arguments) = call.parse() {
                each_leaf(&arguments, &mut |leaf| said.hear(&leaf));
            }
        }
        echoes
    }

    /// Whether a result of this call has what is mentioned only from the call.
    pub(super) fn has(&self, call: &CallId, mention: &Mention<'_>) -> bool {
        match &mention.what {
            What::Figure(figure) | What::Described(figure) | What::Spelled(figure) => {
                figure.readings.iter().any(|it| self.has_number(call, it.value))
            }
            What::Moment(_) => self.has_moment(call, mention.text),
            What::Id => self.has_text(call, mention.text),
        }
    }

    /// Whether the call was made with this day or time inside a longer text. One whose figures stand in several
    /// arguments, or in another day, was said in none of them.
    fn has_moment(&self, call: &CallId, text: &str) -> bool {
        let lower = text.to_lowercase();
        let said = self.said.get(call);
        said.is_some_and(|it| !it.whole.contains(&lower) && it.moments.contains(&lower))
    }

    /// Whether the call was made with this number.
    pub(super) fn has_number(&self, call: &CallId, value: f64) -> bool {
        let same = |it: &f64| (it.abs() - value.abs()).abs() <= value.abs() * 1e-9;
        self.said.get(call).is_some_and(|said| said.numbers.iter().any(same))
    }

    /// Whether the call was made with this text inside a longer one.
    pub(super) fn has_text(&self, call: &CallId, text: &str) -> bool {
        let lower = text.to_lowercase();
        let is_whole = self.said.get(call).is_some_and(|said| said.whole.contains(&lower));
        !is_whole && self.asked.is_echo(call, &lower)
    }
}

impl Said {
    fn hear(&mut self, leaf: &Leaf<'_>) {
        match leaf {
            Leaf::Scalar { value: Value::Number(number), .. } => {
                self.numbers.extend(number.as_f64());
            }
            Leaf::Scalar { value: Value::String(text), .. } => self.hear_text(text),
            Leaf::Key { name, .. } => self.hear_text(name),
            Leaf::Scalar { .. } => {}
        }
    }

    fn hear_text(&mut self, text: &str) {
        self.whole.insert(text.trim().to_lowercase());
        for line in text.lines() {
            scan(line, &mut |mention| match &mention.what {
                What::Figure(figure) | What::Described(figure) | What::Spelled(figure) => {
                    self.hear_figure(figure);
                }
                What::Moment(_) => self.hear_moment(mention.text),
                What::Id => {}
            });
        }
    }

    /// A day with a time is either of them, too.
    fn hear_moment(&mut self, text: &str) {
        let lower = text.to_lowercase();
        self.moments.extend(lower.split([' ', 't']).map(str::to_owned));
        self.moments.insert(lower);
    }

    fn hear_figure(&mut self, figure: &Figure) {
        self.numbers.extend(figure.readings.iter().map(|it| it.value));
        self.numbers.extend(&figure.parts);
    }
}
