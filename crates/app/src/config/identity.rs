//! [`IdentityConfig`]: how people sign in to a server that several use, and what they may do there.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

use super::{Secret, Setting, sources::Sources};
use crate::AppError;

/// The variable with the secret of this server at the identity provider.
const SECRET: &str = "TOOLWRIGHT_OIDC_CLIENT_SECRET";
/// Larger files hold something else.
const LONGEST: u64 = 4096;

/// How people sign in, and what they may do.
#[derive(Clone, Debug, Default)]
pub struct IdentityConfig {
    /// The header in which a proxy says who asks.
    pub header: Option<String>,
    /// The header in which it says their groups.
    pub groups_header: Option<String>,
    /// The networks that such a proxy is in.
    pub trusted: Vec<String>,
    /// What everybody may do who signs in, in words.
    pub scopes: Vec<String>,
    /// What those may do besides who are in a group.
    pub groups: BTreeMap<String, Vec<String>>,
    /// Where people sign in on the page.
    pub oidc: Option<OidcConfig>,
}

impl IdentityConfig {
    /// Whether there are several people.
    pub fn is_used(&self) -> bool {
        self.header.is_some() || self.oidc.is_some()
    }
}

/// An identity provider that speaks OpenID Connect.
#[derive(Clone, Debug)]
pub struct OidcConfig {
    /// Its address, as it says it itself.
    pub issuer: String,
    /// What this server is called there.
    pub client_id: String,
    /// By which it is known there; nothing where it is a public client.
    pub client_secret: Option<Secret>,
    /// The claim that says whose conversations they are.
    pub name: String,
    /// The claim that says the groups.
    pub groups: String,
    /// The domains of mail addresses that are let in; all where none is named.
    pub domains: Vec<String>,
    /// The subjects that are let in; all where none is named.
    pub subjects: Vec<String>,
    /// What the button says.
    pub label: String,
}

/// The section of a file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct IdentitySection {
    header: Option<String>,
    groups_header: Option<String>,
    trusted: Vec<String>,
    scopes: Option<Vec<String>>,
    groups: BTreeMap<String, Vec<String>>,
    oidc: Option<OidcSection>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OidcSection {
    issuer: String,
    client_id: String,
    /// A file with the secret. It is never in this one: that is read by others, too, sooner or later.
    client_secret_file: Option<PathBuf>,
    name: Option<String>,
    groups: Option<String>,
    domains: Vec<String>,
    subjects: Vec<String>,
    label: Option<String>,
}

impl IdentityConfig {
    pub(super) fn read(
        sources: &Sources<'_>,
        section: IdentitySection,
    ) -> Result<Setting<Self>, AppError> {
        if section == IdentitySection::default() {
            return Ok(sources.in_file(None, Self::default()));
        }
        let usual = || vec!["ask".to_owned(), "decide".to_owned()];
        let oidc = section.oidc.map(|it| OidcConfig::read(sources, it)).transpose()?;
        let config = Self {
            header: section.header,
            groups_header: section.groups_header,
            trusted: section.trusted,
            scopes: section.scopes.unwrap_or_else(usual),
            groups: section.groups,
            oidc,
        };
        Ok(sources.in_file(Some(config), Self::default()))
    }
}

impl OidcConfig {
    fn read(sources: &Sources<'_>, section: OidcSection) -> Result<Self, AppError> {
        let bad = |key: &str, value: String, reason: String| AppError::BadValue {
            name: format!("server.identity.oidc.{key}"),
            value,
            place: sources.file().to_string(),
            reason,
        };
        for (key, value) in [("issuer", &section.issuer), ("client_id", &section.client_id)] {
            if value.is_empty() {
                return Err(bad(key, String::new(), "it is missing".to_owned()));
            }
        }
        let in_file = match &section.client_secret_file {
            Some(path) => {
                let text = toolwright_files::read_text(path, LONGEST);
                let named = || path.display().to_string();
                Some(text.map_err(|error| bad("client_secret_file", named(), error.to_string()))?)
            }
            None => None,
        };
        let secret = sources.pick("", None, SECRET, in_file).map(|it| it.value.trim().to_owned());
        Ok(Self {
            issuer: section.issuer,
            client_id: section.client_id,
            client_secret: secret.filter(|it| !it.is_empty()).map(Secret::new),
            name: section.name.unwrap_or_else(|| "sub".to_owned()),
            groups: section.groups.unwrap_or_else(|| "groups".to_owned()),
            domains: section.domains,
            subjects: section.subjects,
            label: section.label.unwrap_or_default(),
        })
    }
}
