//! APIs that OpenAPI documents describe, where they are not compiled in.

use toolwright_app::Config;

use crate::{
    error::{CommandError, Result},
    exit::Exit,
};

#[expect(clippy::unused_async, reason = "the one that is compiled in waits")]
pub(super) async fn approve(_: &Config, _: &str, _: bool, _: bool) -> Result<Exit> {
    Err(CommandError::unusable("this program was built without the feature `openapi`")
        .with_advice("build it with that feature")
        .into())
}
