//! `toolwright serve --dapr-grpc`, where no Dapr is compiled in.

use std::sync::Arc;

use serde_json::Value;
use toolwright_app::AgentPool;
use toolwright_server::Entrance;

use crate::{
    args::DaprArgs,
    error::{CommandError, Result},
};

/// Ports of which there are none here.
pub(super) enum Bound {}

pub(super) async fn bind(
    args: DaprArgs,
    _host: &Arc<AgentPool>,
    _entrance: Entrance,
) -> Result<Option<Bound>> {
    if args.is_empty() {
        return Ok(None);
    }
    Err(CommandError::unusable("this program was built without the feature `dapr`")
        .with_advice("build it with that feature, or leave --dapr-grpc and --dapr-http out")
        .into())
}

impl Bound {
    pub(super) fn json(&self) -> Value {
        match *self {}
    }

    pub(super) fn describe(&self) -> String {
        match *self {}
    }

    pub(super) async fn serve(self, _stop: impl Future<Output = ()>) {
        match self {}
    }
}
