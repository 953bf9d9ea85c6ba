//! [`Asker`]: the service as somebody has it who asks: with the conversations that are theirs, and no others.

use std::ops::Deref;

use axum::extract::FromRequestParts;
use http::request::Parts;
use toolwright_app::{RunOverrides, Session};
use toolwright_core::ConversationId;
use toolwright_store::Store;

use super::{Identity, Record};
use crate::{ApiError, server::Service};

/// The service as somebody has it who asks. Routes about conversations take this and not the service itself: so none
/// can forget to ask whose they are.
#[derive(Clone)]
pub(crate) struct Asker {
    service: Service,
    who: Identity,
    record: Record,
}

impl Asker {
    /// Who asks.
    pub(crate) fn who(&self) -> &Identity {
        &self.who
    }

    /// What is told of this request.
    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// The log as they see it.
    pub(crate) fn store(&self) -> Store {
        self.service.store_for(&self.who)
    }

    /// The agent for what is wished, whose conversations are theirs.
    pub(crate) fn session(&self, wish: &RunOverrides) -> Result<Session, ApiError> {
        Ok(self.own(&self.service.host().session(wish)?))
    }

    /// The same agent, whose conversations are theirs.
    pub(crate) fn own(&self, session: &Session) -> Session {
        Session::new(session.agent().clone(), self.store())
    }

    /// Refuses a conversation that is somebody else's, as one that is not there. Where all are one's own, nothing
    /// is looked up.
    pub(crate) async fn check(&self, id: &ConversationId) -> Result<(), ApiError> {
        if self.who.is_admin() {
            return Ok(());
        }
        crate::routes::exact(self, id.as_str()).await.map(drop)
    }
}

impl Deref for Asker {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

impl FromRequestParts<Service> for Asker {
    type Rejection = ApiError;

    async fn from_request_parts(head: &mut Parts, service: &Service) -> Result<Self, ApiError> {
        let who = Identity::from_request_parts(head, service).await?;
        let record = Record::from_request_parts(head, service).await?;
        Ok(Self { service: service.clone(), who, record })
    }
}

impl Service {
    /// The log as somebody sees it: all of it where they may do everything, and else what is theirs.
    pub(crate) fn store_for(&self, who: &Identity) -> Store {
        let store = self.host().store();
        match &who.owner {
            Some(owner) if who.is_admin() => store.beginning_for(owner),
            Some(owner) => store.of(owner),
            None if who.is_admin() => store.clone(),
            // Nobody's are shown to those alone who may see everything.
            None => store.of(""),
        }
    }
}
