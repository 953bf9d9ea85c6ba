//! [`RuleSection`]: what `toolwright.toml` says may run without a question, or not at all.
//!
//! ```toml
//! [[rules]]
//! verdict = "allow"            # allow, ask, deny
//! tool = "bash"
//! pattern = "cargo test *"     # without one: every call
//! workspace = "/srv/app"       # without one: everywhere
//! until = "2027-01-31"         # without one: for good
//! ```

use serde::{Deserialize, Deserializer, de::Error};
use toolwright_core::Timestamp;
use toolwright_runtime::{Rule, RuleVerdict};

/// What `toolwright.toml` says may run without a question, or not at all.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleSection {
    verdict: RuleVerdict,
    tool: String,
    pattern: Option<String>,
    workspace: Option<String>,
    #[serde(default, deserialize_with = "moment")]
    until: Option<Timestamp>,
}

impl RuleSection {
    pub(crate) fn verdict(&self) -> RuleVerdict {
        self.verdict
    }
}

impl From<RuleSection> for Rule {
    fn from(section: RuleSection) -> Self {
        Self {
            verdict: section.verdict,
            tool: section.tool,
            pattern: section.pattern,
            exact: false,
            place: section.workspace,
            until: section.until,
        }
    }
}

/// A date, or a date and time, in UTC.
fn moment<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let text = String::deserialize(from)?;
    let whole = if text.len() == "2027-01-31".len() { format!("{text}T00:00:00Z") } else { text };
    let moment = humantime::parse_rfc3339_weak(&whole).map_err(|_| {
        D::Error::custom("`until` is no date: write one as 2027-01-31, or 2027-01-31T18:00:00Z")
    })?;
    let since = moment.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok(Some(Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))))
}
