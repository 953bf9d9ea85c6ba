//! [`MarketConfig`]: where prices come from, and by what right.

use std::sync::Arc;

use toolwright_http::Address;
use toolwright_market::{Access, Clock, Desk, DeskSettings, Mark};

use super::{
    Config, Secret, Setting,
    file::MarketSection,
    sources::{Sources, optional, parsed},
};
use crate::AppError;

/// Where prices come from, and by what right.
#[derive(Clone, Debug)]
pub struct MarketConfig {
    /// The root of the broker's API.
    pub base_url: Setting<Option<String>>,
    /// The token to it.
    pub access_token: Setting<Option<Secret>>,
    /// The client's number there.
    pub client_id: Setting<Option<String>>,
    /// Whether the prices at the base URL are real; told from the address where nobody says.
    pub prices: Setting<Option<Mark>>,
    /// What the simulated market begins with.
    pub seed: Setting<u64>,
}

impl MarketConfig {
    pub(super) fn read(sources: &Sources<'_>, file: MarketSection) -> Result<Self, AppError> {
        let token = sources.pick("", None, "DHANHQ_ACCESS_TOKEN", file.access_token);
        let token = optional(token).map(|token| token.map(Secret));
        let prices = sources.pick("", None, "", file.prices);
        Ok(Self {
            base_url: optional(sources.pick("", None, "DHANHQ_BASE_URL", file.base_url)),
            access_token: token,
            client_id: optional(sources.pick("", None, "DHANHQ_CLIENT_ID", file.client_id)),
            prices: parsed("market.prices", prices, None, mark)?,
            seed: sources.in_file(file.seed, 1),
        })
    }

    /// The right to ask the broker, if there is one.
    pub fn access(&self) -> Option<Access> {
        let token = self.access_token.value.as_ref()?.reveal();
        Some(match &self.client_id.value {
            Some(client_id) => Access::new(token, client_id),
            None => Access::of_token(token),
        })
    }

    /// The address that was set in the place of the broker's, and whether its prices are real.
    fn endpoint(&self) -> Option<(String, Mark)> {
        let url = self.base_url.value.clone()?;
        // No broker is on this machine, but a simulator is.
        let is_here = Address::new(&url).is_ok_and(|it| it.is_this_machine());
        let told = if is_here { Mark::Simulated } else { Mark::Live };
        Some((url, self.prices.value.unwrap_or(told)))
    }
}

impl Config {
    /// The trading desk. It does nothing before a tool of it is called.
    pub fn desk(&self) -> Arc<Desk> {
        Arc::new(Desk::new(DeskSettings {
            endpoint: self.market.endpoint(),
            folder: self.data.value.join("market"),
            seed: self.market.seed.value,
            clock: Clock::Real,
        }))
    }
}

fn mark(word: &str) -> Result<Option<Mark>, &'static str> {
    match word {
        "live" => Ok(Some(Mark::Live)),
        "simulated" => Ok(Some(Mark::Simulated)),
        _ => Err("use live or simulated"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Flags;

    /// Prices of somebody else's are never taken for those of a simulator on this machine.
    #[test]
    fn prices_are_simulated_on_this_machine_and_nowhere_else() {
        let mark = |url: &str| {
            let env = |name: &str| (name == "DHANHQ_BASE_URL").then(|| url.to_owned());
            let flags = Flags { data: Some("/nowhere".into()), ..Flags::default() };
            Config::load_from(&flags, &env).unwrap().market.endpoint().unwrap().1
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
