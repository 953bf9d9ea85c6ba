//! [`NamedTokens`] and [`SignedInBrowsers`]: what lets people in by the database, as whoever runs the servers sees it.

use std::{fmt, time::Duration};

use toolwright_core::{Timestamp, is_hidden};
use toolwright_store::{
    ConversationPage, ConversationStatus, ConversationSummary, Grant, GrantKind, Instructed,
    Instruction, Store, StoreError,
};

use super::{
    Scopes,
    grants::{FRESH, Holder, PREFIX, later, now},
    secret::{digest, random},
};

/// A token with a name, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedToken {
    /// What it is called.
    pub name: String,
    /// Whose the conversations are that are begun with it.
    pub owner: String,
    /// What it may do.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to ten minutes.
    pub used_at: Option<Timestamp>,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// A token that is to be made.
#[derive(Clone, Debug, Default)]
pub struct NewToken {
    /// What it is called.
    pub name: String,
    /// What it may do.
    pub scopes: Scopes,
    /// The person whose conversations it is for; those that are begun with it are its own where nobody is named.
    pub person: Option<String>,
    /// How long it is good; for ever where nothing is said.
    pub life: Option<Duration>,
    /// Whether it may have the conversations of an earlier token of that name.
    pub take_over: bool,
}

/// What became of a token that was to be made. The token itself is not printed.
pub enum AddedToken {
    /// It was made, and this is it: the only time that anybody says it.
    Made(String),
    /// There is one of that name.
    Taken,
    /// There was one of that name, and its conversations are still there: whoever has the new one would have them.
    Known,
}

impl fmt::Debug for AddedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Made(_) => "Made([hidden])",
            Self::Taken => "Taken",
            Self::Known => "Known",
        })
    }
}

/// The tokens with names that a log's servers know.
pub struct NamedTokens(Store);

/// How long a name may be.
const NAME: usize = 64;
/// How many conversations are looked at, at a time.
const PAGE: usize = 200;

impl NamedTokens {
    /// Those that are kept beside this log.
    pub fn of(store: &Store) -> Self {
        Self(store.clone())
    }

    /// After how long a token that was removed is refused by every server.
    pub const NOTICED: Duration = FRESH;

