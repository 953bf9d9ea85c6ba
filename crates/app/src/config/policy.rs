//! [`ToolSection`]: what `toolwright.toml` says about how calls of a tool are treated, in the words of
//! `#[tool(…)]`.
//!
//! ```toml
//! [tools.get_weather]
//! timeout = "30s"
//! cache = "5m"                        # or { ttl = "5m", entries = 100 }
//! retry = 3                           # or { attempts = 3, initial_backoff = "100ms" }
//! breaker = true                      # or { failures = 0.5, cooldown = "1m" }
//! limit = { per_run = 3, calls = 10, period = "1s" }
//! ```

use serde::{Deserialize, Deserializer, de::Error};
use toml::{Table, Value};
use toolwright_core::Policy;

/// What `toolwright.toml` says about how calls of a tool are treated.
#[derive(Clone, Debug, Default)]
pub(super) struct ToolSection(pub(super) Policy);

impl<'de> Deserialize<'de> for ToolSection {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut table = Table::deserialize(from)?;
        spell_out(&mut table, "retry", "attempts");
        spell_out(&mut table, "cache", "ttl");
        match table.get("breaker") {
            Some(Value::Boolean(true)) => {
                table.insert("breaker".to_owned(), Value::Table(Table::new()));
            }
            Some(Value::Boolean(false)) => {
                let message = "a breaker is not switched off with `false`: leave the line out, or \
                               make it patient with `breaker = { failures = 1.0 }`";
                return Err(D::Error::custom(message));
            }
            _ => {}
        }
        // The attribute calls it a limit, too; what it bounds is the rate.
        if let Some(limit) = table.remove("limit") {
            table.insert("rate".to_owned(), limit);
        }
        Policy::deserialize(Value::Table(table)).map(Self).map_err(D::Error::custom)
    }
}

/// `retry = 3` is `retry = { attempts = 3 }`.
fn spell_out(table: &mut Table, part: &str, first: &str) {
    if let Some(said) = table.get_mut(part).filter(|said| !said.is_table()) {
        let word = std::mem::replace(said, Value::Table(Table::new()));
        if let Value::Table(parts) = said {
            parts.insert(first.to_owned(), word);
        }
    }
}
