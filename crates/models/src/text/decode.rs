//! [`Listening`]: a reply, its text searched for calls as it arrives.

use std::sync::Arc;

use futures_util::StreamExt;
use toolwright_core::{
    Call, CallId, CallSource, FinishReason, ModelDelta, ModelError, ModelErrorKind, ModelResponse,
    ModelStream, StreamSender,
};
use toolwright_dialects::{self as dialects, Decoder, ExtractedCall, WithdrawReason};

use super::quoting::Known;

/// What is handed on.
pub(super) type Handed = Result<ModelDelta, ModelError>;

/// A reply whose text is searched for calls. Once the provider itself delivers a call, everything is
/// handed on as it is.
pub(super) struct Listening<'a> {
    outbox: &'a StreamSender<Handed>,
    decoder: Option<Decoder>,
    /// The calls that are quotations.
    known: Arc<Known>,
    /// How much of the text was searched.
    searched: usize,
    /// Whether the text begins with a blank of the model's own.
    indented: bool,
    text: String,
    reasoning: String,
    calls: Vec<Call>,
    /// The call that is being written.
    open: Option<(String, String)>,
    cut_off: bool,
    /// Which attempt of the provider's this is.
    attempt: u32,
    begun: bool,
}

/// Why there is no reply.
pub(super) struct Failed {
    pub(super) error: ModelError,
    /// Which attempt it was.
    pub(super) attempt: u32,
    /// Whether a part of the reply was already handed on.
    pub(super) begun: bool,
}

impl<'a> Listening<'a> {
    /// Without a decoder the reply is handed on as it is.
    pub(super) fn new(
        outbox: &'a StreamSender<Handed>,
        decoder: Option<Decoder>,
        known: Arc<Known>,
    ) -> Self {
        Self {
            outbox,
            decoder,
            known,
            searched: 0,
            indented: false,
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            open: None,
            cut_off: false,
            attempt: 1,
            begun: false,
        }
    }

    /// Listens to the end.
    pub(super) async fn to(mut self, mut parts: ModelStream) -> Result<ModelResponse, Failed> {
        let error = loop {
            match parts.next().await {
                Some(Ok(ModelDelta::Response(reply))) => return Ok(self.reply(reply)),
                Some(Ok(part)) => {
                    self.part(part);
                    // Handed on before more is read: who listens slowly slows the model.
                    self.outbox.taken().await;
                }
                Some(Err(error)) => break error,
                None => {
                    let message = "the model's reply ended before it was complete";
                    break ModelError::new(ModelErrorKind::BrokenReply, message)
                        .with_advice("ask again");
                }
            }
        };
        Err(Failed { error, attempt: self.attempt, begun: self.begun })
    }

    fn part(&mut self, part: ModelDelta) {
        match part {
            ModelDelta::Text(text) if self.decoder.is_some() => {
                self.search(&text);
                self.begun = true;
            }
            ModelDelta::Retry { attempt, wait_ms, reason } => {
                self.attempt = attempt;
                self.outbox.put(Ok(ModelDelta::Retry { attempt, wait_ms, reason }));
            }
            part => {
                if matches!(part, ModelDelta::CallName { .. }) {
                    self.give_way();
                }
                self.outbox.put(Ok(part));
                self.begun = true;
            }
        }
    }

    fn search(&mut self, text: &str) {
        if self.searched == 0 {
            self.indented = text.starts_with(char::is_whitespace);
        }
        self.searched += text.len();
        let found = self.decoder.as_mut().map(|decoder| decoder.push(text));
        self.found(found.unwrap_or_default());
    }

    /// The provider delivers calls: what was held back of the text is shown, and no more is.
    fn give_way(&mut self) {
        let held = self.decoder.take().map(|mut decoder| decoder.stopped()).unwrap_or_default();
        let shown = held.into_iter().filter(|it| matches!(it, dialects::DecodedPart::Text(_)));
        self.found(shown.collect());
    }

