//! [`Manager`]: whoever may change settings through the server: connect a model, add a server of tools.
//!
//! All who come in are the owner, or have the owner's token, and a page of somebody else's gets nowhere (`auth`). What
//! changes settings wants more: that the server is reached from this machine alone, or that its operator said
//! otherwise (`server.manage`).

use axum::extract::FromRequestParts;
use http::request::Parts;
use toml_edit::DocumentMut;
use toolwright_app::{
    AgentPool, AppError,
    config::{ManageMode, Readers, SettingsChange},
};

use crate::{ApiError, Settings, server::Service};

/// Somebody who may change settings. A route that has it among what it takes is for them alone.
pub(crate) struct Manager;

impl FromRequestParts<Service> for Manager {
    type Rejection = ApiError;

    async fn from_request_parts(_: &mut Parts, service: &Service) -> Result<Self, ApiError> {
        let settings = service.settings();
        match is_managed(settings) {
            true => Ok(Self),
            false => Err(ApiError::unmanaged(settings.manage)),
        }
    }
}

/// Whether settings may be changed by those who come in.
pub(crate) fn is_managed(settings: &Settings) -> bool {
    match settings.manage {
        ManageMode::Yes => true,
        ManageMode::No => false,
        // Under a further name it is reached through something else, and from wherever that is.
        ManageMode::Local => settings.address.ip().is_loopback() && settings.hosts.is_empty(),
    }
}

impl Service {
    /// Takes up the settings as the files say them now. What cannot be used changes nothing.
    pub(crate) async fn reload(&self) -> Result<SettingsChange, ApiError> {
        let host = self.host().clone();
        let (_, change) = self.taken_up(move || Ok(((), host.reload()?))).await?;
        Ok(change)
    }

    /// Changes the user's settings, and takes them up: what begins from now on has them. What cannot be used changes
    /// nothing. Whether it may be changed so is for `change` to decide, by the document and by
    /// [`AgentPool::settings_now`]: what was taken up last need not be what the file says.
    pub(crate) async fn change_settings<T: Send + 'static>(
        &self,
        readers: Readers,
        change: impl FnOnce(&AgentPool, &mut DocumentMut) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<(T, SettingsChange), ApiError> {
        let host = self.host().clone();
        let changed = move || host.change_settings(readers, |document| change(&host, document));
        self.taken_up(changed).await
    }

    /// Files are read and programs started: whoever else is served does not wait for that.
    async fn taken_up<T: Send + 'static>(
        &self,
        change: impl FnOnce() -> Result<(T, SettingsChange), Refusal> + Send + 'static,
    ) -> Result<(T, SettingsChange), ApiError> {
        let changed =
            tokio::task::spawn_blocking(change).await.map_err(|_| ApiError::internal())?;
        let (done, change) = changed.map_err(|Refusal(error)| error)?;
        if !change.is_of_models() {
            self.renew_mcp();
        }
        Ok((done, change))
    }
}

/// Why settings are not changed: what is wrong with them, or with what was asked for.
pub(crate) struct Refusal(ApiError);

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        Self(ApiError::settings(&error))
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}
