//! [`MarketPack`]: the trading desk as a pack.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use toolwright_core::{RunContext, Tool};
use toolwright_http::Address;
use toolwright_pack::{
    Check, Credential, OpenPack, Pack, PackError, PackInfo, PackSetup, Section, SettingKey,
    TaskFile,
};

use crate::{
    Access, Clock, DataPlan, Desk, DeskSettings, Mark, MarketErrorKind, Profile, Seen,
    vocabulary::VOCABULARY,
};

/// The trading desk: prices, candles, option chains and positions of the Indian markets.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarketPack;

const INFO: PackInfo =
    PackInfo::new("market", "prices, candles and option chains of the Indian markets")
        .settings(&[
            SettingKey::address("base_url", "where the broker is").env("DHANHQ_BASE_URL"),
            SettingKey::secret("access_token", "the broker's token").env("DHANHQ_ACCESS_TOKEN"),
            SettingKey::text("client_id", "the broker's client").env("DHANHQ_CLIENT_ID"),
            SettingKey::text("prices", "whether prices are real: live or simulated"),
            SettingKey::number("seed", "what the simulated market begins with").usual("1"),
        ])
        .tasks(&[TaskFile::new("trading", include_str!("../tasks/trading.md"))])
        .vocabulary(VOCABULARY)
        .tools(TOOLS)
        .credential(Credential::new(
            "access_token",
            "The right to ask the broker, for this run only. It is not kept.",
            "trading",
        ));

const TOOLS: &[&str] = &[
    "search_instruments",
    "find_instrument",
    "get_market_quote",
    "get_historical_data",
    "get_daily_ohlcv",
    "get_intraday_ohlcv",
    "get_option_chain",
    "get_expiries",
    "get_positions",
    "get_holdings",
    "get_funds",
];

const INSTRUCTIONS: &str = "For prices and markets first look the instrument up, then use the \
    security_id and the exchange_segment of one and the same result; say when a market is closed and \
    when data is simulated.";

/// Shorter ones are words (`expired`), or letters: taking them out of every text would hide what
/// happened.
const SECRET: usize = 8;

/// How long the broker has to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Pack for MarketPack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        let section = setup.section;
        let client_id: Option<String> = section.get("client_id")?;
        let access = section.get::<String>("access_token")?.map(|token| match &client_id {
            Some(client_id) => Access::new(token, client_id),
            None => Access::of_token(token),
        });
        let desk = Arc::new(Desk::new(DeskSettings {
            endpoint: endpoint(section)?,
            folder: setup.data.join("market"),
            seed: section.get("seed")?.unwrap_or_default(),
            clock: Clock::Real,
        }));
        Ok(Some(Arc::new(OpenMarket { desk, access, client_id })))
    }
}

/// The address that was set in the place of the broker's, and whether its prices are real.
fn endpoint(section: &Section) -> Result<Option<(String, Mark)>, PackError> {
    let prices = section.parse("prices", |word| match word {
        "live" => Ok(Mark::Live),
        "simulated" => Ok(Mark::Simulated),
        _ => Err("use live or simulated"),
    })?;
    let Some(url) = section.get::<String>("base_url")? else { return Ok(None) };
    // No broker is on this machine, but a simulator is.
    let is_here = Address::new(&url).is_ok_and(|it| it.is_this_machine());
    let told = if is_here { Mark::Simulated } else { Mark::Live };
    Ok(Some((url, prices.unwrap_or(told))))
}

/// The desk, and the right to ask the broker that was set.
struct OpenMarket {
    desk: Arc<Desk>,
    access: Option<Access>,
    client_id: Option<String>,
}

