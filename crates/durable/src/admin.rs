//! [`Admin`]: Restate, as whoever looks after it sees it: its version, and where workers are.

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolwright_core::Fault;
use toolwright_http::HttpSettings;
use toolwright_session::EngineError;
use toolwright_timeout::timeout;

use crate::{
    api::{Answer, Api, Interface},
    object::NAME,
    seen::Seen,
    sentence::unserved,
};

/// The versions of Restate that this was made for: from, and before.
const FROM: (u64, u64) = (1, 7);
const BEFORE: u64 = 2;
/// How long Restate may take to ask a worker what it offers, which takes milliseconds: less than what Restate itself may
/// take, so that the one is not taken for the other.
const SILENCE: Duration = Duration::from_secs(10);
/// At how many addresses that were registered before it is looked for workers.
const MOST_LOOKED_AT: usize = 8;
/// What Restate says where it could not ask a worker.
const NOBODY: &str = "META0003";
/// What it says where somebody is there who is no worker of anybody's: what answers cannot be read, or is no HTTP/2.
const STRANGERS: [&str; 2] = ["META0013", "META0014"];
/// What to do about a balancer that has nobody to send to.
const UNSERVED: &str = "start workers, or see why the balancer takes those that run for ill: it asks /health over HTTP/2, as in \
     deploy/haproxy.cfg, at the addresses that it knows";
/// What a server answers, and a worker does not.
const LIVE: &str = "api/health/live";
/// How long it is looked for one: Restate's machine may reach what this one does not.
const GLANCE: Duration = Duration::from_secs(2);

/// Restate, as whoever looks after it sees it.
#[derive(Clone, Debug)]
pub struct Admin {
    pub(crate) api: Api,
    /// Where it takes calls in: one is taken for the other now and then.
    pub(crate) ingress: Api,
    /// With which it is looked who is at an address that Restate does not take.
    pub(crate) http: HttpSettings,
}

/// What registering a worker did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The deployment, as Restate names it.
    pub deployment: String,
    /// What became of it.
    pub outcome: Registration,
    /// The revision of the service: new work goes to the highest.
    pub revision: Option<u64>,
    /// Where new work went before, where that was elsewhere.
    pub instead_of: Option<String>,
    /// How many conversations go on that Restate had kept for workers elsewhere, which are gone.
    pub handed_on: usize,
}

/// What became of an address that was registered. New work goes there in each case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registration {
    /// It was not known before.
    New,
    /// What workers there offer was read anew: that was wanted, or new work went elsewhere.
    Renewed,
    /// Nothing changed.
    Known,
}

/// A deployment, as Restate answers for it.
struct Deployed {
    id: String,
    is_created: bool,
    revision: Option<u64>,
}

impl Admin {
    /// Which version Restate has.
    ///
    /// # Errors
    /// When it does not answer, is something else, or one that this was not made for.
    pub async fn version(&self) -> Result<String, EngineError> {
        match self.api.see().await? {
            Seen::Admin(version) if is_known(&version) => Ok(version),
            Seen::Admin(version) => Err(self.wrong_version(&version)),
            seen => Err(self.api.mistaken(&seen, Some(&self.ingress)).await),
        }
    }

