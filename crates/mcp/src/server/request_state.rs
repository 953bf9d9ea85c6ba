//! [`RequestStates`]: what a client carries from the question to the answer, where there is no session.
//!
//! It is sealed: a client can give it back and nothing else. It holds for this process, for the same client and
//! tool, and for a while.

use std::time::Duration;

use rmcp::{
    ErrorData,
    model::{RequestStateCodec, SealOptions},
};
use toolwright_core::Fingerprint;

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AskedBefore {
    /// Whether this may run.
    Approval(Fingerprint),
    /// A question of the tool's, which waits under this name.
    Question(String),
}

impl AskedBefore {
    fn written(&self) -> String {
        match self {
            Self::Approval(about) => format!("a{about}"),
            Self::Question(name) => format!("q{name}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix('q') {
            return Some(Self::Question(name.to_owned()));
        }
        let about = text.strip_prefix('a')?.to_owned();
        Some(Self::Approval(Fingerprint::from(about)))
    }
}

/// How long somebody may take to decide.
pub(super) const TO_DECIDE: Duration = Duration::from_secs(10 * 60);

/// Seals what was asked, and looks whether it is what was sealed.
pub(super) struct RequestStates(RequestStateCodec);

impl RequestStates {
    /// With a key that nobody else has, and that ends with the process.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        let mut key = [0; RequestStateCodec::MIN_KEY_LENGTH];
        getrandom::fill(&mut key)?;
        Ok(Self(RequestStateCodec::new_unchecked(key.to_vec())))
    }

    pub(super) fn seal(&self, client: &str, tool: &str, asked: &AskedBefore) -> String {
        let bound = bound(client, tool);
        let options = SealOptions::new().associated_data(&bound).ttl(TO_DECIDE);
        self.0.seal_with(asked.written().as_bytes(), &options)
    }

    /// What was asked.
    pub(super) fn open(
        &self,
        client: &str,
        tool: &str,
        sealed: &str,
    ) -> Result<AskedBefore, ErrorData> {
        let opened = self.0.open_with(sealed, &bound(client, tool));
        let asked = opened.ok().and_then(|it| AskedBefore::read(std::str::from_utf8(&it).ok()?));
        asked.ok_or_else(no_such_state)
    }
}

/// Nothing was asked so, or not any more.
pub(super) fn no_such_state() -> ErrorData {
    let wrong = "the requestState is none that this server gave for this call, or too old: call again \
                 without it";
    ErrorData::invalid_params(wrong, None)
}

/// Whose it is. The lengths keep one pair from looking like another.
fn bound(client: &str, tool: &str) -> Vec<u8> {
    format!("{}:{client}:{tool}", client.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> AskedBefore {
        AskedBefore::Approval(Fingerprint::from("abc".to_owned()))
    }

    #[test]
    fn what_was_sealed_opens_for_the_same_client_and_tool_only() {
        let states = RequestStates::new().unwrap();
        for asked in [asked(), AskedBefore::Question("abc".to_owned())] {
            let sealed = states.seal("c", "t", &asked);
            assert_eq!(states.open("c", "t", &sealed).unwrap(), asked);
            assert!(states.open("d", "t", &sealed).is_err());
            assert!(states.open("c", "u", &sealed).is_err());
            assert!(RequestStates::new().unwrap().open("c", "t", &sealed).is_err());
        }
        assert!(states.open("c:t", "", &states.seal("c", "t:", &asked())).is_err());
    }

    #[test]
    fn a_state_that_was_changed_anywhere_is_refused() {
        let states = RequestStates::new().unwrap();
        let sealed = states.seal("c", "t", &asked());
        for at in 0..sealed.len() {
            let mut forged = sealed.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            let opened = states.open("c", "t", &String::from_utf8(forged).unwrap());
            // The last letter of base64 may have bits that say nothing.
            assert!(opened.is_err() || opened.is_ok_and(|it| it == asked()), "{at}");
        }
        assert!(states.open("c", "t", "").is_err());
    }
}
