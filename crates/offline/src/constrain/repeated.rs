//! [`Repeated`]: no call stands in a turn twice, and none that was made in vain.

use super::{
    grammar::Grammar,
    lexicon::Trie,
    list::Bytes,
    mask::Mask,
    state::{Leaf, State},
};

/// Calls as they were written: none is made again, letter by letter.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeated {
    /// Those that are complete, each as it would stand behind another, or first.
    done: Vec<Vec<u8>>,
    /// What was written of the one that is not.
    now: Vec<u8>,
}

impl Repeated {
    /// Adds a call, which then is not made at all.
    pub(super) fn add(&mut self, call: &str) {
        self.done.extend([call.as_bytes().to_vec(), format!("\n{call}").into_bytes()]);
    }

    /// Goes on with a byte, behind which the turn is in this state.
    pub(super) fn push(&mut self, byte: u8, state: &State) {
        if state.threads.iter().any(|it| matches!(it.leaf, Leaf::Answer(_))) {
            return;
        }
        self.now.push(byte);
        if state.is_called() {
            let mut call = std::mem::take(&mut self.now);
            if call.first() != Some(&b'\n') {
                call.insert(0, b'\n');
            }
            self.done.push(call);
        }
    }

    /// Whether a call was made.
    #[cfg(test)]
    pub(super) fn has_any(&self) -> bool {
        !self.done.is_empty()
    }

    /// Takes out of a mask what could only become a call that was made.
    pub(super) fn forbid(&self, grammar: &Grammar, state: &State, trie: &Trie, mask: &mut Mask) {
        let rests: Vec<_> = self.done.iter().filter_map(|it| it.strip_prefix(&*self.now)).collect();
        if !rests.is_empty() {
            prune(grammar, trie, 0, state, &rests, mask);
        }
    }
}

/// Takes out the tokens below a node that lead only to one of the rests.
fn prune(
    grammar: &Grammar,
    trie: &Trie,
    node: u32,
    state: &State,
    rests: &[&[u8]],
    mask: &mut Mask,
) {
    for (byte, child) in trie.edges(node) {
        let rests = behind(rests, *byte);
        if rests.is_empty() {
            continue;
        }
        let state = state.push(grammar, *byte);
        if leads_elsewhere(grammar, &state, &rests) {
            prune(grammar, trie, *child, &state, &rests, mask);
        } else {
            clear(trie, *child, mask);
        }
    }
}

fn clear(trie: &Trie, node: u32, mask: &mut Mask) {
    trie.tokens(node).iter().for_each(|token| mask.remove(*token));
    trie.edges(node).iter().for_each(|(_, child)| clear(trie, *child, mask));
}

/// What is left of those that go on with this byte.
fn behind<'a>(rests: &[&'a [u8]], byte: u8) -> Vec<&'a [u8]> {
    rests.iter().filter_map(|rest| rest.strip_prefix(&[byte])).collect()
}

/// Whether something can follow a state that is none of the rests.
fn leads_elsewhere(grammar: &Grammar, state: &State, rests: &[&[u8]]) -> bool {
    let (mut state, mut rests) = (state.clone(), rests.to_vec());
    loop {
        // What is written is a call that was made.
        if rests.iter().any(|rest| rest.is_empty()) {
            return false;
        }
        let mut known = Bytes::default();
        rests.iter().filter_map(|rest| rest.first()).for_each(|byte| known.add(*byte));
        let next = state.next(grammar);
        let goes = |byte: &u8| next.has(*byte) && !state.push(grammar, *byte).is_dead();
        if (0..=u8::MAX).any(|byte| !known.has(byte) && goes(&byte)) {
            return true;
        }
        let ways: Vec<_> = (0..=u8::MAX).filter(|byte| known.has(*byte)).filter(goes).collect();
        match ways.as_slice() {
            [] => return false,
            [only] => {
                rests = behind(&rests, *only);
                state = state.push(grammar, *only);
            }
            several => {
                let leads = |byte: &u8| {
                    leads_elsewhere(grammar, &state.push(grammar, *byte), &behind(&rests, *byte))
                };
                return several.iter().any(leads);
            }
        }
    }
}
