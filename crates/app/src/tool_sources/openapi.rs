//! [`ApiApproval`]: an API that an OpenAPI document describes, opened, and what the user approved of it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolwright_core::ToolSource;
use toolwright_files::{DigestEntry, DigestStore};
use toolwright_http::{HttpSettings, Url};
use toolwright_openapi::{
    ApiAuth, ApiSettings, OpenApiSource, SpecLocation, SpecPin, SpecReport, Withheld,
};

use crate::{
    AppError, Config, ConfiguredSource,
    config::{OpenApiAuth, OpenApiAuthKind, OpenApiSpec},
};

/// Opens the source.
///
/// # Errors
/// When what lets one in is not there, or cannot be sent.
pub(super) fn opened(
    config: &Config,
    entry: &ConfiguredSource,
) -> Result<Arc<dyn ToolSource>, AppError> {
    let (settings, pin) = described(config, &entry.name)?;
    let pin = pin.map(|it| Arc::new(it) as Arc<dyn SpecPin>);
    Ok(Arc::new(OpenApiSource::new(settings, HttpSettings::default(), pin)))
}

/// How the API of this name is asked, and where it is kept what was approved of it.
fn described(config: &Config, name: &str) -> Result<(ApiSettings, Option<ApprovedSpec>), AppError> {
    let missing =
        || AppError::NoSource { name: name.to_owned(), kind: crate::SourceKind::OpenApi.name() };
    let api = config.openapi.get(name).ok_or_else(missing)?;
    let auth = api
        .auth
        .as_ref()
        .map(auth)
        .transpose()
        .map_err(|reason| AppError::BadSource { section: format!("openapi.{name}"), reason })?;
    let (spec, pin) = match &api.spec {
        OpenApiSpec::File(path) => (SpecLocation::File(path.clone()), None),
        OpenApiSpec::Url(url) => {
            (SpecLocation::Url(url.clone()), Some(ApprovedSpec::of(config, name, url)))
        }
    };
    let settings = ApiSettings {
        name: name.to_owned(),
        spec,
        include: api.include.clone(),
        base_url: api.base_url.clone(),
        auth,
    };
    Ok((settings, pin))
}

fn auth(auth: &OpenApiAuth) -> Result<ApiAuth, String> {
    let secret =
        auth.secret().ok_or_else(|| format!("the variable {} is not set; set it", auth.env))?;
    let secret = secret.reveal();
    match &auth.kind {
        OpenApiAuthKind::Header(name) => ApiAuth::header(name, secret),
        OpenApiAuthKind::Query(name) => Ok(ApiAuth::query(name, secret)),
        OpenApiAuthKind::Bearer => ApiAuth::bearer(secret),
        OpenApiAuthKind::Basic => ApiAuth::basic(secret),
    }
}

/// What was approved of a document: what it offered when it was first used, or what somebody looked at since.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpecDetails {
    spec: String,
    #[serde(default)]
    offered: SpecReport,
}

/// What documents offered when they were approved, in a file of the user's.
struct ApprovedSpec {
    store: DigestStore<SpecDetails>,
    name: String,
    spec: String,
}

impl ApprovedSpec {
    fn of(config: &Config, name: &str, url: &Url) -> Self {
        let store = DigestStore::new(config.data.value.join("openapi.json"));
        Self { store, name: name.to_owned(), spec: url.to_string() }
    }

    /// What was approved; nothing where it was never used.
    fn known(&self) -> Result<Option<SpecReport>, String> {
        let known = self.store.entries().map_err(|error| self.unusable(&error))?;
        let is_it =
            |it: &DigestEntry<SpecDetails>| it.subject == self.name && it.details.spec == self.spec;
        Ok(known.into_iter().find(is_it).map(|it| it.details.offered))
    }

    /// Approves what is offered. An entry of this name is about another address, and no longer needed.
    fn approve(&self, offered: &SpecReport) -> Result<(), String> {
        let (subject, digest) = (self.name.clone(), offered.digest());
        let details = SpecDetails { spec: self.spec.clone(), offered: offered.clone() };
        let approved = self.store.put(vec![DigestEntry { subject, digest, details }]);
        approved.map_err(|error| self.unusable(&error))
    }

    fn unusable(&self, error: &std::io::Error) -> String {
        format!("{} cannot be used: {error}", self.store.path().display())
    }
}

impl SpecPin for ApprovedSpec {
    fn check(&self, offered: &SpecReport) -> Result<Withheld, String> {
        let Some(known) = self.known()? else {
            self.approve(offered)?;
            return Ok(Withheld::new());
        };
        let how = format!("`toolwright tools approve {}` shows it and asks", self.name);
        if known.server != offered.server {
            return Err(format!(
                "where its document says that the API is ({}) was not approved: {how}",
                offered.server
            ));
        }
        let withheld = offered.operations.iter().filter_map(|(name, it)| {
            let what = match known.operations.get(name) {
                Some(known) if known.digest == it.digest => return None,
                Some(_) => "it changed since it was approved",
                None => "it is new, and not approved yet",
            };
            Some((name.clone(), format!("{what}: {how}")))
        });
        Ok(withheld.collect())
    }
}

/// An API, as somebody looks at it to approve it.
pub struct ApiApproval {
    source: OpenApiSource,
    /// None where the document is a file of the user's own: that is used as it is.
    pin: Option<ApprovedSpec>,
}

impl ApiApproval {
    /// The API of this name.
    ///
    /// # Errors
    /// When none of this name is configured, or it cannot be used as it is.
    pub fn of(config: &Config, name: &str) -> Result<Self, AppError> {
        let (settings, pin) = described(config, name)?;
        Ok(Self { source: OpenApiSource::new(settings, HttpSettings::default(), None), pin })
    }

    /// What its document offers now, and what was approved of it.
    ///
    /// # Errors
    /// When one of them cannot be read: why.
    pub async fn look(&self) -> Result<(SpecReport, Option<SpecReport>), String> {
        let offered = self.source.report().await?;
        let known = match &self.pin {
            Some(pin) => pin.known()?,
            None => Some(offered.clone()),
        };
        Ok((offered, known))
    }

    /// Approves what somebody was shown.
    ///
    /// # Errors
    /// When that cannot be kept: why.
    pub fn approve(&self, shown: &SpecReport) -> Result<(), String> {
        self.pin.as_ref().map_or(Ok(()), |pin| pin.approve(shown))
    }
}
