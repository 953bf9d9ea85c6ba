//! [`Out`]: the parts of a reply, as they are made.

use crate::{DecodedPart, ExtractedCall, WithdrawReason};

/// What text that belongs to no call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Target {
    /// For the person.
    #[default]
    Text,
    /// The model's reasoning.
    Reasoning,
}

/// A call in the making.
#[derive(Default)]
pub(crate) struct Draft {
    /// Which call of the reply it is, once it was announced.
    index: Option<usize>,
    pub(crate) id: Option<String>,
    /// The tool, once it is known.
    pub(crate) name: Option<String>,
    /// Its arguments so far.
    pub(crate) json: String,
    /// How much of them was handed out.
    sent: usize,
    pub(crate) repaired: bool,
}

impl Draft {
    /// The arguments, with room for those of most calls: made when there are some.
    #[inline]
    pub(crate) fn room(&mut self) -> &mut String {
        if self.json.capacity() == 0 {
            self.json.reserve(128);
        }
        &mut self.json
    }
}

/// The parts of a reply, as they are made.
#[derive(Default)]
pub(crate) struct Out {
    parts: Vec<DecodedPart>,
    said: Said,
    /// The call that is being read.
    pub(crate) draft: Option<Draft>,
    /// Calls that are read, but whose block is not yet known to be whole.
    waiting: Vec<Draft>,
    /// Calls announced so far.
    begun: usize,
    /// Calls handed out so far.
    committed: usize,
    /// Where to go back to, should what comes now be reasoning after all.
    before: Option<Before>,
    /// Whether something had to be mended that is not yet put down to a call.
    mended: bool,
}

/// What was said so far, as far as blanks need to know.
#[derive(Clone, Default)]
struct Said {
    target: Target,
    /// Blanks at the end of the text so far. They are part of it only if more text follows: blanks
    /// round a call are no content.
    blanks: String,
    /// Whether there was text for the person.
    text: bool,
    /// Whether there was text since the target changed.
    begun: bool,
    /// Whether anything but text for the person was found: such a reply is trimmed.
    other: bool,
}

impl Said {
    /// Whether blanks that come now are no content.
    fn is_trimmed(&self) -> bool {
        match self.target {
            Target::Text => self.other && !self.text,
            Target::Reasoning => !self.begun,
        }
    }
}

struct Before {
    said: Said,
    begun: usize,
    parts: Vec<DecodedPart>,
}

impl Out {
    pub(crate) fn turn_to(&mut self, target: Target) {
        if self.said.target != target {
            self.note_other();
            // A reasoning block is joined to the next with nothing between.
            if self.said.target == Target::Reasoning {
                self.said.blanks.clear();
            }
            self.said.target = target;
            self.said.begun = false;
        }
    }

    /// Notes that the reply holds more than text.
    pub(crate) fn note_other(&mut self) {
        self.said.other = true;
        if !self.said.text {
            self.said.blanks.clear();
        }
    }

    /// Whether there was something, but no text for the person yet.
    pub(crate) fn is_only_thought(&self) -> bool {
        self.said.other && !self.said.text
    }

    /// Notes that the next call is not as it should be.
    pub(crate) fn mend(&mut self) {
        match &mut self.draft {
            Some(draft) => draft.repaired = true,
            None => self.mended = true,
        }
    }

    /// Hands out text.
    pub(crate) fn text(&mut self, mut piece: String) {
        let said = &mut self.said;
        if said.is_trimmed() {
            said.blanks.clear();
            let blanks = piece.len() - piece.trim_ascii_start().len();
            piece.drain(..blanks);
        }
        let end = piece.trim_ascii_end().len();
        if end == 0 {
            said.blanks.push_str(&piece);
            return;
        }
        let after = piece.split_off(end);
        if !said.blanks.is_empty() {
            piece.insert_str(0, &said.blanks);
        }
        said.blanks = after;
        said.begun = true;
        match (said.target, self.parts.last_mut()) {
            (Target::Text, Some(DecodedPart::Text(last)))
            | (Target::Reasoning, Some(DecodedPart::Reasoning(last))) => last.push_str(&piece),
            (Target::Text, _) => self.parts.push(DecodedPart::Text(piece)),
            (Target::Reasoning, _) => self.parts.push(DecodedPart::Reasoning(piece)),
        }
        if said.target == Target::Text {
            said.text = true;
        }
    }

    /// Begins a call.
    pub(crate) fn begin(&mut self) {
        let repaired = std::mem::take(&mut self.mended);
        self.draft = Some(Draft { repaired, ..Draft::default() });
    }

    /// Forgets the call that was begun and holds nothing.
    pub(crate) fn unbegin(&mut self) {
        if let Some(draft) = self.draft.take() {
            self.mended |= draft.repaired;
        }
    }

