//! [`ProviderConfig`]: where a provider of models is, and the key to it.

use std::collections::BTreeMap;

use serde::Deserialize;
use toolwright_models::{Api, Vendor, ollama_address};
use toolwright_pack::Secret;

use super::{Setting, SettingSource, sources::Sources, values};
use crate::AppError;

/// What the file says of a provider.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ProviderSection {
    /// The root of its API.
    #[serde(deserialize_with = "values::named")]
    base_url: Option<String>,
    #[serde(deserialize_with = "values::named")]
    api_key: Option<String>,
    /// The protocol it speaks.
    #[serde(deserialize_with = "values::named")]
    api: Option<String>,
    /// Further headers of every request.
    headers: BTreeMap<String, String>,
}

/// Where a provider of models is, and the key to it.
#[derive(Clone, Debug)]
pub struct ProviderConfig {
    /// The root of its API, where it is not the vendor's own.
    pub base_url: Setting<Option<String>>,
    /// The key to it.
    pub api_key: Setting<Option<Secret>>,
    /// The protocol it speaks, where that is not known by its name.
    pub api: Option<Api>,
    /// Further headers of every request. Their values are never shown.
    pub headers: BTreeMap<String, Secret>,
}

/// Names that are no provider's.
const TAKEN: [&str; 2] = ["offline", "dapr"];

/// The providers there are: those of the file, and those whose key the environment holds.
pub(super) fn read(
    sources: &Sources<'_>,
    mut file: BTreeMap<String, ProviderSection>,
) -> Result<BTreeMap<String, ProviderConfig>, AppError> {
    let names = Vendor::ALL.iter().map(|it| it.name.to_owned());
    let names: Vec<String> = names.chain(file.keys().cloned()).collect();
    let mut all = BTreeMap::new();
    for name in names {
        if all.contains_key(&name) {
            continue;
        }
        let said = file.remove(&name);
        let is_said = said.is_some();
        let provider = provider(sources, &name, said.unwrap_or_default())?;
        if is_said || provider.is_known() {
            all.insert(name, provider);
        }
    }
    Ok(all)
}

fn provider(
    sources: &Sources<'_>,
    name: &str,
    said: ProviderSection,
) -> Result<ProviderConfig, AppError> {
    let bad = |key: &str, value: &str, reason: String| AppError::BadValue {
        name: format!("providers.{name}{key}"),
        value: value.to_owned(),
        place: sources.file().to_string(),
        reason,
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if TAKEN.contains(&name) || name.is_empty() || !name.chars().all(is_name) {
        let reason = "a provider is named with letters, digits, `-`, `_` and `.`, and neither \
                      `offline` nor `dapr`: these are taken";
        return Err(bad("", name, reason.to_owned()));
    }
    let vendor = Vendor::named(name);
    if vendor.is_none() && said.base_url.is_none() {
        let reason = "nobody of this name is known: say where it is, with base_url";
        return Err(bad("", name, reason.to_owned()));
    }
    let api = said.api.map(|it| it.parse().map_err(|reason| bad(".api", &it, reason)));
    let keys = vendor.map_or(&[][..], |it| it.keys).iter();
    let in_env = keys.copied().find_map(|variable| {
        let value = (sources.env)(variable)?;
        Some(Setting { value: Some(Secret::new(value)), place: SettingSource::Env(variable) })
    });
    let key = sources.in_file(said.api_key.map(|it| Some(Secret::new(it))), None);
    // Ollama's own variable says where it is.
    let here = (name == "ollama").then(|| (sources.env)("OLLAMA_HOST")).flatten();
    let here = here.map(|host| Setting {
        value: Some(ollama_address(&host)),
        place: SettingSource::Env("OLLAMA_HOST"),
    });
    let base_url = sources.in_file(said.base_url.map(Some), None);
    Ok(ProviderConfig {
        // Variables beat the file, here as everywhere.
        base_url: here.unwrap_or(base_url),
        api_key: in_env.unwrap_or(key),
        api: api.transpose()?,
        headers: said.headers.into_iter().map(|(name, it)| (name, Secret::new(it))).collect(),
    })
}

impl ProviderConfig {
    fn is_known(&self) -> bool {
        self.base_url.value.is_some() || self.api_key.value.is_some()
    }

    /// Everything of it that nobody may see.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.api_key.value.iter().chain(self.headers.values()).map(Secret::reveal)
    }
}
