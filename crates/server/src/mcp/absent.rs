//! No protocol: what is at its address is nothing.

use std::sync::Arc;

use axum::{
    extract::Request,
    response::{IntoResponse, Response},
};
use toolwright_app::AgentPool;

use crate::{
    ApiError, Limits,
    runs::{PendingApprovals, Runs},
};

/// There is none.
pub(crate) enum Mcp {}

impl Mcp {
    pub(crate) fn new(
        _: &Arc<AgentPool>,
        _: &Arc<Runs>,
        _: &PendingApprovals,
        _: &Limits,
    ) -> Option<Self> {
        None
    }

    pub(crate) fn close(&self) {
        match *self {}
    }
}

pub(crate) async fn serve(_: Request) -> Response {
    let why = "this server was built without the feature `mcp`";
    ApiError::not_found(why).into_response()
}
