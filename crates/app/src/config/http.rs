//! [`HttpConfig`]: proxies, certificates and headers of all that is asked over the network.

use std::path::PathBuf;

use toolwright_http::{HttpError, HttpSettings};

use super::{
    Config, Secret, Setting, SettingSource,
    file::HttpSection,
    sources::{Sources, optional},
};
use crate::AppError;

/// Proxies, certificates and headers of all that is asked over the network.
#[derive(Clone, Debug)]
pub struct HttpConfig {
    /// The proxy, or `off`; where neither is said, those of the environment (`HTTPS_PROXY` and its like).
    /// It may hold a login.
    pub proxy: Setting<Option<Secret>>,
    /// What is asked without a proxy, where it is not `NO_PROXY` that says so.
    pub no_proxy: Setting<Option<String>>,
    /// Certificates that are trusted besides those the system trusts.
    pub ca_file: Setting<Option<PathBuf>>,
    /// The headers that go with every request to an origin: their names, and where they were set.
    pub headers: Setting<Vec<String>>,
    /// Values of headers, which nothing may repeat.
    secrets: Vec<Secret>,
    /// All of it together.
    settings: HttpSettings,
}

impl HttpConfig {
    pub(super) fn read(sources: &Sources<'_>, file: HttpSection) -> Result<Self, AppError> {
        let proxy = optional(sources.pick("", None, "TOOLWRIGHT_PROXY", file.proxy));
        let no_proxy = optional(sources.pick("", None, "TOOLWRIGHT_NO_PROXY", file.no_proxy));
        let ca_file = optional(sources.pick("", None, "TOOLWRIGHT_CA_FILE", file.ca_file));
        let mut settings = HttpSettings::from_vars(sources.env);
        if let Some(text) = &proxy.value {
            settings = settings
                .with_proxy(text)
                .map_err(|it| bad("http.proxy", "[hidden]", &proxy, &it))?;
        }
        if let Some(list) = &no_proxy.value {
            settings = settings.with_no_proxy(list);
        }
        if let Some(path) = &ca_file.value {
            settings = settings
                .with_ca_file(path)
                .map_err(|it| bad("http.ca_file", path, &ca_file, &it))?;
        }
        let (mut names, mut secrets) = (Vec::new(), Vec::new());
        let is_set = !file.headers.is_empty();
        for (origin, headers) in file.headers {
            names.extend(headers.keys().map(|name| format!("{name} ({origin})")));
            secrets.extend(headers.values().cloned().map(Secret::new));
            let place = sources.in_file(Some(()), ());
            let shown = if origin.contains('@') { "[hidden]" } else { &*origin };
            let said = settings.with_headers(&origin, headers);
            settings = said.map_err(|it| bad("http.headers", shown, &place, &it))?;
        }
        secrets.extend(settings.secrets().into_iter().map(Secret::new));
        Ok(Self {
            proxy: proxy.map(|it| it.map(Secret::new)),
            no_proxy,
            ca_file: ca_file.map(|path| path.map(PathBuf::from)),
            headers: sources.in_file(is_set.then_some(names), Vec::new()),
            secrets,
            settings,
        })
    }

    /// What requests are sent with.
    pub fn settings(&self) -> HttpSettings {
        self.settings.clone()
    }

    /// What nothing may repeat.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(Secret::reveal)
    }
}

impl Config {
    /// What the model is asked with. An address that a folder names gets nothing of the user's.
    pub fn model_http(&self) -> HttpSettings {
        match self.model.base_url.place {
            SettingSource::Folder(_) => self.http.settings().without_headers(),
            _ => self.http.settings(),
        }
    }
}

/// What is set cannot be used; `shown` is what of it may be repeated.
fn bad<T>(name: &'static str, shown: &str, setting: &Setting<T>, error: &HttpError) -> AppError {
    let advice = error.advice.map(|it| format!("; {it}")).unwrap_or_default();
    AppError::BadValue {
        name: name.to_owned(),
        value: shown.to_owned(),
        place: setting.place.to_string(),
        reason: format!("{error}{advice}"),
    }
}
