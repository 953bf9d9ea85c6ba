//! Calls that are runs themselves: what they are given, and what happens in them.

use std::sync::Arc;

use tokio::sync::oneshot;
use toolwright_core::{CallId, CheckedCall, Event, RunContext};

use super::{Driver, now};
use crate::{
    nested::{NestingHost, Said},
    pause::{PauseHandle, Rest},
};

impl Driver {
    /// The context of a call, with what it needs where it is a run itself.
    pub(super) fn context_of(&mut self, call: &CheckedCall) -> RunContext {
        let context = self.context.for_call(call.id.clone(), self.updates.of_call(&call.id));
        let context = context.of_run(self.run.id().clone());
        let context = context.with_asker(self.questions.of_call(&call.id));
        let tool = self.settings.toolbox.get(&call.tool);
        if !tool.is_some_and(|tool| tool.spec().agent) {
            return context;
        }
        self.link.publish(&self.run);
        let (link, mut nesting) = (self.link.clone(), self.nesting.clone());
        nesting.asking = self.asking.clone();
        (nesting.pause, nesting.rest) = self.left_with(call);
        let (approver, kept_in) = (self.settings.approver.clone(), self.commit.kept_in());
        let host = NestingHost::new(call.id.clone(), link, nesting, approver, &self.run, kept_in);
        context.with_host(host)
    }

    /// What has the run that a call is left together with this one. It then begins again, which takes no new decision,
    /// and nobody else may wait for its result meanwhile.
    fn left_with(&self, call: &CheckedCall) -> (PauseHandle, Arc<Rest>) {
        let tool = self.settings.toolbox.get(&call.tool);
        let is_shared = tool.is_none_or(|tool| tool.spec().policy.cache.is_some());
        match call.needs_decision() || is_shared {
            true => Default::default(),
            false => (self.pause.clone(), self.rest.begin(&call.id)),
        }
    }

    /// Whoever listens has taken what was shown: the runs that showed it go on.
    pub(super) fn taken(&mut self) {
        if !self.shown.is_empty() && self.commit.outbox().is_empty() {
            for taken in self.shown.drain(..) {
                let _: Result<(), ()> = taken.send(());
            }
        }
    }

    /// Takes up what happened in runs within this one.
    pub(super) fn hear_nested(&mut self) {
        let heard = self.link.heard();
        if heard.is_empty() {
            return;
        }
        for (call, said) in heard {
            match said {
                Said::Keep(events, ack) => match self.run.nested(&call, events, now()) {
                    Ok(events) => self.commit.add_acked(events, ack),
                    // It goes no further: its wait for this ends with an error.
                    Err(error) => {
                        tracing::error!(run = %self.run.id(), %error, "a run within was not heard");
                    }
                },
                Said::Show(event, taken) => self.show_nested(&call, *event, taken),
            }
        }
        self.link.publish(&self.run);
    }

    fn show_nested(&mut self, call: &CallId, event: Event, taken: oneshot::Sender<()>) {
        for event in self.run.nested(call, vec![event], now()).unwrap_or_default() {
            self.commit.show(event);
        }
        self.shown.push(taken);
    }

    /// Ends a run within another that has nothing left to use.
    pub(super) async fn stop_where_exhausted(&mut self) {
        let Some(outer) = self.nesting.outer.clone() else { return };
        // What it used so far counts only when it was heard.
        self.persist().await;
        if let Some((limit, what)) = outer.exhausted()
            && !self.run.is_ended()
        {
            self.report(|run, at| run.exhausted_outside(limit, &what, at));
        }
    }
}
