//! [`Family`] and [`gate`]: who is let in, and how a family of endpoints turns others away.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::HeaderMap,
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::{limits::Class, refusal::Refusal, server::Desk};

/// Endpoints that tell errors alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Quotes and option chains: numbers, as keys.
    Feed,
    /// All others: `DH-` codes.
    Trading,
}

impl Family {
    /// The family of a path.
    pub(super) fn of(path: &str) -> Self {
        if path.contains("/marketfeed") || path.contains("/optionchain") {
            Self::Feed
        } else {
            Self::Trading
        }
    }

    /// The code for too many requests.
    pub(super) fn too_many(self) -> &'static str {
        self.choose("805", "DH-904")
    }

    fn choose(self, feed: &'static str, trading: &'static str) -> &'static str {
        match self {
            Self::Feed => feed,
            Self::Trading => trading,
        }
    }
}

/// Who asks, as the headers say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    /// The token.
    pub(super) token: String,
    /// The client's number; where none was given and none is needed, the one its token is for.
    pub(super) client: String,
}

impl Caller {
    fn of(headers: &HeaderMap, family: Family) -> Result<Self, Refusal> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let token = text("access-token").map(str::trim).unwrap_or_default();
        if token.is_empty() {
            return Err(Refusal::of(family.choose("808", "DH-901")));
        }
        match token {
            "expired" => return Err(Refusal::of(family.choose("807", "DH-901"))),
            "invalid" => return Err(Refusal::of(family.choose("809", "DH-901"))),
            _ => {}
        }
        let client = text("client-id").map(str::trim).unwrap_or_default();
        match (family, client) {
            (Family::Feed, "") => Err(Refusal::of("808")),
            (Family::Feed, "invalid") => Err(Refusal::of("810")),
            (Family::Trading, "invalid") => Err(Refusal::of("DH-901")),
            (_, "") => Ok(Self { token: token.to_owned(), client: number_of(token) }),
            _ => Ok(Self { token: token.to_owned(), client: client.to_owned() }),
        }
    }
}

/// The number of the client that a token is for: always the same, and nobody learns the token by it.
fn number_of(token: &str) -> String {
    let digest = token.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("10{:08}", digest % 100_000_000)
}

/// Lets in who may, as often as they may, and says who it is.
pub(super) async fn gate(
    State((desk, class)): State<(Arc<Desk>, Class)>,
    mut request: Request,
    next: Next,
) -> Response {
    let family = Family::of(request.uri().path());
    let caller = match Caller::of(request.headers(), family) {
        Ok(caller) => caller,
        Err(refusal) => return refusal.into_response(),
    };
    if caller.token == "nodata" && class != Class::Account {
        return Refusal::of(family.choose("806", "DH-902")).into_response();
    }
    // Chains count by what they are about, which only their handler knows.
    if class != Class::Chains && desk.meter.count(class, &caller.client).is_err() {
        return Refusal::of(family.too_many()).into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}