    pub(crate) fn name(&mut self, name: impl Into<String>) {
        if let Some(draft) = &mut self.draft {
            draft.name = Some(name.into());
        }
    }

    pub(crate) fn id(&mut self, id: impl Into<String>) {
        if let Some(draft) = &mut self.draft {
            draft.id = Some(id.into());
        }
    }

    /// Adds to the arguments.
    pub(crate) fn json(&mut self, piece: &str) {
        if let Some(draft) = &mut self.draft {
            draft.room().push_str(piece);
        }
    }

    /// Hands out what is known of the call so far.
    pub(crate) fn send(&mut self) {
        if let Some(draft) = &mut self.draft {
            send(draft, &mut self.begun, &mut self.parts);
        }
    }

    /// The call is read. It is handed out with [`Out::commit`].
    pub(crate) fn end(&mut self) {
        let Some(mut draft) = self.draft.take() else { return };
        if draft.json.is_empty() {
            draft.json.push_str("{}");
        }
        send(&mut draft, &mut self.begun, &mut self.parts);
        self.waiting.push(draft);
    }

    /// How many calls were handed out.
    pub(crate) fn committed(&self) -> usize {
        self.committed
    }

    /// How many calls wait to be handed out.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Something was mended that all the calls of this block share.
    pub(crate) fn mend_all(&mut self) {
        self.waiting.iter_mut().for_each(|draft| draft.repaired = true);
    }

    /// Hands out the calls that are read.
    pub(crate) fn commit(&mut self) {
        if !self.waiting.is_empty() {
            self.note_other();
        }
        let mended = std::mem::take(&mut self.mended);
        for draft in self.waiting.drain(..) {
            let Draft { index, id, name, json, repaired, .. } = draft;
            let (Some(name), Some(index)) = (name, index) else { continue };
            self.committed += 1;
            let call = ExtractedCall { id, name, arguments: json, repaired: repaired || mended };
            self.parts.push(DecodedPart::Call { index, call });
        }
    }

    /// What was begun is none.
    pub(crate) fn withdraw(&mut self, why: WithdrawReason) {
        self.mended = false;
        for draft in self.waiting.drain(..).chain(self.draft.take()) {
            if let Some(index) = draft.index {
                // The next call takes its place: a reply's calls are numbered without gaps.
                self.begun = self.begun.min(index);
                self.parts.push(DecodedPart::Withdrawn { index, why });
            }
        }
    }

    /// The text ended inside a call.
    pub(crate) fn cut_off(&mut self) {
        self.withdraw(WithdrawReason::CutOff);
        self.note_other();
        self.parts.push(DecodedPart::CutOff);
    }

    /// From here on, parts are kept aside: they may be reasoning after all.
    pub(crate) fn set_aside(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        self.before = Some(Before { said: self.said.clone(), begun: self.begun, parts });
    }

    /// What was kept aside holds.
    pub(crate) fn keep_aside(&mut self) {
        if let Some(mut before) = self.before.take() {
            std::mem::swap(&mut before.parts, &mut self.parts);
            self.parts.append(&mut before.parts);
        }
    }

    /// What was kept aside is reasoning.
    pub(crate) fn drop_aside(&mut self) {
        if let Some(before) = self.before.take() {
            self.withdraw(WithdrawReason::Reasoning);
            (self.parts, self.said, self.begun) = (before.parts, before.said, before.begun);
        }
    }

    /// The parts so far, unless they are kept aside.
    pub(crate) fn ready(&mut self) -> &mut Vec<DecodedPart> {
        match &mut self.before {
            Some(before) => &mut before.parts,
            None => &mut self.parts,
        }
    }

    /// The reply is over.
    pub(crate) fn finish(&mut self) {
        self.keep_aside();
        if !self.said.other && !self.said.blanks.is_empty() {
            let blanks = std::mem::take(&mut self.said.blanks);
            match self.parts.last_mut() {
                Some(DecodedPart::Text(last)) => last.push_str(&blanks),
                _ => self.parts.push(DecodedPart::Text(blanks)),
            }
        }
    }
}

/// Hands out what is new of a call, once its name is known.
fn send(draft: &mut Draft, begun: &mut usize, parts: &mut Vec<DecodedPart>) {
    let Some(name) = &draft.name else { return };
    let index = *draft.index.get_or_insert_with(|| {
        let index = *begun;
        *begun += 1;
        parts.push(DecodedPart::CallName { index, name: name.clone() });
        index
    });
    if let Some(json) = draft.json.get(draft.sent..).filter(|json| !json.is_empty()) {
        parts.push(DecodedPart::CallArguments { index, json: json.to_owned() });
        draft.sent = draft.json.len();
    }
}