    /// Makes one.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub async fn add(&self, wanted: &NewToken) -> Result<AddedToken, StoreError> {
        self.0.tidy_grants(now()).await?;
        let secret = format!("{PREFIX}{}", random());
        let NewToken { name, scopes, person, life, take_over } = wanted;
        let own = format!("token:{name}");
        let is_known =
            person.is_none() && !take_over && !self.0.of(&own).owners().await?.is_empty();
        let owner = person.as_deref().map_or(own, Self::owner_for);
        let scopes = scopes.to_string();
        let holder = Holder {
            name: name.clone(),
            owner: owner.clone(),
            scopes: scopes.clone(),
            realm: None,
            key: None,
        };
        let at = now();
        let grant = Grant {
            kind: GrantKind::Token,
            name: name.clone(),
            digest: digest(&secret),
            body: serde_json::to_string(&holder).unwrap_or_default(),
            created_at: at,
            used_at: at,
            expires_at: life.map(later),
        };
        let names = self.0.grants(GrantKind::Token).await?;
        if names.iter().any(|it| it.name == *name) {
            return Ok(AddedToken::Taken);
        }
        if is_known {
            return Ok(AddedToken::Known);
        }
        if !self.0.put_grant(&grant).await? {
            return Ok(AddedToken::Taken);
        }
        let expires_at = grant.expires_at.map(|it| it.0);
        let token = grant.name.as_str();
        tracing::info!(
            target: "audit", action = "token_add", token, owner, scopes, expires_at, take_over, "done"
        );
        Ok(AddedToken::Made(secret))
    }

    /// Whose the conversations of a person are, by whichever way they come in. Mail addresses are the same in whatever
    /// case they are written; of other letters than those of ASCII nobody says which are alike.
    pub(super) fn owner_for(person: &str) -> String {
        match person.contains('@') {
            true => format!("user:{}", person.to_ascii_lowercase()),
            false => format!("user:{person}"),
        }
    }

    /// All that are good, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<NamedToken>, StoreError> {
        let now = now();
        let all = self.0.grants(GrantKind::Token).await?.into_iter();
        let good = all.filter(|it| it.is_current(now)).filter_map(|grant| {
            let holder: Holder = serde_json::from_str(&grant.body).ok()?;
            Some(NamedToken {
                name: grant.name,
                owner: holder.owner,
                scopes: holder.scopes.parse().ok()?,
                created_at: grant.created_at,
                used_at: Some(grant.used_at).filter(|it| *it != grant.created_at),
                expires_at: grant.expires_at,
            })
        });
        Ok(good.collect())
    }

    /// Removes one, and says whose conversations it was for; nothing where there is none of that name. What was begun
    /// with it goes on: [`NamedTokens::stop_runs_of`].
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn remove(&self, name: &str) -> Result<Option<String>, StoreError> {
        let all = self.0.grants(GrantKind::Token).await?;
        let body = all.into_iter().find(|it| it.name == name).map(|it| it.body);
        let holder = body.and_then(|it| serde_json::from_str::<Holder>(&it).ok());
        if !self.0.remove_grant(GrantKind::Token, name).await? {
            return Ok(None);
        }
        let owner = holder.map_or_else(|| format!("token:{name}"), |it| it.owner);
        tracing::info!(target: "audit", action = "token_remove", token = name, owner, "done");
        Ok(Some(owner))
    }

    /// Has the runs stopped that go on in somebody's conversations, whoever drives them, and says how many there were.
    /// Only who shares the log with others hears of it.
    ///
    /// # Errors
    /// When they cannot be found or told.
    pub async fn stop_runs_of(&self, owner: &str) -> Result<usize, StoreError> {
        let store = self.0.of(owner);
        let (mut stopped, mut before) = (0, None);
        loop {
            let page = store.list(&ConversationPage { before, limit: PAGE }).await?;
            for it in page.iter().filter(|it| it.state != ConversationStatus::Idle) {
                let Some(open) = store.open_run(&it.id).await? else { continue };
                let run = open.run.id().clone();
                let told = store.instruct(&it.id, &run, &Instruction::Stop).await?;
                if told == Instructed::Taken {
                    let (conversation, run) = (it.id.as_str(), run.as_str());
                    tracing::info!(target: "audit", action = "stop", owner, conversation, run, "done");
                    stopped += 1;
                }
            }
            before = page.last().filter(|_| page.len() == PAGE).map(ConversationSummary::cursor);
            if before.is_none() {
                return Ok(stopped);
            }
        }
    }

    /// Whether a token, or a person, can be called so.
    pub fn is_name(name: &str) -> bool {
        let is_plain = |it: char| !it.is_control() && !it.is_whitespace() && !is_hidden(it);
        !name.is_empty() && name.chars().count() <= NAME && name.chars().all(is_plain)
    }
}

/// A browser that is signed in, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedInBrowser {
    /// What it is called by.
    pub id: String,
    /// Who signed in with it.
    pub name: String,
    /// Whose their conversations are.
    pub owner: String,
    /// When they did.
    pub created_at: Timestamp,
    /// When it was last here, to ten minutes.
    pub used_at: Timestamp,
}

/// The browsers that are signed in at a log's servers.
pub struct SignedInBrowsers(Store);

impl SignedInBrowsers {
    /// Those that are kept beside this log.
    pub fn of(store: &Store) -> Self {
        Self(store.clone())
    }

    /// All that are signed in.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<SignedInBrowser>, StoreError> {
        let now = now();
        let all = self.0.grants(GrantKind::Session).await?.into_iter();
        let good = all.filter(|it| it.is_current(now)).filter_map(|grant| {
            let Holder { name, owner, .. } = serde_json::from_str(&grant.body).ok()?;
            let (created_at, used_at) = (grant.created_at, grant.used_at);
            Some(SignedInBrowser { id: grant.name, name, owner, created_at, used_at })
        });
        Ok(good.collect())
    }

    /// Signs one out, within seconds at every server; whether it was signed in.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn revoke(&self, id: &str) -> Result<bool, StoreError> {
        let was_there = self.0.remove_grant(GrantKind::Session, id).await?;
        if was_there {
            tracing::info!(target: "audit", action = "session_revoke", session = id, "done");
        }
        Ok(was_there)
    }
}
