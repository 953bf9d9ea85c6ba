//! [`Meaning`]: what the broker's codes mean, and what to do about them.

use http::StatusCode;

use crate::MarketErrorKind as Kind;

/// What a code of the broker's means, and what to do about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    pub(super) kind: Kind,
    pub(super) what: &'static str,
    pub(super) advice: &'static str,
}

const RENEW: &str = "Asking again does not help. Access tokens live 24 hours: make a new one at \
    web.dhan.co (Profile, DhanHQ Trading APIs) and give it with its client id \
    (DHANHQ_ACCESS_TOKEN, DHANHQ_CLIENT_ID).";
const SUBSCRIBE: &str = "Asking again does not help. Quotes, candles and option chains need the \
    paid Data API plan: subscribe to it at web.dhan.co (Profile, DhanHQ Trading APIs), or use the \
    simulated market.";
const SLOWER: &str =
    "Wait, then ask less often; quotes of up to 1000 instruments fit in one request.";
const LATER: &str = "This is on the broker's side: ask again in a while.";
const CORRECT: &str = "Check the security id, the segment and the kind against an instrument \
    search, and the dates (YYYY-MM-DD), then ask again.";

impl Meaning {
    const fn new(kind: Kind, what: &'static str, advice: &'static str) -> Self {
        Self { kind, what, advice }
    }

    /// What a code means; none if it is not a documented one.
    pub(super) fn of_code(code: &str) -> Option<Self> {
        Some(match code {
            "DH-901" | "808" => Self::new(
                Kind::Authentication,
                "The broker did not accept the access token: it is wrong, or has run out",
                RENEW,
            ),
            "807" => Self::new(Kind::Authentication, "The access token has run out", RENEW),
            "809" => Self::new(Kind::Authentication, "The access token is not valid", RENEW),
            "810" => Self::new(Kind::Authentication, "The client id is not valid", RENEW),
            "DH-902" | "806" => Self::new(
                Kind::NotSubscribed,
                "This account has no access to market data",
                SUBSCRIBE,
            ),
            "DH-903" => Self::new(
                Kind::Account,
                "The broker's account is not set up for this",
                "Asking again does not help. Activate the segment in the account at dhan.co.",
            ),
            "DH-911" => Self::new(
                Kind::Account,
                "The broker does not take this from this address",
                "Asking again does not help. Add this machine's IP address to the account's list \
                 at web.dhan.co.",
            ),
            "DH-904" | "805" => {
                Self::new(Kind::RateLimited, "The broker was asked too often", SLOWER)
            }
            "DH-905" => {
                Self::new(Kind::Input, "The broker cannot make sense of what was asked", CORRECT)
            }
            "DH-906" => Self::new(
                Kind::Input,
                "The broker refused an order",
                "Nothing here places orders: check the address of the API (DHANHQ_BASE_URL).",
            ),
            "DH-907" => {
                Self::new(Kind::NoData, "The broker has nothing for what was asked", CORRECT)
            }
            "DH-908" | "800" => Self::new(Kind::Server, "The broker failed", LATER),
            "DH-909" => {
                Self::new(Kind::Server, "The broker could not reach its own systems", LATER)
            }
            "DH-1111" => Self::new(
                Kind::NoData,
                "The account holds nothing",
                "That is an answer: there is nothing to list.",
            ),
            "804" => Self::new(
                Kind::Input,
                "Too many instruments were asked for at once",
                "Ask for at most 1000.",
            ),
            "811" => Self::new(
                Kind::Input,
                "There are no options that end on this day",
                "Ask for the list of expiries, and take one of it.",
            ),
            "812" => Self::new(Kind::Input, "The date is not one", "Write dates as YYYY-MM-DD."),
            "813" => Self::new(
                Kind::Input,
                "There is no instrument with this security id in this segment",
                "Search for the instrument, and use its security id and its segment together.",
            ),
            "814" => {
                Self::new(Kind::Input, "The broker cannot make sense of what was asked", CORRECT)
            }
            _ => return None,
        })
    }

    /// What a status means that came without a known code.
    pub(super) fn of_status(status: StatusCode) -> Self {
        match status.as_u16() {
            401 => {
                Self::new(Kind::Authentication, "The broker did not accept the access token", RENEW)
            }
            403 => Self::new(
                Kind::Account,
                "The broker does not allow this to this account",
                "Asking again does not help. Check the account's plan and segments at web.dhan.co.",
            ),
            404 | 405 => Self::new(
                Kind::Unreadable,
                "There is nothing at the address that was asked",
                "Check the address of the API (DHANHQ_BASE_URL).",
            ),
            429 => Self::new(Kind::RateLimited, "The broker was asked too often", SLOWER),
            500.. => Self::new(Kind::Server, "The broker failed", LATER),
            400..500 => Self::new(Kind::Input, "The broker refused what was asked", CORRECT),
            _ => Self::new(
                Kind::Unreadable,
                "The broker said that it failed, and not why",
                "Ask again in a while.",
            ),
        }
    }
}
