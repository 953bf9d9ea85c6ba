//! [`Seen`]: who answers at an address, where one of Restate's two interfaces was expected.
//!
//! Many programs answer a health check with a yes: a worker does, too. So Restate is known by what only it says.

use serde_json::Value;
use toolwright_core::Fault;
use toolwright_session::EngineError;

use crate::api::{Answer, Api, Interface, is_passing};

/// Who answers at an address.
#[derive(Debug)]
pub(crate) enum Seen {
    /// Restate, where it takes calls in.
    Ingress,
    /// Restate, where it is looked after, with its version.
    Admin(String),
    /// Somebody whom Restate calls.
    Worker,
    /// Somebody else, who said this.
    Other(Answer),
}

impl Api {
    /// Looks who answers.
    pub(crate) async fn see(&self) -> Result<Seen, EngineError> {
        let own = self.get(self.interface().path()).await?;
        if own.is_called {
            return Ok(Seen::Worker);
        }
        if let Some(seen) = self.interface().seen(&own) {
            return Ok(seen);
        }
        // Whoever it is may say in a moment.
        if is_passing(own.status) {
            return Err(self.strange(&own));
        }
        let other = self.interface().other();
        let answer = self.get(other.path()).await?;
        if answer.is_called {
            return Ok(Seen::Worker);
        }
        Ok(other.seen(&answer).unwrap_or(Seen::Other(own)))
    }

    /// What is wrong where somebody else answers than should: the two may have been taken for each other.
    pub(crate) async fn mistaken(&self, seen: &Seen, other: Option<&Self>) -> EngineError {
        match seen {
            Seen::Worker => return self.is_worker(),
            Seen::Other(answer) => return self.is_another(answer),
            Seen::Ingress | Seen::Admin(_) => {}
        }
        let is_swapped = match other {
            Some(other) => matches!(
                (other.see().await, self.interface()),
                (Ok(Seen::Ingress), Interface::Ingress) | (Ok(Seen::Admin(_)), Interface::Admin)
            ),
            None => false,
        };
        match other.filter(|_| is_swapped) {
            Some(other) => self.swapped(other),
            None => self.is_the_other(),
        }
    }

    fn swapped(&self, other: &Self) -> EngineError {
        let (ours, theirs) = (self.interface(), other.interface());
        EngineError::new(format!(
            "{} and {} are swapped: at {} Restate {}, and at {} it {}",
            ours.setting(),
            theirs.setting(),
            self.shown(),
            theirs.does(),
            other.shown(),
            ours.does(),
        ))
        .with_advice(format!(
            "set {} to {} and {} to {}, or {} and {} in the environment",
            ours.setting(),
            other.shown(),
            theirs.setting(),
            self.shown(),
            ours.variable(),
            theirs.variable(),
        ))
        .of_fault(Fault::NotConfigured)
    }

    fn is_the_other(&self) -> EngineError {
        let (ours, at) = (self.interface(), self.shown());
        let (setting, theirs) = (ours.setting(), ours.other());
        EngineError::new(format!(
            "{setting} is {at}, and there Restate {}: that belongs in {}",
            theirs.does(),
            theirs.setting()
        ))
        .with_advice(self.which())
        .of_fault(Fault::NotConfigured)
    }

    fn is_worker(&self) -> EngineError {
        let (setting, at) = (self.interface().setting(), self.shown());
        EngineError::new(format!(
            "{setting} is {at}, and a worker answers there, which Restate calls: it is not Restate"
        ))
        .with_advice(self.which())
        .of_fault(Fault::NotConfigured)
    }

    /// Somebody answered who is not Restate.
    pub(crate) fn is_another(&self, answer: &Answer) -> EngineError {
        let (at, status) = (self.shown(), answer.status.as_u16());
        let how = match answer.is_of_door() {
            true => "and wants to know who asks, as Restate does not",
            false => "and not as Restate does",
        };
        EngineError::new(format!(
            "something else than Restate answers at {at}: it answered with {status}, {how}"
        ))
        .with_advice(self.which())
        .of_fault(Fault::NotConfigured)
    }

    /// Which address is wanted.
    fn which(&self) -> String {
        let ours = self.interface();
        format!(
            "set {}, or {} in the environment, to the port where Restate {}: {} unless it was changed",
            ours.setting(),
            ours.variable(),
            ours.does(),
            ours.usual_port()
        )
    }
}

impl Interface {
    fn other(self) -> Self {
        match self {
            Self::Ingress => Self::Admin,
            Self::Admin => Self::Ingress,
        }
    }

    /// What Restate does there.
    fn does(self) -> &'static str {
        match self {
            Self::Ingress => "takes calls in",
            Self::Admin => "is looked after",
        }
    }

    /// What only Restate answers, and only there.
    fn path(self) -> &'static str {
        match self {
            Self::Ingress => "restate/health",
            Self::Admin => "version",
        }
    }

    fn seen(self, answer: &Answer) -> Option<Seen> {
        if !answer.status.is_success() {
            return None;
        }
        match self {
            Self::Ingress => answer.body.get("services")?.is_array().then_some(Seen::Ingress),
            Self::Admin => {
                let version = answer.body.get("version").and_then(Value::as_str)?;
                Some(Seen::Admin(version.to_owned()))
            }
        }
    }
}
