//! New names for runs, conversations and messages that wait: 130 random bits, so that none can be guessed.

use toolwright_core::{ConversationId, MessageId, RunId};

/// A name for a new run.
pub fn new_run_id() -> RunId {
    RunId::new(random("run_"))
}

/// A name for a new conversation.
pub fn new_conversation_id() -> ConversationId {
    ConversationId::new(random("conv_"))
}

/// A name for a message that waits to be taken up.
pub fn new_message_id() -> MessageId {
    MessageId::new(random("msg_"))
}

fn random(prefix: &str) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut bytes = [0_u8; 26];
    if getrandom::fill(&mut bytes).is_err() {
        // Without a source of randomness nothing that must be unguessable can be made. The time
        // at least keeps names apart.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let nanos = now.map_or(0, |since| since.as_nanos()).to_le_bytes();
        bytes.iter_mut().zip(nanos.iter().cycle()).for_each(|(byte, nano)| *byte = *nano);
    }
    let letters = bytes.iter().filter_map(|byte| LETTERS.get(usize::from(byte % 32)));
    let mut name = String::with_capacity(prefix.len() + bytes.len());
    name.push_str(prefix);
    name.extend(letters.map(|letter| char::from(*letter)));
    name
}
