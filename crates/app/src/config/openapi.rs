//! [`OpenApiConfig`]: an API that an OpenAPI document describes, as the config file says.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toolwright_http::Url;
use toolwright_pack::Secret;

use crate::AppError;

/// What the file says of an API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OpenApiSection {
    spec: Option<String>,
    include: Vec<String>,
    base_url: Option<String>,
    auth: Option<AuthSection>,
}

/// What lets one in, and the variable that has it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct AuthSection {
    header: Option<String>,
    query: Option<String>,
    #[serde(default)]
    bearer: bool,
    #[serde(default)]
    basic: bool,
    env: String,
}

/// An API that an OpenAPI document describes.
#[derive(Clone, Debug)]
pub struct OpenApiConfig {
    /// Where the document is.
    pub spec: OpenApiSpec,
    /// Which operations are tools.
    pub include: Vec<String>,
    /// Where the API is, where the user says so.
    pub base_url: Option<Url>,
    /// How one is let in.
    pub auth: Option<OpenApiAuth>,
}

/// Where a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenApiSpec {
    /// A file.
    File(PathBuf),
    /// An address.
    Url(Url),
}

/// How one is let in, and the variable that has the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenApiAuth {
    /// How the secret is sent.
    pub kind: OpenApiAuthKind,
    /// The variable that has it.
    pub env: String,
}

/// How a secret is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenApiAuthKind {
    /// In a header of this name.
    Header(String),
    /// In the query, under this name.
    Query(String),
    /// As a bearer token.
    Bearer,
    /// As a login, `NAME:PASSWORD`.
    Basic,
}

impl OpenApiAuth {
    /// The secret, where the variable is set.
    pub fn secret(&self) -> Option<Secret> {
        let value = std::env::var(&self.env).ok()?;
        (!value.trim().is_empty()).then(|| Secret::new(value.trim()))
    }
}

/// Reads the sections. Files are named from where the config file is.
pub(super) fn read(
    sections: &BTreeMap<String, OpenApiSection>,
    file: Option<&Path>,
) -> Result<BTreeMap<String, OpenApiConfig>, AppError> {
    let read = |(name, section): (&String, &OpenApiSection)| {
        let read = api(section, file.and_then(Path::parent));
        let wrong =
            |reason: String| AppError::BadSource { section: format!("openapi.{name}"), reason };
        Ok((name.clone(), read.map_err(wrong)?))
    };
    sections.iter().map(read).collect()
}

fn api(section: &OpenApiSection, folder: Option<&Path>) -> Result<OpenApiConfig, String> {
    let spec = section.spec.as_deref().map(str::trim).filter(|it| !it.is_empty());
    let spec = spec.ok_or("`spec` is missing: the file or the address of the document")?;
    let spec = match spec.starts_with("http://") || spec.starts_with("https://") {
        true => OpenApiSpec::Url(address("spec", spec)?),
        false => OpenApiSpec::File(folder.map_or_else(|| spec.into(), |it| it.join(spec))),
    };
    let base_url = section.base_url.as_deref().map(|it| address("base_url", it)).transpose()?;
    let auth = section.auth.as_ref().map(auth).transpose()?;
    Ok(OpenApiConfig { spec, include: section.include.clone(), base_url, auth })
}

/// An address of the user's. A login in it would be shown; nothing of it is repeated here.
fn address(key: &str, text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
    let plain = url.filter(|it| it.username().is_empty() && it.password().is_none());
    plain.ok_or_else(|| format!("`{key}` must be an http or https address without a login"))
}

fn auth(section: &AuthSection) -> Result<OpenApiAuth, String> {
    let kinds = [
        section.header.clone().map(OpenApiAuthKind::Header),
        section.query.clone().map(OpenApiAuthKind::Query),
        section.bearer.then_some(OpenApiAuthKind::Bearer),
        section.basic.then_some(OpenApiAuthKind::Basic),
    ];
    let mut kinds = kinds.into_iter().flatten();
    let (Some(kind), None) = (kinds.next(), kinds.next()) else {
        let one = "`auth` has one of `header = \"NAME\"`, `query = \"NAME\"`, `bearer = true`, `basic = true`";
        return Err(one.to_owned());
    };
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if section.env.is_empty() || !section.env.chars().all(is_name) {
        // Whoever wrote the secret itself there must not read it in an error.
        return Err("`env` in `auth` is the name of the variable that has the secret".to_owned());
    }
    Ok(OpenApiAuth { kind, env: section.env.clone() })
}