#[async_trait]
impl OpenPack for OpenMarket {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.desk.tools()
    }

    fn instructions(&self) -> String {
        INSTRUCTIONS.to_owned()
    }

    /// A token that came with a question is the only one that the run has: it never falls back to
    /// another's.
    fn grant(&self, context: RunContext, credential: Option<&str>) -> RunContext {
        let given = credential.map(|it| Access::of_token(it).or_client(self.client_id.as_deref()));
        let Some(access) = given.or_else(|| self.access.clone()) else { return context };
        let token = access.reveal().to_owned();
        let context = context.with_hashed(access);
        if token.len() < SECRET { context } else { context.secret(token.as_str()) }
    }

    async fn checks(&self) -> Vec<Check> {
        let context = self.grant(RunContext::new(), None);
        if self.desk.seen(&context) == Seen::Simulator {
            return vec![match self.desk.is_set() {
                false => Check::good("market", SIMULATED),
                true => Check::warning("market", UNUSED).with_advice(TOKEN),
            }];
        }
        let mark = self.desk.mark(&context);
        let what = match mark {
            Mark::Live => "the live market",
            Mark::Simulated => "a simulated market",
        };
        let mut checks =
            vec![match tokio::time::timeout(TIMEOUT, self.desk.profile(&context)).await {
                Ok(Ok(profile)) => answers(what, &profile),
                Ok(Err(error)) => {
                    Check::bad("market", format!("{what}: {error}")).with_advice(advice(error.kind))
                }
                Err(_) => Check::bad("market", format!("{what} did not answer within {TIMEOUT:?}"))
                    .with_advice(ADDRESS),
            }];
        if mark == Mark::Live {
            checks.push(Check::good("instruments", kept(self.desk.kept())));
        }
        checks
    }
}

fn answers(what: &str, profile: &Profile) -> Check {
    let until = profile.token_until.map(|it| format!(", the token is good until {it} IST"));
    let says = format!("{what} answers{}", until.unwrap_or_default());
    if profile.data_plan == DataPlan::Active {
        return Check::good("market", says);
    }
    Check::warning("market", format!("{says}, but the account has no data plan"))
        .with_advice("subscribe to the Data APIs in DhanHQ's web portal")
}

fn advice(kind: MarketErrorKind) -> &'static str {
    match kind {
        MarketErrorKind::Authentication | MarketErrorKind::NoAccess => TOKEN,
        _ => ADDRESS,
    }
}

/// How old the list of instruments is that is kept on the disk.
fn kept(age: Option<Duration>) -> String {
    let Some(age) = age else { return "not loaded yet; they are when first asked for".to_owned() };
    let ago = toolwright_duration::ago(age);
    format!("loaded {ago} ago and kept on the disk; loaded anew every day")
}

const TOKEN: &str = "set DHANHQ_ACCESS_TOKEN and DHANHQ_CLIENT_ID; a token lives for 24 hours. \
    Without both there is a simulated market";

const ADDRESS: &str = "check DHANHQ_BASE_URL, and whether the broker can be reached";

const UNUSED: &str =
    "simulated: a broker is set, but no access token for it, so prices are made up";

const SIMULATED: &str = "simulated: no access token is set, so prices are made up (for real ones set \
    DHANHQ_ACCESS_TOKEN and DHANHQ_CLIENT_ID)";

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use toolwright_pack::{Setting, SettingSource};

    use super::*;

    /// Prices of somebody else's are never taken for those of a simulator on this machine.
    #[test]
    fn prices_are_simulated_on_this_machine_and_nowhere_else() {
        let mark = |url: &str| {
            let mut section = Section::new(&INFO);
            let value = url.to_owned().into();
            section.set(INFO.settings[0], Setting { value, place: SettingSource::Default });
            endpoint(&section).unwrap().unwrap().1
        };
        for url in ["http://localhost:8002", "http://127.0.0.1:8002/", "http://[::1]:8002"] {
            assert_eq!(mark(url), Mark::Simulated, "{url}");
        }
        for url in [
            "http://localhost.evil.example",
            "http://127.evil.example",
            "http://evil.example#@127.0.0.1",
            "http://127.0.0.1@evil.example",
        ] {
            assert_eq!(mark(url), Mark::Live, "{url}");
        }
    }
}
