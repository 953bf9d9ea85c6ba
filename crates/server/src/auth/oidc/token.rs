//! [`IdToken`]: what a provider gave for somebody who signed in, [`Key`]: what it signs with, and [`Claims`]: what it
//! says about them.
//!
//! What it says is believed as `OpenID` Connect Core 3.1.3.7 wants it: signed with a key that it publishes, for this server,
//! by that issuer, not over, and for the very sign-in that was begun.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use toolwright_app::config::OidcConfig;
use toolwright_core::unambiguous;

use super::{super::grants::now, NotSignedIn, no};

/// How far clocks may be apart, in seconds.
const SKEW: u64 = 60;

/// What a provider gave for somebody who signed in, of which nobody knows yet who signed it.
pub(super) struct IdToken<'a> {
    head: Head,
    body: &'a str,
    /// What was signed.
    said: &'a str,
    seal: Vec<u8>,
}

#[derive(Deserialize)]
struct Head {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

impl<'a> IdToken<'a> {
    pub(super) fn read(token: &'a str) -> Result<Self, NotSignedIn> {
        let mut parts = token.split('.');
        let (Some(head), Some(body), Some(seal), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(no("the ID token is none"));
        };
        let said = token.get(..head.len() + 1 + body.len()).unwrap_or_default();
        let head: Head = decoded(head)?;
        if head.crit.is_some() {
            return Err(no("the ID token wants something that is not known"));
        }
        Ok(Self { head, body, said, seal: bytes(seal)? })
    }

    pub(super) fn is_signed_by(&self, key: &Key) -> bool {
        let Head { alg, kid, .. } = &self.head;
        key.is_for(alg, kid.as_deref()) && key.signed(alg, self.said.as_bytes(), &self.seal)
    }

    /// What it says, whoever signed it.
    pub(super) fn claims(&self) -> Result<Claims, NotSignedIn> {
        claims(&bytes(self.body)?).map(Claims)
    }
}

/// What a provider says about somebody.
pub(in crate::auth) struct Claims(Map<String, Value>);

impl Claims {
    pub(in crate::auth) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// What may be one word or several.
    pub(in crate::auth) fn words(&self, name: &str) -> Vec<&str> {
        match self.0.get(name) {
            Some(Value::String(word)) => vec![word],
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// The mail address, where the provider says that it is theirs.
    pub(in crate::auth) fn email(&self) -> Option<&str> {
        let is_theirs = self.0.get("email_verified") == Some(&Value::Bool(true));
        self.text("email").filter(|_| is_theirs)
    }

    /// Whether they are about the very sign-in that was begun with this word, at this provider, for this server, now.
    pub(super) fn check(&self, config: &OidcConfig, nonce: &str) -> Result<(), NotSignedIn> {
        let id = config.client_id.as_str();
        let seconds = now().0 / 1000;
        let time = |name: &str| self.0.get(name).and_then(Value::as_f64);
        let (earliest, latest) = ((seconds - SKEW.min(seconds)) as f64, (seconds + SKEW) as f64);
        let audience = self.words("aud");
        if self.text("iss") != Some(config.issuer.as_str()) {
            return Err(no("the ID token is of another issuer"));
        }
        if !audience.contains(&id) {
            return Err(no("the ID token is for another client"));
        }
        let party = self.0.get("azp");
        if (audience.len() > 1 || party.is_some()) && self.text("azp") != Some(id) {
            return Err(no("the ID token was given to another client"));
        }
        if time("exp").is_none_or(|end| end <= earliest) {
            return Err(no("the ID token is over"));
        }
        if time("iat").is_none_or(|at| at > latest) || time("nbf").is_some_and(|at| at > latest) {
            return Err(no("the ID token is not good yet"));
        }
        if self.text("nonce") != Some(nonce) {
            return Err(no("the ID token is of another sign-in"));
        }
        match self.text("sub") {
            Some(sub) if !sub.is_empty() => Ok(()),
            _ => Err(no("the ID token says of nobody")),
        }
    }
}

/// A key that a provider signs with.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Key {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Key {
    fn is_for(&self, alg: &str, kid: Option<&str>) -> bool {
        let is_meant = kid.is_none_or(|kid| self.kid.as_deref().is_none_or(|own| own == kid));
        let is_for_it = self.alg.as_deref().is_none_or(|own| own == alg);
        is_meant && is_for_it && self.usage.as_deref() != Some("enc")
    }

    /// Whether it signed this. Which ways there are is said here and not by the token.
    fn signed(&self, alg: &str, said: &[u8], seal: &[u8]) -> bool {
        let part = |text: &Option<String>| text.as_deref().and_then(|it| bytes(it).ok());
        match (alg, self.kty.as_str()) {
            ("RS256", "RSA") => {
                let (Some(n), Some(e)) = (part(&self.n), part(&self.e)) else { return false };
                let key = RsaPublicKeyComponents { n, e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, said, seal).is_ok()
            }
            ("ES256", "EC") if self.crv.as_deref() == Some("P-256") => {
                let (Some(x), Some(y)) = (part(&self.x), part(&self.y)) else { return false };
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(said, seal).is_ok()
            }
            _ => false,
        }
    }
}

fn bytes(text: &str) -> Result<Vec<u8>, NotSignedIn> {
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| no("the ID token cannot be read"))
}

fn decoded<T: DeserializeOwned>(text: &str) -> Result<T, NotSignedIn> {
    serde_json::from_slice(&bytes(text)?).map_err(|_| no("the ID token cannot be read"))
}

/// What is claimed. One that stands twice is two things to two readers.
fn claims(said: &[u8]) -> Result<Map<String, Value>, NotSignedIn> {
    let text = str::from_utf8(said).map_err(|_| no("the ID token cannot be read"))?;
    match unambiguous(text) {
        Ok(Value::Object(claims)) => Ok(claims),
        Ok(_) => Err(no("the ID token claims nothing")),
        Err(error) => Err(no(format!("the ID token cannot be read: {error}"))),
    }
}
