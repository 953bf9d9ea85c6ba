//! Opens an API that an OpenAPI document describes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolwright_core::ToolSource;
use toolwright_files::{DigestEntry, DigestMatch, DigestStore};
use toolwright_http::HttpSettings;
use toolwright_openapi::{ApiAuth, ApiSettings, OpenApiSource, SpecLocation, SpecPin};

use crate::{
    AppError, Config, SourceEntry,
    config::{OpenApiAuth, OpenApiAuthKind, OpenApiSpec},
};

/// Opens the source.
///
/// # Errors
/// When what lets one in is not there, or cannot be sent.
pub(super) fn opened(
    config: &Config,
    entry: &SourceEntry,
) -> Result<Arc<dyn ToolSource>, AppError> {
    let section = || format!("openapi.{}", entry.name);
    let missing = || AppError::NoSource { name: entry.name.clone(), kind: entry.kind.name() };
    let api = config.openapi.get(&entry.name).ok_or_else(missing)?;
    let auth = api.auth.as_ref().map(auth).transpose();
    let auth = auth.map_err(|reason| AppError::BadSource { section: section(), reason })?;
    let (spec, pin) = match &api.spec {
        OpenApiSpec::File(path) => (SpecLocation::File(path.clone()), None),
        OpenApiSpec::Url(url) => {
            let store = DigestStore::new(config.data.value.join("openapi.json"));
            let pin = ApprovedSpec { store, name: entry.name.clone(), spec: url.to_string() };
            (SpecLocation::Url(url.clone()), Some(Arc::new(pin) as Arc<dyn SpecPin>))
        }
    };
    let settings = ApiSettings {
        name: entry.name.clone(),
        spec,
        include: api.include.clone(),
        base_url: api.base_url.clone(),
        auth,
    };
    Ok(Arc::new(OpenApiSource::new(settings, HttpSettings::default(), pin)))
}

fn auth(auth: &OpenApiAuth) -> Result<ApiAuth, String> {
    let secret = auth.secret().ok_or_else(|| format!("the variable {} is not set", auth.env))?;
    let secret = secret.reveal();
    match &auth.kind {
        OpenApiAuthKind::Header(name) => ApiAuth::header(name, secret),
        OpenApiAuthKind::Query(name) => Ok(ApiAuth::query(name, secret)),
        OpenApiAuthKind::Bearer => ApiAuth::bearer(secret),
        OpenApiAuthKind::Basic => ApiAuth::basic(secret),
    }
}

/// Where a document is that was approved.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpecDetails {
    spec: String,
}

/// Holds a document against the one that was approved, or first used.
struct ApprovedSpec {
    store: DigestStore<SpecDetails>,
    name: String,
    spec: String,
}

impl SpecPin for ApprovedSpec {
    fn check(&self, digest: &str) -> Result<(), String> {
        let path = self.store.path().display().to_string();
        let failed = |error: std::io::Error| format!("{path} cannot be used: {error}");
        match self.store.check(&self.name, digest).map_err(failed)? {
            DigestMatch::Same(entry) if entry.details.spec == self.spec => Ok(()),
            DigestMatch::Changed(entry) if entry.details.spec == self.spec => Err(format!(
                "the document is another than the one that was approved. Look at what changed; to approve it, \
                 take the entry `{}` out of {path}",
                self.name
            )),
            // Nothing is known of it, or only of a document at another address.
            _ => {
                let (subject, digest) = (self.name.clone(), digest.to_owned());
                let details = SpecDetails { spec: self.spec.clone() };
                self.store.put(vec![DigestEntry { subject, digest, details }]).map_err(failed)
            }
        }
    }
}
