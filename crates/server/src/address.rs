//! [`Name`] and [`Query`]: what a request's address says, and an answer like every other where it
//! cannot be read.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::{ApiError, plain::plainly, server::Service};

/// What a path names. Nothing is called what no text can say.
pub(crate) struct Name<T = String>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Service> for Name<T> {
    type Rejection = ApiError;

    async fn from_request_parts(head: &mut Parts, service: &Service) -> Result<Self, ApiError> {
        let named = Path::<T>::from_request_parts(head, service).await;
        let Path(name) = named.map_err(|_| ApiError::not_found("nothing has this name"))?;
        Ok(Self(name))
    }
}

/// What stands behind the question mark.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Service> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(head: &mut Parts, _: &Service) -> Result<Self, ApiError> {
        let read = axum::extract::Query::try_from_uri(&head.uri);
        read.map(|it| Self(it.0)).map_err(|error| {
            let text = error.body_text();
            let said = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
            let is_name = |name: &str| name.chars().all(|it| it.is_alphanumeric() || it == '_');
            let (at, error) =
                said.split_once(": ").filter(|it| is_name(it.0)).unwrap_or(("", said));
            ApiError::malformed(plainly(at, error).replace("the body", "the address"))
        })
    }
}
