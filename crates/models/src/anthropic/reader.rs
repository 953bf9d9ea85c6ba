//! [`MessagesReader`]: reads a reply, and skips what it has read before.

use serde_json::json;
use toolwright_core::{FinishReason, ModelError};

use super::{
    blocks::{Blocks, Brought},
    lenient::{Object, OneOrMany},
    wire::{Counts, Details, Event, Piece, Whole},
};
use crate::endpoint::{Alike, Draft, Reader, Unread, broken, from_body, understand};

/// How much may come without anything in it. A model that thinks for long says no more than that it is there, but
/// not as often as this.
const LONGEST_NOTHING: usize = 4 << 20;

/// Reads a reply.
#[derive(Default)]
pub(super) struct MessagesReader {
    blocks: Blocks,
    alike: Alike,
    /// The block that events alike belong to.
    block: usize,
    counts: Counts,
    /// How many bytes came since anything came.
    nothing: usize,
    is_cut: bool,
    is_refused: bool,
    is_over: bool,
}

impl Reader for MessagesReader {
    fn take(&mut self, data: &mut [u8], draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if let Some(text) = self.alike.text(data) {
            self.nothing = 0;
            return self.blocks.more(self.block, text, draft);
        }
        if data.trim_ascii_start().first() != Some(&b'{') {
            return Err(broken("a piece of it is not JSON as documented"));
        }
        understand(data, |json| {
            let event = serde_json::from_str::<Event<'_>>(json)?;
            self.event(&event, json, draft).map_err(Unread::Failed)
        })
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn settle(&mut self, draft: &mut Draft<'_>) {
        // What was said before a refusal is to be thrown away, by the API's own word.
        if self.is_refused {
            return draft.forget_calls();
        }
        self.blocks.settle(self.is_cut, draft);
        self.blocks.keep(draft);
    }
}

impl MessagesReader {
    fn event(
        &mut self,
        event: &Event<'_>,
        json: &str,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let kind = event.kind.as_str();
        if kind == "error" || !event.error.is_null() {
            return Err(failure(event));
        }
        self.nothing += json.len();
        match kind {
            "content_block_delta" => return self.delta(event, json, draft),
            "content_block_start" => {
                self.alike.forget();
                draft.begin();
                if let Object(Some(block)) = &event.content_block {
                    self.blocks.begin(event.index.0, block, draft)?;
                }
            }
            "message_start" => {
                draft.begin();
                if let OneOrMany::One(whole) = &event.message {
                    self.whole(whole, draft)?;
                }
            }
            "message_delta" => {
                if let Object(Some(delta)) = &event.delta {
                    self.finished(delta.stop_reason.as_str(), &delta.stop_details, draft)?;
                }
                self.cost(&event.usage, draft);
            }
            "message_stop" => self.is_over = true,
            "message" => self.message(event, draft)?,
            "" if matches!(event.message, OneOrMany::Text(_)) => return Err(failure(event)),
            "" if !event.role.as_str().is_empty() => self.message(event, draft)?,
            // Pings, the ends of blocks, and what is newer than this.
            _ if self.nothing > LONGEST_NOTHING => {
                return Err(broken("4 MiB of it held nothing"));
            }
            _ => return Ok(()),
        }
        self.nothing = 0;
        Ok(())
    }

    fn delta(
        &mut self,
        event: &Event<'_>,
        json: &str,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let Object(Some(piece)) = &event.delta else { return Ok(()) };
        draft.begin();
        self.nothing = 0;
        let json = json.as_bytes();
        match self.blocks.delta(event.index.0, piece, draft)? {
            Some((block, Brought::Text)) => {
                self.block = block;
                self.alike.learn(json, b"\"text\":\"", piece.text.as_str());
            }
            Some((block, Brought::Thought)) => {
                self.block = block;
                self.alike.learn(json, b"\"thinking\":\"", piece.thinking.as_str());
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes a message that comes at once.
    fn message(&mut self, event: &Event<'_>, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        draft.begin();
        self.content(&event.content, draft)?;
        self.finished(event.stop_reason.as_str(), &event.stop_details, draft)?;
        self.cost(&event.usage, draft);
        Ok(())
    }

    /// Takes a message as it begins. Nothing forbids that something is in it.
    fn whole(&mut self, whole: &Whole<'_>, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        self.content(&whole.content, draft)?;
        self.finished(whole.stop_reason.as_str(), &whole.stop_details, draft)?;
        self.cost(&whole.usage, draft);
        Ok(())
    }

    fn content(
        &mut self,
        content: &OneOrMany<Piece<'_>>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        match content {
            OneOrMany::None => Ok(()),
            OneOrMany::One(block) => self.blocks.begin(None, block, draft),
            OneOrMany::Many(blocks) => {
                blocks.iter().zip(0..).try_for_each(|(block, index)| match block {
                    Object(Some(block)) => self.blocks.begin(Some(index), block, draft),
                    Object(None) => Ok(()),
                })
            }
            OneOrMany::Text(text) => draft.said(text),
        }
    }

    fn cost(&mut self, counts: &Object<Counts>, draft: &mut Draft<'_>) {
        if let Object(Some(counts)) = counts {
            self.counts.take(*counts);
            draft.cost(self.counts.usage());
        }
    }

    fn finished(
        &mut self,
        reason: &str,
        details: &Object<Details<'_>>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let reason = match reason {
            "" => return Ok(()),
            "tool_use" => FinishReason::ToolCalls,
            "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
            "refusal" => return self.refused(details, draft),
            // `end_turn`, `stop_sequence`, `pause_turn`, and whatever else comes to be.
            _ => FinishReason::Stop,
        };
        self.is_cut = reason == FinishReason::Length;
        draft.finished(reason);
        Ok(())
    }

    /// Takes a refusal. One that says nothing was somebody's who stands between the model and us.
    fn refused(
        &mut self,
        details: &Object<Details<'_>>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let words = details.0.as_ref().map_or("", |it| it.explanation.as_str());
        if words.trim().is_empty() {
            draft.finished(FinishReason::ContentFilter);
        } else if !self.is_refused {
            if self.blocks.has_text() {
                draft.said("\n\n")?;
            }
            draft.refused(words)?;
            draft.finished(FinishReason::Refusal);
        }
        self.is_refused = true;
        Ok(())
    }
}

/// The error that an event tells of.
fn failure(event: &Event<'_>) -> ModelError {
    match &event.message {
        OneOrMany::Text(words) if event.error.is_null() => {
            from_body(None, &json!({"message": words}))
        }
        _ => from_body(None, &event.error),
    }
}
