//! [`Access`]: the right to ask a broker.

use std::fmt;

use serde_json::Value;
use toolwright_core::{RunContext, guard};

/// The right to ask a broker: given to a run in its context ([`RunContext::with_hashed`]), and never
/// shown. Two with one token and one client are one account.
///
/// [`RunContext::with_hashed`]: toolwright_core::RunContext::with_hashed
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Access {
    token: String,
    client_id: String,
}

/// Why a run has no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoToken {
    /// It was given none.
    Missing,
    /// It was given one with nothing in it.
    Blank,
    /// What it was given only stands for one, as in a document: `your_token`.
    Placeholder,
}

impl Access {
    /// The access that a run was given, if its token may be one.
    ///
    /// # Errors
    /// When it has none, and why.
    pub fn of(context: &RunContext) -> Result<&Self, NoToken> {
        match context.get::<Self>() {
            None => Err(NoToken::Missing),
            Some(access) if access.token.trim().is_empty() => Err(NoToken::Blank),
            Some(access) if access.is_placeholder() => Err(NoToken::Placeholder),
            Some(access) => Ok(access),
        }
    }

    /// Access with this token, for this client.
    pub fn new(token: impl Into<String>, client_id: impl Into<String>) -> Self {
        Self { token: token.into(), client_id: client_id.into() }
    }

    /// Access with this token, for the client it was made for: a token says so itself. Where it does
    /// not, the client has no number.
    pub fn of_token(token: impl Into<String>) -> Self {
        let token = token.into();
        let client_id = claim(&token, "dhanClientId").unwrap_or_default();
        Self { token, client_id }
    }

    /// The same access, for this client where it does not say itself for whom it is.
    #[must_use]
    pub fn or_client(mut self, client_id: Option<&str>) -> Self {
        if self.client_id.is_empty() {
            self.client_id = client_id.unwrap_or_default().to_owned();
        }
        self
    }

    /// Whether the token only stands for one, as in a document: `your_token`, `<token>`, `eyJ...`.
    fn is_placeholder(&self) -> bool {
        let token = self.token.trim();
        guard::is_placeholder(token) || token.ends_with("...") || token.ends_with('…')
    }

    /// Whose turn it is counted as. A token that does not say whose it is stands for itself: two of
    /// them are not one client.
    pub(crate) fn counts_as(&self) -> &str {
        if self.client_id.is_empty() { &self.token } else { &self.client_id }
    }

    /// The token. Only for the header that carries it.
    pub fn reveal(&self) -> &str {
        &self.token
    }

    /// The client's number, as text.
    pub fn client_id(&self) -> &str {
        &self.client_id
    }
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Access(…)")
    }
}

/// What a token says about itself under a name. Nothing is verified: the broker does that.
fn claim(token: &str, name: &str) -> Option<String> {
    let body = unpacked(token.split('.').nth(1)?)?;
    match serde_json::from_slice::<Value>(&body).ok()?.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Base64 as it is in tokens.
fn unpacked(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        held = (held << 6 | u32::from(value)) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::Access;

    #[test]
    fn a_token_says_whose_it_is() {
        // {"dhanClientId":"1100003626","exp":1}
        let token = "eyJhbGciOiJIUzUxMiJ9.eyJkaGFuQ2xpZW50SWQiOiIxMTAwMDAzNjI2IiwiZXhwIjoxfQ.x";
        assert_eq!(Access::of_token(token).client_id(), "1100003626");
        assert_eq!(Access::of_token(token).reveal(), token);
        for other in ["expired", "a.b.c", "a.!!.c", ""] {
            assert_eq!(Access::of_token(other).client_id(), "");
            assert_eq!(Access::of_token(other).or_client(Some("7")).client_id(), "7");
        }
        assert_eq!(Access::of_token(token).or_client(Some("7")).client_id(), "1100003626");
        assert_eq!(format!("{:?}", Access::of_token(token)), "Access(…)");
    }

    #[test]
    fn what_only_stands_for_a_token_is_none() {
        for token in ["your_token", "YOUR_ACCESS_TOKEN", "<token>", "{{token}}", "eyJ...", "xxx"] {
            assert!(Access::of_token(token).is_placeholder(), "{token}");
        }
        for token in ["expired", "any-token-at-all", "a-token-of-somebody", "eyJhbGciOi.x.y", ""] {
            assert!(!Access::of_token(token).is_placeholder(), "{token}");
        }
    }
}
