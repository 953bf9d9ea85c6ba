//! What `toolwright doctor` looks at where people sign in.

use std::borrow::Cow;

use toolwright_app::Config;
use toolwright_core::ActionableError;
use toolwright_pack::{Check, CheckState};
use toolwright_server::check_identity;

const NAME: &str = "sign-in";

/// Whether people could sign in, where a server is configured for several.
pub(crate) async fn checks(config: &Config) -> Option<Check> {
    let identity = &config.server.identity.value;
    if !identity.is_used() {
        return None;
    }
    if let Err(error) = check_identity(identity).await {
        let advice = error.advice().map(Cow::into_owned);
        return Some(Check { name: NAME, state: CheckState::Bad, says: error.to_string(), advice });
    }
    let header = identity.header.as_ref().map(|it| format!("a proxy says who asks (`{it}`)"));
    let provider = identity.oidc.as_ref().map(|it| format!("{} answers", it.issuer));
    let says: Vec<_> = header.into_iter().chain(provider).collect();
    Some(Check::good(NAME, says.join("; ")))
}