    /// Tells Restate where workers are, so that new work goes there; the same again changes nothing. With `force` what
    /// they offer is read anew, and what was set about them in Restate is lost. So it is where the address was
    /// known and new work went elsewhere meanwhile: Restate has no other way back.
    ///
    /// # Errors
    /// When Restate does not answer, cannot reach a worker there, or does not take it.
    pub async fn register(&self, uri: &str, force: bool) -> Result<Registered, EngineError> {
        self.version().await?;
        let before = self.current().await?;
        let mut deployed = self.deploy(uri, force).await?;
        let mut is_forced = force;
        if !deployed.is_created && !force && self.current().await?.as_ref() != Some(&deployed.id) {
            deployed = self.deploy(uri, true).await?;
            is_forced = true;
        }
        let outcome = match (deployed.is_created, is_forced) {
            (true, _) => Registration::New,
            (false, true) => Registration::Renewed,
            (false, false) => Registration::Known,
        };
        let instead_of = match before.filter(|it| *it != deployed.id) {
            // It may have been taken away meanwhile: then nobody needs to know.
            Some(before) => self.uri(&before).await.ok(),
            None => None,
        };
        let Deployed { id: deployment, revision, .. } = deployed;
        // The address is registered, whatever becomes of this; workers and servers try it, too.
        let handed_on = self.hand_on().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "whether anything is kept for workers that are gone could not be seen");
            0
        });
        Ok(Registered { deployment, outcome, revision, instead_of, handed_on })
    }

    /// Where Restate sends what is to be driven: the deployment that new work goes to. None where no worker
    /// was ever registered.
    ///
    /// # Errors
    /// When Restate does not answer.
    pub async fn registered(&self) -> Result<Option<String>, EngineError> {
        match self.current().await? {
            Some(id) => self.uri(&id).await.map(Some),
            None => Ok(None),
        }
    }

    /// Where workers answer, of the addresses that were registered and that new work does not go to any more.
    ///
    /// # Errors
    /// When Restate does not answer, or does not tell.
    pub async fn elsewhere(&self) -> Result<Option<String>, EngineError> {
        let current = self.current().await?;
        let answer = self.api.get("deployments").await?;
        let all = answer.body.get("deployments").and_then(Value::as_array);
        let all = all.ok_or_else(|| self.api.strange(&answer))?;
        let is_other = |it: &&Value| it.get("id").and_then(Value::as_str) != current.as_deref();
        let uris =
            all.iter().filter(is_other).filter_map(|it| it.get("uri").and_then(Value::as_str));
        // All at once: one where somebody is frozen takes ten seconds.
        let mut looks: JoinSet<_> = uris
            .take(MOST_LOOKED_AT)
            .map(|uri| (self.clone(), uri.trim_end_matches('/').to_owned()))
            .map(async |(this, uri)| this.reaches(&uri).await.is_ok().then_some(uri))
            .collect();
        while let Some(look) = looks.join_next().await {
            if let Ok(Some(uri)) = look {
                return Ok(Some(uri));
            }
        }
        Ok(None)
    }

    /// Has Restate ask whether a worker is there, from where it is; nothing changes.
    ///
    /// # Errors
    /// When Restate does not answer, or finds no worker there.
    pub async fn reaches(&self, uri: &str) -> Result<(), EngineError> {
        let asked = json!({ "uri": uri, "force": true, "dry_run": true });
        let answer = self.have_asked(uri, &asked).await?;
        match answer.status.is_success() {
            true => self.offered(uri, &answer).map(drop),
            false => Err(self.refused(uri, &answer).await),
        }
    }

    /// Whether no worker is at an address any more, as Restate finds it: nobody, somebody else, or somebody who says
    /// nothing while Restate itself is well.
    pub(crate) async fn is_gone(&self, uri: &str) -> Result<bool, EngineError> {
        let asked = json!({ "uri": uri, "force": true, "dry_run": true });
        match timeout(SILENCE, self.api.post("deployments", &asked)).await {
            Ok(answer) => {
                let answer = answer?;
                let code = answer.code();
                let is_nobody = code == NOBODY || STRANGERS.contains(&code);
                Ok(is_nobody || answer.status.is_success() && self.offered(uri, &answer).is_err())
            }
            Err(_) => self.version().await.map(|_| true),
        }
    }

    async fn deploy(&self, uri: &str, force: bool) -> Result<Deployed, EngineError> {
        let answer = self.have_asked(uri, &json!({ "uri": uri, "force": force })).await?;
        match answer.status.is_success() {
            true => self.offered(uri, &answer),
            false => Err(self.refused(uri, &answer).await),
        }
    }

    /// Has Restate ask a worker what it offers. Where that takes long Restate is well, and waits for the worker.
    async fn have_asked(&self, uri: &str, how: &Value) -> Result<Answer, EngineError> {
        let asked = timeout(SILENCE, self.api.post("deployments", how)).await;
        asked.unwrap_or_else(|_| Err(silent(uri)))
    }

    /// What a worker offers, where what answers is one.
    fn offered(&self, uri: &str, answer: &Answer) -> Result<Deployed, EngineError> {
        let id = answer.body.get("id").and_then(Value::as_str);
        let services = answer.body.get("services").and_then(Value::as_array);
        let service = services.and_then(|all| all.iter().find(|it| it["name"] == NAME));
        let (Some(id), Some(service)) = (id, service) else {
            let at = self.api.shown();
            return Err(EngineError::new(format!(
                "what Restate at {at} finds at {uri} is no worker of Toolwright's: it offers no conversations"
            ))
            .with_advice("take it out of Restate again, and register the address of workers")
            .of_fault(Fault::Usage));
        };
        Ok(Deployed {
            id: id.to_owned(),
            is_created: answer.status == StatusCode::CREATED,
            revision: service.get("revision").and_then(Value::as_u64),
        })
    }

    /// The deployment that new work goes to.
    pub(crate) async fn current(&self) -> Result<Option<String>, EngineError> {
        let answer = self.api.get(&format!("services/{NAME}")).await?;
        match answer.status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND if !answer.said().is_empty() => return Ok(None),
            _ => return Err(self.api.strange(&answer)),
        }
        let id = answer.body.get("deployment_id").and_then(Value::as_str);
        id.map(|it| Some(it.to_owned())).ok_or_else(|| self.api.strange(&answer))
    }

    async fn uri(&self, deployment: &str) -> Result<String, EngineError> {
        let answer = self.api.get(&format!("deployments/{deployment}")).await?;
        self.uri_of(&answer)
    }

    pub(crate) fn uri_of(&self, answer: &Answer) -> Result<String, EngineError> {
        let uri = answer.body.get("uri").and_then(Value::as_str);
        let uri = uri.map(|it| it.trim_end_matches('/').to_owned());
        uri.ok_or_else(|| self.api.strange(answer))
    }

    fn wrong_version(&self, version: &str) -> EngineError {
        let (at, (major, minor)) = (self.api.shown(), FROM);
        EngineError::new(format!(
            "Restate at {at} has version {version}; this program works with {major}.{minor} and later \
             ones before {BEFORE}"
        ))
        .with_advice(format!("run a restate-server of version {major}.{minor} or later, before {BEFORE}"))
        .of_fault(Fault::NotConfigured)
    }

    /// Whether a server is there, as far as that can be seen from here.
    async fn is_server(&self, uri: &str) -> bool {
        let Ok(there) = Api::new(Interface::Ingress, uri, &self.http) else { return false };
        match timeout(GLANCE, there.get(LIVE)).await {
            Ok(Ok(said)) => {
                said.status == StatusCode::OK
                    && !said.is_called
                    && said.body.get("status").is_some_and(|it| it == "ok")
            }
            _ => false,
        }
    }

    async fn refused(&self, uri: &str, answer: &Answer) -> EngineError {
        let said = answer.said();
        let code = answer.code();
        let error = |what: &str| EngineError::new(format!("{what} {uri}: {said}"));
        if !code.is_empty() && self.is_server(uri).await {
            return EngineError::new(format!(
                "a server answers at {uri}, and not a worker: Restate calls workers alone"
            ))
            .with_advice(
                "start `toolwright worker`, and register its address: port 9080 unless it was changed",
            )
            .of_fault(Fault::Usage);
        }
        if let (NOBODY, Some(status)) = (code, unserved(&said)) {
            let says = format!(
                "what stands before the workers at {uri} has no healthy worker: it answers {status}"
            );
            return EngineError::new(says).with_advice(UNSERVED);
        }
        match code {
            // It could not ask the worker what it offers.
            NOBODY => error("Restate cannot ask the worker at").with_advice(
                "the worker must listen already, at an address that Restate's machine reaches: \
                 127.0.0.1 in a container is the container itself",
            ),
            code if STRANGERS.contains(&code) => EngineError::new(format!(
                "what answers Restate at {uri} is no worker: {said}"
            ))
            .with_advice(
                "register the address of a worker, or of what stands before workers and passes HTTP/2 on (docs/scaling.md)",
            )
            .of_fault(Fault::Usage),
            "" if answer.status == StatusCode::BAD_REQUEST => {
                error("Restate does not take the address")
                    .with_advice("give a whole address, such as http://workers:9080")
                    .of_fault(Fault::Usage)
            }
            "" => self.api.strange(answer),
            // What is registered and what is offered now do not go together.
            _ => error("Restate does not take the worker at")
                .with_advice(
                    "workers of another version want an address of their own; while developing, --force reads \
                     them anew in place",
                )
                .of_fault(Fault::Usage),
        }
    }
}

/// Somebody is there, and says nothing.
fn silent(uri: &str) -> EngineError {
    let seconds = SILENCE.as_secs();
    EngineError::new(format!(
        "whoever is at {uri} takes connections and says nothing for {seconds} seconds: a worker that is frozen (SIGSTOP, a \
         debugger, a machine that was paused), or something else"
    ))
    .with_advice(
        "have it go on (`kill -CONT`), or end it and start another: what it had is taken over after engine.grace",
    )
}

fn is_known(version: &str) -> bool {
    let mut parts = version.split(['.', '-', '+']).map_while(|it| it.parse::<u64>().ok());
    let (Some(major), Some(minor)) = (parts.next(), parts.next()) else { return false };
    (major, minor) >= FROM && major < BEFORE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_known_from_one_seven_on() {
        for version in ["1.7.0", "1.7.12", "1.8.0-dev", "1.10.3+build"] {
            assert!(is_known(version), "{version}");
        }
        for version in ["1.6.9", "0.9.0", "2.0.0", "2.0.0-rc.1", "1", "next", ""] {
            assert!(!is_known(version), "{version}");
        }
    }
}