    fn found(&mut self, parts: Vec<dialects::DecodedPart>) {
        for part in parts {
            let part = match part {
                dialects::DecodedPart::Text(mut text) => {
                    // What stands between `</think>` or `Final Answer:` and the text is markup.
                    if self.text.is_empty() && !self.indented {
                        text.drain(..text.len() - text.trim_start().len());
                    }
                    if text.is_empty() {
                        continue;
                    }
                    self.text.push_str(&text);
                    ModelDelta::Text(text)
                }
                dialects::DecodedPart::Reasoning(text) => {
                    self.reasoning.push_str(&text);
                    ModelDelta::Reasoning(text)
                }
                dialects::DecodedPart::CallName { index, name } => {
                    self.open = Some((name.clone(), String::new()));
                    ModelDelta::CallName { index, name }
                }
                dialects::DecodedPart::CallArguments { index, json } => {
                    if let Some((_, arguments)) = &mut self.open {
                        arguments.push_str(&json);
                    }
                    ModelDelta::CallArguments { index, json }
                }
                dialects::DecodedPart::Call { call, .. } => {
                    self.open = None;
                    let Some(quoted) = self.known.instead_of(&call) else {
                        self.calls.push(obtained(call));
                        continue;
                    };
                    let blank = if self.text.ends_with(char::is_whitespace) { "" } else { " " };
                    let blank = if self.text.is_empty() { "" } else { blank };
                    let shown = format!("{blank}{quoted}");
                    self.text.push_str(&shown);
                    ModelDelta::Text(shown)
                }
                dialects::DecodedPart::Withdrawn { why: WithdrawReason::CutOff, .. }
                | dialects::DecodedPart::CutOff => {
                    self.cut_off = true;
                    continue;
                }
                dialects::DecodedPart::Withdrawn { .. } => {
                    self.open = None;
                    continue;
                }
            };
            self.outbox.put(Ok(part));
        }
    }

    /// The whole reply: the provider's, with the calls that were found in its text.
    fn reply(mut self, reply: ModelResponse) -> ModelResponse {
        let gave_way = self.decoder.is_none();
        if gave_way || !reply.calls.is_empty() {
            return reply;
        }
        // Not every model hands its text on before the reply is whole.
        self.search(reply.text.get(self.searched..).unwrap_or_default());
        if let Some(mut decoder) = self.decoder.take() {
            self.found(match reply.finish {
                FinishReason::Length => decoder.cut_off(),
                _ => decoder.stopped(),
            });
        }
        if self.cut_off || reply.finish == FinishReason::Length {
            // What was missing may have been about to come: nothing is mended here.
            for call in self.calls.iter_mut().filter(|it| it.source == CallSource::Repaired) {
                *call = unfinished((std::mem::take(&mut call.name), String::new()));
            }
        }
        if self.cut_off
            && let Some(call) = self.open.take()
        {
            self.calls.push(unfinished(call));
        }
        if !self.calls.is_empty() {
            self.text.truncate(self.text.trim_end().len());
        }
        let between =
            if reply.reasoning.is_empty() || self.reasoning.is_empty() { "" } else { "\n" };
        ModelResponse {
            text: self.text,
            reasoning: format!("{}{between}{}", reply.reasoning, self.reasoning),
            finish: match reply.finish {
                // Kept beside calls, too: the last of them may be a part of one.
                FinishReason::Length => FinishReason::Length,
                _ if !self.calls.is_empty() => FinishReason::ToolCalls,
                other => other,
            },
            calls: self.calls,
            ..reply
        }
    }
}

fn obtained(found: ExtractedCall) -> Call {
    let id = CallId::from(found.id.unwrap_or_default().as_str());
    let obtained = if found.repaired { CallSource::Repaired } else { CallSource::Extracted };
    Call { source: obtained, ..Call::new(id, found.name, found.arguments) }
}

/// A call in which the reply ended. Its arguments must not be readable, whatever was there of them:
/// so it is never run, and the model is told that it was cut off.
fn unfinished((name, arguments): (String, String)) -> Call {
    let mut call = Call { source: CallSource::Extracted, ..Call::new("", name, arguments) };
    if !call.parse().is_err_and(|error| error.is_cut_off()) {
        call.arguments = "{".to_owned();
    }
    call
}
