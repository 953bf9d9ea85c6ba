//! [`Seal`]: by what a record is known to be as it was written, and by whom.
//!
//! It is the digest of the record's body, and behind it, where this installation wrote it, a proof
//! that takes the installation's key to make: over that digest and everything that says where the
//! record stands. A body that does not have its digest is damaged. A record without a valid proof is
//! foreign: it was imported, or somebody changed it.

use hmac::Mac;
use sha2::{Digest, Sha256};
use toolwright_core::{Authenticity, ConversationId, RunId, Timestamp};

use crate::LogKey;

/// The digest of a body, and the proof of who wrote it, if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seal(Vec<u8>);

/// What says where a record stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head<'a> {
    pub(crate) conversation: &'a ConversationId,
    pub(crate) run: &'a RunId,
    pub(crate) seq: u64,
    pub(crate) round: u32,
    pub(crate) at: Timestamp,
    pub(crate) kind: &'a str,
}

const DIGEST: usize = 32;

impl Seal {
    /// The digest alone: nobody here says that it is theirs.
    pub(crate) fn of(body: &str) -> Self {
        Self(Sha256::digest(body.as_bytes()).to_vec())
    }

    /// As it was stored.
    pub(crate) fn stored(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds the proof that this installation wrote it.
    pub(crate) fn sign(&mut self, key: &LogKey, head: &Head<'_>) {
        self.0.truncate(DIGEST);
        let proof = proof(key, head, &self.0);
        self.0.extend(proof.finalize().into_bytes());
    }

    /// Whether the body is the one it was made of.
    pub(crate) fn fits(&self, body: &str) -> bool {
        self.0
            .get(..DIGEST)
            .is_some_and(|digest| digest == Sha256::digest(body.as_bytes()).as_slice())
    }

    pub(crate) fn authenticity(&self, key: &LogKey, head: &Head<'_>) -> Authenticity {
        let Some((digest, found)) = self.0.split_at_checked(DIGEST) else {
            return Authenticity::Foreign;
        };
        // Compared in constant time; what is shorter than a whole proof is none.
        match proof(key, head, digest).verify_slice(found) {
            Ok(()) => Authenticity::Authentic,
            Err(_) => Authenticity::Foreign,
        }
    }
}

/// Each text with its length before it: no two records are the same bytes.
fn proof(key: &LogKey, head: &Head<'_>, digest: &[u8]) -> impl Mac + use<> {
    let mut mac = key.mac();
    mac.update(b"toolwright log 1\0");
    for text in [head.conversation.as_str(), head.run.as_str(), head.kind] {
        mac.update(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
        mac.update(text.as_bytes());
    }
    mac.update(&head.seq.to_be_bytes());
    mac.update(&head.round.to_be_bytes());
    mac.update(&head.at.0.to_be_bytes());
    mac.update(digest);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is changed, the proof is gone; a proof is good for one record alone.
    #[test]
    fn a_proof_is_good_for_one_record_alone() {
        let key: LogKey = "ab".repeat(32).parse().expect("a key");
        let other: LogKey = "ac".repeat(32).parse().expect("a key");
        let (talk, run) = (ConversationId::from("talk"), RunId::from("run"));
        let (tal, krun) = (ConversationId::from("tal"), RunId::from("krun"));
        let at = Timestamp(5);
        let head =
            Head { conversation: &talk, run: &run, seq: 1, round: 2, at, kind: "decision_made" };
        let mut seal = Seal::of("{}");
        assert_eq!(seal.authenticity(&key, &head), Authenticity::Foreign);
        seal.sign(&key, &head);
        assert_eq!(seal.authenticity(&key, &head), Authenticity::Authentic);
        assert!(seal.fits("{}") && !seal.fits("{ }"));
        assert_eq!(seal.authenticity(&other, &head), Authenticity::Foreign);
        for changed in [
            Head { conversation: &tal, run: &krun, ..head },
            Head { conversation: &tal, ..head },
            Head { run: &krun, ..head },
            Head { seq: 2, ..head },
            Head { round: 3, ..head },
            Head { at: Timestamp(6), ..head },
            Head { kind: "decide", ..head },
        ] {
            assert_eq!(seal.authenticity(&key, &changed), Authenticity::Foreign, "{changed:?}");
        }
        for at in 0..seal.0.len() {
            let mut flipped = seal.clone();
            flipped.0[at] ^= 1;
            assert_eq!(flipped.authenticity(&key, &head), Authenticity::Foreign, "byte {at}");
            let cut = Seal::stored(&seal.0[..at]);
            assert_eq!(cut.authenticity(&key, &head), Authenticity::Foreign, "cut at {at}");
        }
    }
}
