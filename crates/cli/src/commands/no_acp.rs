//! `toolwright acp`, where the protocol is not compiled in.

use toolwright_app::{Config, Flags};

use crate::{
    error::{CommandError, Result},
    exit::Exit,
    watch::Watch,
};

pub(crate) async fn run(_flags: Flags, _config: &Config, _watch: &Watch) -> Result<Exit> {
    Err(CommandError::unusable("this program was built without the feature `acp`")
        .with_advice("build it with that feature, or use `toolwright chat`")
        .into())
}
