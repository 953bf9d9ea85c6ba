//! [`Identity`]: who asks, and what they may do.

use std::{fmt, str::FromStr, sync::Arc};

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::{ApiError, server::Service};

/// Something that somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Asks, watches, stops, renames, deletes and exports, in conversations of their own.
    Ask,
    /// Decides about calls and answers questions of tools, in conversations of their own.
    Decide,
    /// Everything, in everybody's conversations.
    Admin,
}

impl Scope {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Ask, Self::Decide, Self::Admin];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Decide => "decide",
            Self::Admin => "admin",
        }
    }
}

/// What somebody may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes(u8);

impl Scopes {
    /// Everything.
    pub const ADMIN: Self = Self(0b111);

    /// Whether this is among it. Who may do everything may do this.
    pub fn has(self, scope: Scope) -> bool {
        self.0 & bit(scope) != 0 || self.0 & bit(Scope::Admin) != 0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in either.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The words for it.
    pub fn names(self) -> Vec<&'static str> {
        let all = Scope::ALL.into_iter();
        all.filter(|scope| self.0 & bit(*scope) != 0).map(Scope::name).collect()
    }

    /// What these words say.
    ///
    /// # Errors
    /// The first word that says nothing.
    pub fn of<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> Result<Self, String> {
        words.into_iter().try_fold(Self::default(), |all, word| {
            let word = word.as_ref().trim();
            let scope = Scope::ALL.into_iter().find(|scope| scope.name() == word);
            scope.map(|scope| Self(all.0 | bit(scope))).ok_or_else(|| word.to_owned())
        })
    }
}

fn bit(scope: Scope) -> u8 {
    match scope {
        Scope::Ask => 1,
        Scope::Decide => 1 << 1,
        Scope::Admin => 1 << 2,
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(","))
    }
}

impl FromStr for Scopes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match Self::of(text.split(',')) {
            Ok(scopes) => Ok(scopes),
            Err(word) => Err(format!("`{word}` is no scope: use ask, decide or admin")),
        }
    }
}

/// By which way somebody came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// A program of this server's own user.
    Local,
    /// The server's own token.
    ServerToken,
    /// A browser that followed a link.
    Link,
    /// A token with a name.
    Token,
    /// A proxy says who it is.
    Header,
    /// An identity provider said who it is.
    Oidc,
}

impl Way {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::ServerToken => "server_token",
            Self::Link => "link",
            Self::Token => "token",
            Self::Header => "header",
            Self::Oidc => "oidc",
        }
    }
}

/// Who asks, and what they may do. The gate puts it into every request that it lets in.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// What they are called by people.
    pub(crate) name: Arc<str>,
    /// Whose their conversations are. Nobody's where there are no several people: then all are everybody's.
    pub(crate) owner: Option<Arc<str>>,
    pub(crate) scopes: Scopes,
    pub(crate) way: Way,
}

impl Identity {
    /// The one whose server it is.
    pub(super) fn operator(way: Way) -> Self {
        let name = match way {
            Way::Link => "a browser with a link",
            Way::ServerToken => "the server's token",
            _ => "the server's user",
        };
        Self { name: name.into(), owner: None, scopes: Scopes::ADMIN, way }
    }

    /// Refuses who may not do this.
    pub(crate) fn require(&self, scope: Scope) -> Result<(), ApiError> {
        match self.scopes.has(scope) {
            true => Ok(()),
            false => Err(ApiError::scope(scope)),
        }
    }

    /// Whether what belongs to this owner is theirs.
    pub(crate) fn is_owner(&self, owner: &str) -> bool {
        self.owner.as_deref() == Some(owner)
    }

    /// Whether they see everybody's conversations.
    pub(crate) fn is_admin(&self) -> bool {
        self.scopes.has(Scope::Admin)
    }
}

impl FromRequestParts<Service> for Identity {
    type Rejection = ApiError;

    async fn from_request_parts(head: &mut Parts, _: &Service) -> Result<Self, ApiError> {
        head.extensions.get::<Self>().cloned().ok_or_else(ApiError::unauthorized)
    }
}
