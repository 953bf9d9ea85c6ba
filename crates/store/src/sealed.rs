//! [`Sealed`]: bytes that only this installation can read, for what is no event and may hold secrets.
//!
//! AES-256-GCM under a key of its own for each run, which is derived from the key of the log as HKDF expands
//! one. What it is about is bound to it: what was sealed for one run opens for no other.

use hmac::Mac;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use toolwright_core::{ConversationId, RunId};

use crate::{LogKey, StoreError};

/// What sealed bytes are about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sealed<'a> {
    pub(crate) conversation: &'a ConversationId,
    pub(crate) run: &'a RunId,
    /// What kind of thing it is, and which one of its kind.
    pub(crate) kind: &'static str,
    pub(crate) subject: &'a str,
}

impl Sealed<'_> {
    /// The bytes as they are stored.
    pub(crate) fn seal(&self, key: &LogKey, plain: &[u8]) -> Result<Vec<u8>, StoreError> {
        let mut nonce = [0_u8; NONCE_LEN];
        let failed = |why: &dyn std::fmt::Display| {
            StoreError::Unavailable(format!("nothing can be sealed here: {why}"))
        };
        getrandom::fill(&mut nonce).map_err(|error| failed(&error))?;
        let mut body = plain.to_vec();
        let sealed = self.key(key).and_then(|key| {
            let (nonce, about) = (Nonce::assume_unique_for_key(nonce), Aad::from(self.about()));
            key.seal_in_place_append_tag(nonce, about, &mut body)
        });
        sealed.map_err(|error| failed(&error))?;
        Ok([nonce.as_slice(), &body].concat())
    }

    /// What was sealed, if it was sealed here, for this.
    pub(crate) fn open(&self, key: &LogKey, stored: &[u8]) -> Option<Vec<u8>> {
        let (nonce, body) = stored.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut body = body.to_vec();
        let key = self.key(key).ok()?;
        let plain = key.open_in_place(nonce, Aad::from(self.about()), &mut body).ok()?;
        Some(plain.to_vec())
    }

    fn key(&self, key: &LogKey) -> Result<LessSafeKey, ring::error::Unspecified> {
        let mut mac = key.mac();
        mac.update(b"toolwright sealed 1\0");
        mac.update(&self.about());
        mac.update(&[1]);
        let derived = mac.finalize().into_bytes();
        UnboundKey::new(&AES_256_GCM, derived.as_slice()).map(LessSafeKey::new)
    }

    /// Each text with its length before it: no two things are the same bytes.
    fn about(&self) -> Vec<u8> {
        let mut about = Vec::new();
        for text in [self.conversation.as_str(), self.run.as_str(), self.kind, self.subject] {
            about.extend(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
            about.extend(text.as_bytes());
        }
        about
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_for_what_it_was_sealed_for() {
        let key: LogKey = "ab".repeat(32).parse().expect("a key");
        let other: LogKey = "ac".repeat(32).parse().expect("a key");
        let (talk, run) = (ConversationId::from("talk"), RunId::from("run"));
        let (tal, krun) = (ConversationId::from("tal"), RunId::from("krun"));
        let about = Sealed { conversation: &talk, run: &run, kind: "spec", subject: "" };
        let sealed = about.seal(&key, b"hunter2").expect("it is sealed");
        assert!(!sealed.windows(7).any(|it| it == b"hunter2"));
        assert_ne!(sealed, about.seal(&key, b"hunter2").expect("it is sealed"), "never the same");
        assert_eq!(about.open(&key, &sealed).as_deref(), Some(&b"hunter2"[..]));
        assert_eq!(about.open(&other, &sealed), None);
        for elsewhere in [
            Sealed { conversation: &tal, run: &krun, ..about },
            Sealed { run: &krun, ..about },
            Sealed { kind: "instruction", ..about },
            Sealed { subject: "x", ..about },
        ] {
            assert_eq!(elsewhere.open(&key, &sealed), None, "{elsewhere:?}");
        }
        for at in 0..sealed.len() {
            let mut flipped = sealed.clone();
            flipped[at] ^= 1;
            assert_eq!(about.open(&key, &flipped), None, "byte {at}");
            assert_eq!(about.open(&key, &sealed[..at]), None, "cut at {at}");
        }
    }
}
