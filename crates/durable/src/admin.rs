//! [`Admin`]: Restate, as whoever looks after it sees it: its version, and where workers are.

use http::StatusCode;
use serde_json::{Value, json};
use toolwright_core::Fault;
use toolwright_session::EngineError;

use crate::{
    api::{Answer, Api},
    object::NAME,
};

/// The versions of Restate that this was made for: from, and before.
const FROM: (u64, u64) = (1, 7);
const BEFORE: u64 = 2;

/// Restate, as whoever looks after it sees it.
#[derive(Clone, Debug)]
pub struct Admin(pub(crate) Api);

/// What registering a worker did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The deployment, as Restate names it.
    pub deployment: String,
    /// Whether it was not known before, or was read anew.
    pub is_new: bool,
    /// The revision of the service: new work goes to the highest.
    pub revision: Option<u64>,
}

impl Admin {
    /// Which version Restate has.
    ///
    /// # Errors
    /// When it does not answer, or is one that this was not made for.
    pub async fn version(&self) -> Result<String, EngineError> {
        let answer = self.0.get("version").await?;
        let version = answer.body.get("version").and_then(Value::as_str);
        let Some(version) = version.filter(|_| answer.status.is_success()) else {
            return Err(self.0.strange(&answer));
        };
        match is_known(version) {
            true => Ok(version.to_owned()),
            false => Err(self.wrong_version(version)),
        }
    }

    /// Tells Restate where workers are. The same again changes nothing; with `force` what they offer is read anew, and
    /// what was set about them in Restate is lost.
    ///
    /// # Errors
    /// When Restate does not answer, cannot reach a worker there, or does not take it.
    pub async fn register(&self, uri: &str, force: bool) -> Result<Registered, EngineError> {
        let answer = self.0.post("deployments", &json!({ "uri": uri, "force": force })).await?;
        if !answer.status.is_success() {
            return Err(self.refused(uri, &answer));
        }
        let deployment = answer.body.get("id").and_then(Value::as_str);
        let services = answer.body.get("services").and_then(Value::as_array);
        let service = services.and_then(|all| all.iter().find(|it| it["name"] == NAME));
        let (Some(deployment), Some(service)) = (deployment, service) else {
            let what =
                "what answers there is no worker of Toolwright's: it offers no conversations";
            return Err(EngineError::new(format!("{uri} was registered, and {what}"))
                .with_advice("take it out of Restate again, and register the address of workers")
                .of_fault(Fault::Usage));
        };
        Ok(Registered {
            deployment: deployment.to_owned(),
            is_new: answer.status == StatusCode::CREATED || force,
            revision: service.get("revision").and_then(Value::as_u64),
        })
    }

    /// Where Restate sends what is to be driven: the deployment that new work goes to. None where no worker
    /// was ever registered.
    ///
    /// # Errors
    /// When Restate does not answer.
    pub async fn registered(&self) -> Result<Option<String>, EngineError> {
        let answer = self.0.get(&format!("services/{NAME}")).await?;
        match answer.status {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND if !answer.said().is_empty() => return Ok(None),
            _ => return Err(self.0.strange(&answer)),
        }
        let id = answer.body.get("deployment_id").and_then(Value::as_str).unwrap_or_default();
        let answer = self.0.get(&format!("deployments/{id}")).await?;
        let uri = answer.body.get("uri").and_then(Value::as_str);
        uri.map(|it| Some(it.to_owned())).ok_or_else(|| self.0.strange(&answer))
    }

    fn wrong_version(&self, version: &str) -> EngineError {
        let (at, (major, minor)) = (self.0.shown(), FROM);
        EngineError::new(format!(
            "Restate at {at} has version {version}; this program works with {major}.{minor} and later \
             ones before {BEFORE}"
        ))
        .with_advice(format!("run a restate-server of version {major}.{minor} or later"))
        .of_fault(Fault::NotConfigured)
    }

    fn refused(&self, uri: &str, answer: &Answer) -> EngineError {
        let said = answer.said();
        let code = answer.body.get("restate_code").and_then(Value::as_str).unwrap_or_default();
        let error = |what: &str| EngineError::new(format!("{what} {uri}: {said}"));
        match code {
            // It could not ask the worker what it offers.
            "META0003" => error("Restate cannot ask the worker at").with_advice(
                "the worker must listen already, at an address that Restate's machine reaches: \
                 127.0.0.1 in a container is the container itself",
            ),
            "" if answer.status == StatusCode::BAD_REQUEST => {
                error("Restate does not take the address")
                    .with_advice("give a whole address, such as http://workers:9080")
                    .of_fault(Fault::Usage)
            }
            "" => self.0.strange(answer),
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
