//! [`Extraction`]: what was found in a text, whole.

use crate::{DecodedPart, Decoder, Dialect, ExtractedCall, KnownTools};

/// What was found in a text, whole: the fold of its [`DecodedPart`]s.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction {
    /// Text for the person.
    pub content: String,
    /// The model's reasoning.
    pub reasoning: String,
    /// The calls, in order.
    pub calls: Vec<ExtractedCall>,
    /// Whether the text ended inside a call.
    pub incomplete: bool,
    /// The dialect: the one that was given; or, where it was to be recognised, that of the first
    /// call.
    pub dialect: Dialect,
}

impl Extraction {
    /// Whether some call had to be mended.
    pub fn is_repaired(&self) -> bool {
        self.calls.iter().any(|call| call.repaired)
    }
}

impl Extend<DecodedPart> for Extraction {
    fn extend<I: IntoIterator<Item = DecodedPart>>(&mut self, parts: I) {
        for part in parts {
            match part {
                DecodedPart::Text(text) => self.content.push_str(&text),
                DecodedPart::Reasoning(text) => self.reasoning.push_str(&text),
                DecodedPart::Call { call, .. } => self.calls.push(call),
                DecodedPart::CutOff => self.incomplete = true,
                DecodedPart::CallName { .. }
                | DecodedPart::CallArguments { .. }
                | DecodedPart::Withdrawn { .. } => {}
            }
        }
    }
}

impl FromIterator<DecodedPart> for Extraction {
    fn from_iter<I: IntoIterator<Item = DecodedPart>>(parts: I) -> Self {
        let mut extraction = Self::default();
        extraction.extend(parts);
        extraction
    }
}

/// Finds the calls in a text that is already whole.
pub fn extract(text: &str, dialect: Dialect, tools: &KnownTools) -> Extraction {
    let mut decoder = Decoder::new(dialect, tools);
    let mut found: Extraction = decoder.push(text).into_iter().collect();
    found.extend(decoder.finish());
    found.dialect = decoder.dialect();
    found
}
