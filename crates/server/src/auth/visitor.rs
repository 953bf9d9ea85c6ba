//! [`Visitor`]: somebody who was let in, and by what.

use std::sync::Arc;

use http::{StatusCode, request::Parts};

use super::{
    Gate, Identity, Peer, Scope, Way,
    audit::{Done, Record},
    grants::Shown,
    head::{bearer, cookie, is_for_page, peer},
    names, sessions, sign_in,
    trusted::Said,
};
use crate::{ApiError, AuthMode};

/// Somebody who was let in.
pub(super) struct Visitor {
    pub(super) who: Identity,
    /// What they showed, where that may be taken back while they listen.
    pub(super) shown: Option<Revoked>,
}

/// What may be taken back.
#[derive(Clone)]
pub(super) enum Revoked {
    /// A browser that followed a link, by its id.
    Browser(String),
    /// Something in the database.
    Grant(Shown),
}

/// Who asks.
enum Who {
    /// Somebody who may.
    Known(Visitor),
    /// Somebody who showed nothing.
    Stranger,
    /// Somebody who showed something that is wrong, and what they are told.
    Guessing(ApiError),
    /// Somebody who is not let in, whatever they showed.
    Refused(ApiError),
}

impl Who {
    fn operator(way: Way) -> Self {
        Self::Known(Visitor { who: Identity::operator(way), shown: None })
    }
}

impl Gate {
    /// Who asks, where they are let in.
    pub(super) async fn look(&self, head: &Parts) -> Result<Visitor, ApiError> {
        self.check_names(head)?;
        match self.who(head).await? {
            Who::Known(visitor) => Ok(visitor),
            Who::Stranger => Err(ApiError::unauthorized()),
            Who::Guessing(error) => Err(self.guessed(error)),
            Who::Refused(error) => Err(error),
        }
    }

    async fn who(&self, head: &Parts) -> Result<Who, ApiError> {
        // Before anything else that is shown: what somebody else says about who asks is never passed over.
        let said = match &self.header {
            Some(header) => {
                let ip = peer(head).and_then(|it| it.ip());
                let is_trusted = ip.is_some_and(|ip| self.proxies.is_trusted(ip));
                header.read(&head.headers, is_trusted, &self.scopes)
            }
            None => Said::Nothing,
        };
        if let Said::Refused(why) = said {
            return Ok(Who::Refused(ApiError::forbidden(why)));
        }
        if let Some(shown) = bearer(&head.headers) {
            return self.with_token(shown).await;
        }
        if let Said::By(who) = said {
            return Ok(Who::Known(Visitor { who, shown: None }));
        }
        // One may be left of an earlier time: the other is the one that counts then.
        let session = match cookie(&head.headers, sign_in::SESSION) {
            Some(shown) => Some(self.signed_in(head, shown).await?),
            None => None,
        };
        if let Some(Who::Known(visitor)) = session {
            return Ok(Who::Known(visitor));
        }
        let link = match self.browser_cookie(&head.headers) {
            Some(shown) => Some(self.with_link(head, shown).await?),
            None => None,
        };
        match (session, link) {
            (_, Some(Who::Known(visitor))) => return Ok(Who::Known(visitor)),
            (Some(Who::Stranger), _) | (_, Some(Who::Stranger)) => return Ok(Who::Stranger),
            (None, None) => {}
            _ => return Ok(wrong_cookie()),
        }
        // Whoever comes through a proxy that says nothing is not its user.
        let ip = peer(head).and_then(|it| it.ip());
        let is_proxied = ip.is_some_and(|ip| self.proxies.is_trusted(ip));
        let may_be_ours =
            self.auth == AuthMode::Local && !is_proxied && !names::is_of_browser(&head.headers);
        Ok(match peer(head).filter(|_| may_be_ours) {
            Some(peer) if is_same_user(peer.clone()).await => Who::operator(Way::Local),
            _ => Who::Stranger,
        })
    }

    async fn with_token(&self, shown: &str) -> Result<Who, ApiError> {
        if self.token.is(shown) {
            return Ok(Who::operator(Way::ServerToken));
        }
        Ok(match self.grants.token(shown).await? {
            Some((who, shown)) => Who::Known(Visitor { who, shown: Some(Revoked::Grant(shown)) }),
            None => Who::Guessing(ApiError::unknown_token()),
        })
    }

    async fn signed_in(&self, head: &Parts, cookie: &str) -> Result<Who, ApiError> {
        // A session is good where people sign in as its user did, and nowhere else.
        let Some(sign_in) = &self.sign_in else { return Ok(wrong_cookie()) };
        Ok(match self.grants.session(cookie, sign_in.realm()).await? {
            Some((who, shown, key)) => {
                match is_for_page(head) || sessions::is_key(&key, &head.headers) {
                    true => Who::Known(Visitor { who, shown: Some(Revoked::Grant(shown)) }),
                    false => Who::Stranger,
                }
            }
            None => wrong_cookie(),
        })
    }

    async fn with_link(&self, head: &Parts, cookie: &str) -> Result<Who, ApiError> {
        Ok(match self.browser(cookie).await? {
            Some((shown, key)) if is_for_page(head) || sessions::is_key(&key, &head.headers) => {
                let who = Identity::operator(Way::Link);
                Who::Known(Visitor { who, shown: Some(shown) })
            }
            // Somebody who came by a cookie, and not the page it was given to.
            Some(_) => Who::Stranger,
            None => wrong_cookie(),
        })
    }

    /// Whether somebody may come in at another port, whose protocol has a place of its own for the token.
    pub(crate) async fn admit(
        &self,
        peer: &Arc<Peer>,
        head: &Parts,
        shown: Option<&str>,
    ) -> Result<(), ApiError> {
        let record = Record::of_question(self.from(Some(peer), head), head);
        let entered = self.entered(peer, head, shown).await;
        if let Ok(who) = &entered {
            record.is_by(who);
        }
        let entered = entered.and_then(|who| who.require(Scope::Ask));
        let status = entered.as_ref().map_or_else(ApiError::status, |()| StatusCode::OK);
        record.asked(status, &Done::default());
        entered
    }

    async fn entered(
        &self,
        peer: &Arc<Peer>,
        head: &Parts,
        shown: Option<&str>,
    ) -> Result<Identity, ApiError> {
        if let Some(shown) = shown {
            return match self.with_token(shown).await? {
                Who::Known(visitor) => Ok(visitor.who),
                _ => Err(self.guessed(ApiError::unknown_token())),
            };
        }
        let may_be_ours = self.auth == AuthMode::Local
            && !names::is_of_browser(&head.headers)
            && names::is_of_machine(head);
        match may_be_ours && is_same_user(peer.clone()).await {
            true => Ok(Identity::operator(Way::Local)),
            false => Err(ApiError::unauthorized()),
        }
    }
}

/// A cookie is nothing that its browser's user could mend: they come in anew.
fn wrong_cookie() -> Who {
    Who::Guessing(ApiError::unauthorized())
}

/// Looking it up reads files of the kernel's: whoever else is served does not wait for that.
async fn is_same_user(peer: Arc<Peer>) -> bool {
    tokio::task::spawn_blocking(move || peer.is_same_user()).await.unwrap_or(false)
}
