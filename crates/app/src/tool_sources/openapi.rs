//! Opens an API that an OpenAPI document describes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use toolwright_core::ToolSource;
use toolwright_http::HttpSettings;
use toolwright_openapi::{ApiAuth, ApiSettings, OpenApiSource, SpecLocation, SpecPin};

use crate::{
    AppError, Config, ListFile, SourceEntry,
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
            let file = ListFile::new(config.data.value.join("openapi.json"));
            let pin = ApprovedSpec { file, name: entry.name.clone(), spec: url.to_string() };
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

/// A document as it was when it was first used, or last approved.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Approval {
    name: String,
    spec: String,
    digest: String,
}

/// Holds a document against the one that was approved, in a file of the user's.
struct ApprovedSpec {
    file: ListFile,
    name: String,
    spec: String,
}

impl SpecPin for ApprovedSpec {
    fn check(&self, digest: &str) -> Result<(), String> {
        let path = self.file.path().display().to_string();
        let failed = |error: std::io::Error| format!("{path} cannot be used: {error}");
        let is_it = |it: &Approval| it.name == self.name && it.spec == self.spec;
        let known: Vec<Approval> = self.file.read_own().map_err(failed)?;
        match known.iter().find(|it| is_it(it)) {
            Some(approval) if approval.digest == digest => Ok(()),
            Some(_) => Err(format!(
                "the document is another than the one that was approved. Look at what changed; to approve it, \
                 take the entry `{}` out of {path}",
                self.name
            )),
            None => {
                let approval = Approval {
                    name: self.name.clone(),
                    spec: self.spec.clone(),
                    digest: digest.to_owned(),
                };
                // An entry of this name is about another address, and no longer needed.
                self.file
                    .change(|all: &mut Vec<Approval>| {
                        all.retain(|it| it.name != self.name);
                        all.push(approval);
                    })
                    .map_err(failed)
            }
        }
    }
}
