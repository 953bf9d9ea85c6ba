//! [`Expander`]: an answer whose pointers become what they point at, as it arrives.

use super::Pointers;

/// An answer whose pointers become what they point at, as it arrives. Only the beginning of a line that may be a pointer
/// is held back.
pub(crate) struct Expander<'p> {
    pointers: &'p Pointers,
    /// The line so far, while it may be a pointer.
    held: String,
    /// Whether the line is no pointer.
    is_words: bool,
}

impl<'p> Expander<'p> {
    pub(crate) fn new(pointers: &'p Pointers) -> Self {
        Self { pointers, held: String::new(), is_words: false }
    }

    /// What is to be shown after one more piece.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        let mut shown = String::new();
        for part in piece.split_inclusive('\n') {
            let (part, ends) = match part.strip_suffix('\n') {
                Some(part) => (part, true),
                None => (part, false),
            };
            self.held.push_str(part);
            self.is_words |= !self.pointers.begins(&self.held);
            if self.is_words {
                shown.push_str(&std::mem::take(&mut self.held));
            }
            if ends {
                shown.push_str(&self.finish());
                shown.push('\n');
            }
        }
        shown
    }

    /// What is still to be shown of a line that ends here.
    pub(crate) fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        self.is_words = false;
        match self.pointers.block(&held) {
            Some(block) => block.to_owned(),
            None => held,
        }
    }
}
