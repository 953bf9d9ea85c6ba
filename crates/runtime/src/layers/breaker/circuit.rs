//! [`Circuit`]: what is known of a tool's last calls, and whether it is called.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use tokio::time::Instant;
use toolwright_core::{ContextKey, policy::CircuitBreaker};

use super::outcomes::{Outcomes, Record};
use crate::layers::later;

/// What is known of a tool's last calls, and whether it is called: for one account, or for all.
pub(super) struct Circuit {
    policy: CircuitBreaker,
    reach: Reach,
    state: Mutex<State>,
    /// How many circuits of the toolbox are open: asked before every round, and mostly none is.
    open: Arc<AtomicUsize>,
}

struct State {
    phase: Phase,
    /// Changes with the phase: what a call from before says is about a tool as it was then.
    epoch: u64,
}

enum Phase {
    /// The tool is called.
    Closed(Outcomes),
    /// It is not, until then; after that one call may try.
    Open { until: Instant, record: Record },
    /// One call tries.
    Probing { record: Record },
}

/// Whose calls a circuit is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// One account's.
    Account,
    /// Everybody's. What fails for one account only is that account's trouble.
    Everybody,
}

/// Whether a call may be made.
pub(super) enum Admission<T> {
    Call(T),
    /// This one tries whether the tool works again.
    Probe(T),
    /// Why not, to be read after the tool's name.
    Refused(String),
}

/// A call that may be made, until it says how it ended. One that is dropped before, because the
/// run was cancelled, says nothing; if it was to try the tool, the next call does.
pub(super) struct Ticket {
    circuit: Arc<Circuit>,
    epoch: u64,
}

/// What changed with the end of a call.
pub(super) enum News {
    /// The tool is off from now on, for this reason.
    Opened(String),
    Closed,
}

impl Circuit {
    pub(super) fn new(policy: CircuitBreaker, reach: Reach, open: Arc<AtomicUsize>) -> Self {
        let state = State { phase: Phase::Closed(Outcomes::default()), epoch: 0 };
        Self { policy, reach, state: Mutex::new(state), open }
    }

    /// Why the tool is not called, while it is off. To be read after its name.
    pub(super) fn off(&self) -> Option<String> {
        match self.lock().phase {
            Phase::Open { until, record } if until > Instant::now() => Some(off(record, until)),
            _ => None,
        }
    }

    pub(super) fn admit(self: &Arc<Self>) -> Admission<Ticket> {
        let mut state = self.lock();
        match state.phase {
            Phase::Closed(_) => Admission::Call(self.ticket(&state)),
            Phase::Open { until, record } if until > Instant::now() => {
                Admission::Refused(off(record, until))
            }
            Phase::Open { record, .. } => {
                self.go_to(&mut state, Phase::Probing { record });
                Admission::Probe(self.ticket(&state))
            }
            Phase::Probing { record } => {
                let text = "and another call is just trying whether it works again";
                Admission::Refused(format!("{} {text}", kept_failing(record)))
            }
        }
    }

    fn ticket(self: &Arc<Self>, state: &State) -> Ticket {
        Ticket { circuit: self.clone(), epoch: state.epoch }
    }

    fn open(&self, state: &mut State, record: Record) -> News {
        let until = later(Instant::now(), self.policy.cooldown);
        self.go_to(state, Phase::Open { until, record });
        let rest = toolwright_duration::ahead(self.policy.cooldown);
        News::Opened(format!("{} and is switched off for {rest}", kept_failing(record)))
    }

    fn go_to(&self, state: &mut State, phase: Phase) {
        match (&state.phase, &phase) {
            (Phase::Open { .. }, _) => self.open.fetch_sub(1, Relaxed),
            (_, Phase::Open { .. }) => self.open.fetch_add(1, Relaxed),
            _ => 0,
        };
        state.phase = phase;
        state.epoch += 1;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is made in one step, so it is whole even after a panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Circuit {
    /// One that is forgotten is open no longer.
    fn drop(&mut self) {
        if matches!(self.lock().phase, Phase::Open { .. }) {
            self.open.fetch_sub(1, Relaxed);
        }
    }
}

impl Ticket {
    pub(super) fn worked(self) -> Option<News> {
        let circuit = &*self.circuit;
        let mut state = self.current()?;
        match &mut state.phase {
            Phase::Closed(outcomes) => {
                outcomes.worked(&circuit.policy);
                None
            }
            _ => {
                circuit.go_to(&mut state, Phase::Closed(Outcomes::default()));
                Some(News::Closed)
            }
        }
    }

    /// The call failed, for this account.
    pub(super) fn failed(self, account: ContextKey) -> Option<News> {
        let circuit = &*self.circuit;
        let mut state = self.current()?;
        let record = match &mut state.phase {
            Phase::Closed(outcomes) => outcomes.failed(account, &circuit.policy, circuit.reach)?,
            Phase::Open { record, .. } | Phase::Probing { record } => {
                let (failed, of) = (record.failed.saturating_add(1), record.of.saturating_add(1));
                Record { failed, of }
            }
        };
        Some(circuit.open(&mut state, record))
    }

    /// The state, if it is still the one the call was admitted in.
    fn current(&self) -> Option<MutexGuard<'_, State>> {
        let state = self.circuit.lock();
        (state.epoch == self.epoch).then_some(state)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let circuit = &*self.circuit;
        if let Some(mut state) = self.current()
            && let Phase::Probing { record } = state.phase
        {
            circuit.go_to(&mut state, Phase::Open { until: Instant::now(), record });
        }
    }
}

/// To be read after the tool's name.
fn off(record: Record, until: Instant) -> String {
    let left = toolwright_duration::ahead(until.saturating_duration_since(Instant::now()));
    format!("{} and is switched off for {left} more", kept_failing(record))
}

fn kept_failing(record: Record) -> String {
    format!("keeps failing ({} of its last {} calls)", record.failed, record.of)
}
