//! [`WaitingCall`]: a call that waits for somebody's decision, as whoever does not drive the run reads it off the log.

use super::{CallState, Phase, Run, step::checked};
use crate::{CallId, CallPreview, CheckedCall, Fingerprint, QuestionId, RunId};

/// A call that waits for a decision, in a run or in one within it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WaitingCall<'a> {
    /// The run that makes it.
    pub run: &'a RunId,
    /// The call.
    pub call: CheckedCall,
    /// What it would do, as far as that was told.
    pub preview: &'a CallPreview,
    /// What exactly is decided about.
    pub fingerprint: Fingerprint,
}

impl Run {
    /// How many events there were.
    pub fn events(&self) -> u64 {
        self.seq
    }

    /// The calls that wait for a decision, here and in runs within this one.
    pub fn waiting_calls(&self) -> Vec<WaitingCall<'_>> {
        let mut all: Vec<_> = self
            .undecided()
            .map(|call| WaitingCall {
                run: &self.id,
                call: checked(call),
                preview: &call.preview,
                fingerprint: Fingerprint::of(&call.tool, &call.arguments, &call.preview),
            })
            .collect();
        all.extend(self.within().flat_map(Self::waiting_calls));
        all
    }

    /// The questions that wait for an answer, here and in runs within this one, and the calls that ask them.
    pub fn waiting_questions(&self) -> Vec<(&CallId, &QuestionId)> {
        self.open_questions().chain(self.within().flat_map(Self::waiting_questions)).collect()
    }

    /// Whether nothing goes on in it, as it stands, but that people decide: about its calls, or about those of runs
    /// within it. Whoever goes on with it before they did finds nothing to do.
    pub fn awaits_people(&self) -> bool {
        if self.phase != Phase::Tools {
            return false;
        }
        let rests = |call: &super::OpenCall| match call.state {
            CallState::Proposed => false,
            CallState::Undecided | CallState::Settled(_) => true,
            // It runs once everything is decided.
            CallState::Ready => self.undecided().next().is_some(),
            CallState::Started => call.nested.as_deref().is_some_and(Self::awaits_people),
        };
        let waits = |call: &super::OpenCall| !call.state.is_settled();
        self.open.iter().all(rests) && self.open.iter().any(waits)
    }

    /// The runs within this one that go on.
    fn within(&self) -> impl Iterator<Item = &Self> {
        self.open
            .iter()
            .filter(|call| !call.state.is_settled())
            .filter_map(|call| call.nested.as_deref())
    }
}
