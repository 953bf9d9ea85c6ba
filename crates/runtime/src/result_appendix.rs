//! [`ResultAppendix`]: what is said beside the result of a call.

use serde_json::Value;
use toolwright_core::Conversation;

/// Says something beside the result of a call: what a project says about the files that were touched, say.
/// It becomes a part of the result, and counts as foreign text as the rest of it does.
pub trait ResultAppendix: Send + Sync {
    /// What everything begins with that it says and asks about: what is looked for in results.
    fn mark(&self) -> &str;

    /// What is said beside the result of a call that went well, where something is. `is_told` says whether
    /// a text that begins with the mark stands in the conversation already.
    fn beside(
        &self,
        tool: &str,
        arguments: &Value,
        is_told: &dyn Fn(&str) -> bool,
    ) -> Option<String>;
}

/// What results of a conversation say from a mark on, kept as the conversation grows: each result is looked
/// through once.
#[derive(Default)]
pub(crate) struct ToldBeside {
    /// How many results were looked through.
    results: usize,
    text: String,
}

impl ToldBeside {
    /// Takes up the results that are new, and says whether one of all has this text.
    pub(crate) fn has(&mut self, conversation: &Conversation, mark: &str, text: &str) -> bool {
        for result in conversation.results().skip(self.results) {
            self.results += 1;
            let said = &result.outcome.text;
            if let Some(told) = said.find(mark).and_then(|at| said.get(at..)) {
                self.text.push_str(told);
                // What ends one result begins no mark in the next.
                self.text.push('\n');
            }
        }
        self.text.contains(text)
    }
}
