//! [`ChatReader`]: reads a reply, and skips what it has read before.

use toolwright_core::ModelError;

use super::{calls::Calls, opening::Opening, wire::read};
use crate::endpoint::{Alike, Draft, Reader, understand};

/// What the text of a chunk stands behind.
const CONTENT: &[u8] = b"\"content\":\"";

/// Reads a reply.
#[derive(Default)]
pub(super) struct ChatReader {
    calls: Calls,
    opening: Opening,
    alike: Alike,
}

impl Reader for ChatReader {
    fn take(&mut self, data: &mut [u8], draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if let Some(text) = self.alike.text(data) {
            return draft.said(text);
        }
        let before = draft.taken();
        let whole = data.len();
        let json = self.opening.skip(data);
        let skipped = whole - json.len();
        understand(json, |text| read(text, &mut self.calls, draft))?;
        if skipped == 0 {
            self.opening.learn(json);
        }
        if let Some(text) = draft.only_said_since(before) {
            Opening::restore(data, skipped);
            self.alike.learn(data, CONTENT, text);
        }
        Ok(())
    }

    fn settle(&mut self, draft: &mut Draft<'_>) {
        draft.settled(self.calls.settle());
    }
}
