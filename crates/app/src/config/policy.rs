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
//!
//! [tools.github__delete_branch]       # of a tool that comes from elsewhere, also what it is
//! effect = "destructive"
//! grounded = ["branch_id"]
//! ```

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, MapAccess, Visitor},
};
use toml::{Table, Value};
use toolwright_core::{Policy, ToolDeclaration};

/// What `toolwright.toml` says about a tool.
#[derive(Clone, Debug, Default)]
pub(super) struct ToolSection {
    /// How its calls are treated.
    pub(super) policy: Policy,
    /// What it is, where it comes from elsewhere and could not say so.
    declaration: ToolDeclaration,
}

/// What is declared of tools.
pub(super) fn declared(tools: &BTreeMap<String, ToolSection>) -> Vec<(String, ToolDeclaration)> {
    let said = tools.iter().filter(|(_, it)| it.declaration != ToolDeclaration::default());
    said.map(|(name, it)| (name.clone(), it.declaration.clone())).collect()
}

/// What can be declared of a tool. All else is about its calls.
const DECLARED: [&str; 6] = ["effect", "grounded", "executable", "free_text", "after", "examples"];

impl<'de> Deserialize<'de> for ToolSection {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Parts)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = ToolSection;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ToolSection, A::Error> {
        let (mut policy, mut declaration) = (Table::new(), Table::new());
        while let Some(name) = map.next_key::<String>()? {
            let table = if is_declared(&name) { &mut declaration } else { &mut policy };
            let (name, value) = map.next_value_seed(Part(name))?;
            table.insert(name, value);
        }
        Ok(ToolSection {
            policy: Policy::deserialize(Value::Table(policy)).map_err(Error::custom)?,
            declaration: ToolDeclaration::deserialize(Value::Table(declaration))
                .map_err(Error::custom)?,
        })
    }
}

/// Reads one part by itself, so that a mistake in it is told with its own line.
struct Part(String);

impl<'de> DeserializeSeed<'de> for Part {
    type Value = (String, Value);

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(String, Value), D::Error> {
        let value = Value::deserialize(from)?;
        let (name, value) = spelled_out(self.0, value).map_err(Error::custom)?;
        let alone: Table = [(name.clone(), value.clone())].into_iter().collect();
        if is_declared(&name) {
            ToolDeclaration::deserialize(Value::Table(alone)).map_err(Error::custom)?;
            return Ok((name, value));
        }
        Policy::deserialize(Value::Table(alone))
            .map_err(|error| Error::custom(error.message().replace("`rate`", "`limit`")))?;
        Ok((name, value))
    }
}

fn is_declared(name: &str) -> bool {
    DECLARED.contains(&name)
}

/// What `#[tool(…)]` says in short.
fn spelled_out(name: String, value: Value) -> Result<(String, Value), &'static str> {
    let table = |first: &str, word| Value::Table([(first.to_owned(), word)].into_iter().collect());
    Ok(match (name.as_str(), value) {
        ("retry", value) if !value.is_table() => (name, table("attempts", value)),
        ("cache", value) if !value.is_table() => (name, table("ttl", value)),
        ("breaker", Value::Boolean(true)) => (name, Value::Table(Table::new())),
        ("breaker", Value::Boolean(false)) => {
            return Err("a breaker is not switched off with `false`: leave the line out, or \
                        make it patient with `breaker = { failures = 1.0 }`");
        }
        // The attribute calls it a limit, too; what it bounds is the rate.
        ("limit", value) => ("rate".to_owned(), value),
        (_, value) => (name, value),
    })
}
