//! [`GeminiReader`]: reads a reply, and does not parse what is like what it has read before.

use serde_json::{Map, Value, json};
use toolwright_core::{FinishReason, ModelError, ModelErrorKind};

use super::{
    alike::Alike,
    messages::{OF_MESSAGE, Place},
    parts::SIGNATURE,
    wire::{Candidate, Chunk, Cost, FunctionCall, Part},
};
use crate::endpoint::{Draft, Reader, Unread, from_body, understand};

/// Reads a reply.
#[derive(Default)]
pub(super) struct GeminiReader {
    alike: Alike,
    /// How much text there is so far.
    said: usize,
    /// How much reasoning there is so far.
    thought: usize,
    /// Whether it stopped because it had said everything.
    stopped: bool,
}

impl Reader for GeminiReader {
    fn take(&mut self, data: &mut [u8], draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if let Some(text) = self.alike.text(data) {
            self.said += text.len();
            return draft.said(text);
        }
        understand(data, |json| self.read(json, draft))
    }

    fn settle(&mut self, draft: &mut Draft<'_>) {
        let last = self.alike.last().and_then(|it| serde_json::from_slice::<Cost>(it).ok());
        if let Some(Cost { usage }) = last {
            draft.cost(usage.into());
        }
        // It has no word of its own for stopping to call.
        if draft.has_calls() && (self.stopped || !draft.is_finished()) {
            draft.finished(FinishReason::ToolCalls);
        }
    }
}

impl GeminiReader {
    /// Takes an event, a whole reply, or the events of a stream as a list.
    fn read(&mut self, json: &str, draft: &mut Draft<'_>) -> Result<(), Unread> {
        if json.trim_start().starts_with('[') {
            let chunks: Vec<Option<Chunk<'_>>> = serde_json::from_str(json)?;
            for chunk in chunks.into_iter().flatten() {
                self.chunk(chunk, draft)?;
            }
            return Ok(());
        }
        let chunk: Chunk<'_> = serde_json::from_str(json)?;
        if let Some(text) = chunk.only_text() {
            self.alike.learn(json.as_bytes(), text);
        }
        Ok(self.chunk(chunk, draft)?)
    }

    fn chunk(&mut self, mut chunk: Chunk<'_>, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if let Some(failure) = chunk.failure() {
            return Err(from_body(None, &failure));
        }
        // Totals with every event: the last ones count.
        if let Some(counts) = chunk.usage_metadata {
            self.alike.counted();
            draft.cost(counts.into());
        }
        // Only one is ever asked for.
        if let Some(candidate) = chunk.candidates.iter().find(|it| !it.is_other()) {
            self.candidate(candidate, draft)?;
        }
        let feedback = chunk.prompt_feedback.unwrap_or_default();
        if !matches!(feedback.block_reason.as_str(), "" | "BLOCK_REASON_UNSPECIFIED") {
            draft.begin();
            self.text(feedback.block_reason_message.as_str(), draft)?;
            self.finished(FinishReason::ContentFilter, draft);
        }
        Ok(())
    }

    fn candidate(
        &mut self,
        candidate: &Candidate<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        draft.begin();
        for part in candidate.content.iter().flat_map(|it| it.parts.iter()) {
            self.part(part, draft)?;
        }
        let reason = candidate.finish_reason.as_str();
        if let Some(reason) = finish_of(reason, candidate.finish_message.as_str())? {
            self.finished(reason, draft);
        }
        Ok(())
    }

    fn part(&mut self, part: &Part<'_>, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        let signature = part.thought_signature.as_str();
        if let Some(call) = &part.function_call {
            return take_call(call, signature, draft);
        }
        let text = part.text.as_str();
        let (place, from) = match part.thought {
            true => (Place::Thought, self.thought),
            false if text.is_empty() && draft.has_calls() => (Place::Behind, 0),
            false => (Place::Text, self.said),
        };
        if part.thought {
            self.thought += text.len();
            draft.thought(text)?;
        } else {
            self.text(text, draft)?;
        }
        if !signature.is_empty() {
            let to = from + text.len();
            let place = place.name();
            let kept = json!({"place": place, "from": from, "to": to, "signature": signature});
            draft.keep(OF_MESSAGE, kept);
        }
        Ok(())
    }

    fn text(&mut self, text: &str, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        self.said += text.len();
        draft.said(text)
    }

    fn finished(&mut self, reason: FinishReason, draft: &mut Draft<'_>) {
        self.stopped = reason == FinishReason::Stop;
        draft.finished(reason);
    }
}

fn take_call(
    call: &FunctionCall<'_>,
    signature: &str,
    draft: &mut Draft<'_>,
) -> Result<(), ModelError> {
    let name = call.name.as_str();
    if name.is_empty() && call.args.0.is_none() {
        return Ok(());
    }
    let number = draft.call(call.id.as_str(), name)?;
    draft.arguments(number, call.args.0.as_deref().unwrap_or("{}"))?;
    if let Some(call) = draft.call_mut(number).filter(|_| !signature.is_empty()) {
        let kept = (SIGNATURE.to_owned(), Value::from(signature));
        call.extra = Some(Map::from_iter([kept]));
    }
    Ok(())
}

/// Why it stopped, by its own word for it; none where it did not.
fn finish_of(reason: &str, words: &str) -> Result<Option<FinishReason>, ModelError> {
    Ok(Some(match reason.to_ascii_uppercase().as_str() {
        "" | "FINISH_REASON_UNSPECIFIED" => return Ok(None),
        // The second: there would be more, in a request that only this API knows.
        "MAX_TOKENS" | "CONTINUATION" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "LANGUAGE" | "OTHER" | "BLOCKLIST" | "PROHIBITED_CONTENT"
        | "SPII" | "NO_IMAGE" => FinishReason::ContentFilter,
        image if image.starts_with("IMAGE_") => FinishReason::ContentFilter,
        "MALFORMED_FUNCTION_CALL"
        | "MALFORMED_RESPONSE"
        | "UNEXPECTED_TOOL_CALL"
        | "TOO_MANY_TOOL_CALLS" => {
            let said = if words.is_empty() { String::new() } else { format!(": {words}") };
            let message = format!("the model's reply could not be used ({reason}){said}");
            let error = ModelError::new(ModelErrorKind::BrokenReply, message);
            return Err(error.with_advice("ask again"));
        }
        "MISSING_THOUGHT_SIGNATURE" => {
            let message = "the provider misses the signature of a thought in the conversation";
            let error = ModelError::new(ModelErrorKind::Request, message);
            return Err(error.with_advice("start a new conversation"));
        }
        // `STOP`, and whatever else it may be called one day.
        _ => FinishReason::Stop,
    }))
}
