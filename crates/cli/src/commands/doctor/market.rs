//! Which market the trading desk sees, and whether it answers.

use std::time::Duration;

use toolwright_app::{Config, config::SettingSource, context};
use toolwright_market::{DataPlan, Mark, MarketErrorKind, Profile, Seen};

use super::{Check, State, exposed};

/// How long the broker has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let (desk, context) = (config.desk(), context(config));
    let is_set = config.market.base_url.value.is_some();
    let mut checks = Vec::new();
    if let SettingSource::File(path) = &config.market.access_token.place {
        checks.extend(exposed(path));
    }
    if desk.seen(&context) == Seen::Simulator {
        checks.push(match is_set {
            false => Check::good("market", SIMULATED),
            true => Check {
                name: "market",
                state: State::Warning,
                says: UNUSED.to_owned(),
                advice: Some(advice(MarketErrorKind::NoAccess).to_owned()),
            },
        });
        return checks;
    }
    let what = match desk.mark(&context) {
        Mark::Live => "the live market",
        Mark::Simulated => "a simulated market",
    };
    checks.push(match tokio::time::timeout(PATIENCE, desk.profile(&context)).await {
        Ok(Ok(profile)) => answers(what, &profile),
        Ok(Err(error)) => Check {
            name: "market",
            state: State::Bad,
            says: format!("{what}: {error}"),
            advice: Some(advice(error.kind).to_owned()),
        },
        Err(_) => Check {
            name: "market",
            state: State::Bad,
            says: format!("{what} did not answer within {PATIENCE:?}"),
            advice: Some(advice(MarketErrorKind::Timeout).to_owned()),
        },
    });
    if desk.mark(&context) == Mark::Live {
        checks.push(Check::good("instruments", kept(desk.kept())));
    }
    checks
}

fn answers(what: &str, profile: &Profile) -> Check {
    let until = profile.token_until.map(|it| format!(", the token is good until {it} IST"));
    let says = format!("{what} answers{}", until.unwrap_or_default());
    if profile.data_plan == DataPlan::Active {
        return Check::good("market", says);
    }
    Check {
        name: "market",
        state: State::Warning,
        says: format!("{says}, but the account has no data plan"),
        advice: Some("subscribe to the Data APIs in DhanHQ's web portal".to_owned()),
    }
}

fn advice(kind: MarketErrorKind) -> &'static str {
    match kind {
        MarketErrorKind::Authentication | MarketErrorKind::NoAccess => {
            "set DHANHQ_ACCESS_TOKEN and DHANHQ_CLIENT_ID; a token lives for 24 hours. Without both \
             there is a simulated market"
        }
        _ => "check DHANHQ_BASE_URL, and whether the broker can be reached",
    }
}

/// How old the list of instruments is that is kept on the disk.
fn kept(age: Option<Duration>) -> String {
    let Some(age) = age else { return "not loaded yet; they are when first asked for".to_owned() };
    format!(
        "loaded {} ago and kept on the disk; loaded anew every day",
        toolwright_duration::ago(age)
    )
}

const UNUSED: &str =
    "simulated: a broker is set, but no access token for it, so prices are made up";

const SIMULATED: &str = "simulated: no access token is set, so prices are made up (for real ones set \
    DHANHQ_ACCESS_TOKEN and DHANHQ_CLIENT_ID)";
