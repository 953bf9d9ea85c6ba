//! [`Blocks`]: the blocks of a reply in the making, in whatever order their pieces come.

use serde_json::{Value, json};
use toolwright_core::{ModelError, ModelErrorKind};

use super::{lenient::Json, messages::OF_MESSAGE, wire::Piece};
use crate::endpoint::{Draft, LONGEST_ARGUMENTS, append};

/// More than any reply has reason to hold.
const MOST: usize = 4_096;
/// The longest signature, and the longest thought that cannot be read.
const LONGEST_SEAL: usize = 4 << 20;
/// The longest thought.
const LONGEST_THOUGHT: usize = 16 << 20;

/// The blocks of a reply in the making.
#[derive(Default)]
pub(super) struct Blocks {
    all: Vec<Block>,
    /// Whether a thought was shown already.
    thought: bool,
}

struct Block {
    /// Its number, as the provider counts.
    index: Option<u64>,
    kind: Kind,
}

enum Kind {
    /// So many bytes of the text.
    Text(usize),
    Thinking {
        text: String,
        signature: String,
    },
    Redacted(String),
    Call {
        call: usize,
        input: String,
        has_pieces: bool,
    },
    /// What is not known here, or is run by the provider itself.
    Other,
}

/// What a piece brought that the next one may bring as well.
pub(super) enum Brought {
    Text,
    Thought,
    Other,
}

impl Blocks {
    /// Takes a block as it begins, or whole.
    pub(super) fn begin(
        &mut self,
        index: Option<u64>,
        piece: &Piece<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        if self.all.len() >= MOST {
            let message = "the model sent more blocks than any reply has reason to hold";
            return Err(ModelError::new(ModelErrorKind::BrokenReply, message));
        }
        let kind = match piece.kind.as_str() {
            "text" => Kind::Text(0),
            "thinking" => Kind::Thinking { text: String::new(), signature: String::new() },
            "redacted_thinking" => Kind::Redacted(String::new()),
            "tool_use" => {
                let mut input = String::new();
                append(&mut input, json_of(&piece.input), LONGEST_ARGUMENTS)?;
                let call = draft.call(piece.id.as_str(), piece.name.as_str())?;
                Kind::Call { call, input, has_pieces: false }
            }
            _ => Kind::Other,
        };
        self.all.push(Block { index, kind });
        self.add(self.all.len() - 1, piece, draft).map(drop)
    }

    /// Takes what is added to a block; which one it is, and what was added.
    pub(super) fn delta(
        &mut self,
        index: Option<u64>,
        piece: &Piece<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<Option<(usize, Brought)>, ModelError> {
        let block_of = match piece.kind.as_str() {
            "text_delta" => "text",
            "thinking_delta" | "signature_delta" => "thinking",
            "input_json_delta" => "",
            _ => return Ok(None),
        };
        let found = match index {
            Some(_) => self.all.iter().rposition(|it| it.index == index),
            None => self.all.len().checked_sub(1),
        };
        let at = match found {
            Some(at) => at,
            // One that never began. A call would have no name.
            None if block_of.is_empty() => return Ok(None),
            None => {
                let empty = Piece { kind: block_of.into(), ..Piece::default() };
                self.begin(index, &empty, draft)?;
                self.all.len() - 1
            }
        };
        self.add(at, piece, draft).map(|brought| Some((at, brought)))
    }

    fn add(
        &mut self,
        at: usize,
        piece: &Piece<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<Brought, ModelError> {
        let Some(block) = self.all.get_mut(at) else { return Ok(Brought::Other) };
        match &mut block.kind {
            Kind::Text(_) => {
                self.more(at, piece.text.as_str(), draft)?;
                return Ok(Brought::Text);
            }
            Kind::Thinking { signature, .. } => {
                append(signature, piece.signature.as_str(), LONGEST_SEAL)?;
                let is_alone = piece.signature.as_str().is_empty();
                self.more(at, piece.thinking.as_str(), draft)?;
                return Ok(if is_alone { Brought::Thought } else { Brought::Other });
            }
            Kind::Redacted(data) => append(data, piece.data.as_str(), LONGEST_SEAL)?,
            Kind::Call { call, has_pieces, .. } => {
                let json = json_of(&piece.partial_json);
                *has_pieces |= !json.is_empty();
                draft.arguments(*call, json)?;
            }
            Kind::Other => {}
        }
        Ok(Brought::Other)
    }

    /// Takes more text of a block.
    pub(super) fn more(
        &mut self,
        at: usize,
        text: &str,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        match self.all.get_mut(at).map(|it| &mut it.kind) {
            Some(Kind::Text(length)) => {
                *length += text.len();
                draft.said(text)
            }
            Some(Kind::Thinking { text: thought, .. }) if !text.is_empty() => {
                // Thoughts that are shown one behind another are still two.
                if thought.is_empty() && self.thought {
                    draft.thought("\n\n")?;
                }
                self.thought = true;
                append(thought, text, LONGEST_THOUGHT)?;
                draft.thought(text)
            }
            _ => Ok(()),
        }
    }

    /// Whether there is text.
    pub(super) fn has_text(&self) -> bool {
        self.all.iter().any(|it| matches!(it.kind, Kind::Text(1..)))
    }

    /// Hands over the arguments that came whole, or not at all. Those of the last call may be cut where the reply is:
    /// what came whole of them then is what the provider made of their beginning.
    pub(super) fn settle(&self, is_cut: bool, draft: &mut Draft<'_>) {
        let last = self.all.len().wrapping_sub(1);
        for (at, block) in self.all.iter().enumerate() {
            let Kind::Call { call, input, has_pieces: false } = &block.kind else { continue };
            let input = if input.is_empty() { "{}" } else { input };
            let input = match is_cut && at == last {
                true => input.strip_suffix('}').filter(|it| *it != "{").unwrap_or_default(),
                false => input,
            };
            // Their length was looked at when they came.
            let _ = draft.arguments(*call, input);
        }
    }

    /// Keeps the thoughts for the next request, and where they stood if not in front of one text and the calls.
    pub(super) fn keep(&self, draft: &mut Draft<'_>) {
        let mut kept = Vec::new();
        let (mut places, mut has_thoughts) = (Vec::new(), false);
        for block in &self.all {
            let (place, value) = match &block.kind {
                Kind::Text(0) | Kind::Other => continue,
                // Without its signature a thought is refused.
                Kind::Thinking { signature, .. } if signature.is_empty() => continue,
                Kind::Redacted(data) if data.is_empty() => continue,
                Kind::Text(length) => (1, json!({"type": "text", "length": length})),
                Kind::Thinking { text, signature } => {
                    (0, json!({"type": "thinking", "thinking": text, "signature": signature}))
                }
                Kind::Redacted(data) => (0, json!({"type": "redacted_thinking", "data": data})),
                Kind::Call { .. } => (2, json!({"type": "tool_use"})),
            };
            has_thoughts |= place == 0;
            places.push(place);
            kept.push(value);
        }
        if !has_thoughts {
            return;
        }
        let is_usual = places.is_sorted() && places.iter().filter(|it| **it == 1).count() <= 1;
        if is_usual {
            kept.truncate(places.iter().filter(|it| **it == 0).count());
        }
        *draft.kept(OF_MESSAGE) = Value::Array(kept);
    }
}

/// Arguments as text, whether they came as that or as what they mean.
fn json_of<'a>(json: &'a Json<'_>) -> &'a str {
    match json {
        Json::None | Json::Count(_) => "",
        Json::Text(text) => text,
        Json::Value(json) => json,
    }
}
