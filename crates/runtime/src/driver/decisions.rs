//! [`WaitingCall`]: a call that somebody decides about, and how they are asked.
//!
//! As with everything else, what is decided about is kept before anybody sees it, and a decision before
//! anything follows from it.

use std::{future::poll_fn, sync::Arc, task::Poll};

use futures_core::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use toolwright_core::{
    CallId, CallPreview, CheckedCall, Decision, Fingerprint, RunId, Step, Tool, ToolSpec,
};

use super::Driver;
use crate::{AgentConfig, ApprovalRequest, layers};

/// A call that somebody decides about, as it is shown to them. It outlives the moment in which it was made.
struct WaitingCall {
    run: RunId,
    root: RunId,
    path: Vec<String>,
    call: CheckedCall,
    preview: CallPreview,
    about: Fingerprint,
    asked: u32,
}

/// What was decided about a call, as it was shown.
struct Decided {
    call: CallId,
    about: Fingerprint,
    decision: Decision,
}

impl WaitingCall {
    /// Asks whoever decides.
    async fn put_to(self, settings: Arc<AgentConfig>) -> Decided {
        let Self { run, root, path, call, preview, about, asked } = &self;
        let decision = match settings.toolbox.get(&call.tool) {
            Some(tool) => {
                let (asked, tool) = (*asked, tool.spec());
                let request = ApprovalRequest { run, root, call, tool, preview, asked, path };
                settings.approver.decide(&request).await
            }
            None => gone(),
        };
        Decided { call: call.id.clone(), about: about.clone(), decision }
    }
}

fn gone() -> Decision {
    Decision::deny("the tool is gone.")
}

impl Driver {
    /// Has every one of these calls decided about: one after the other, or in any order where whoever decides
    /// can do that.
    pub(super) async fn decide(&mut self, calls: Vec<CheckedCall>) {
        if self.settings.approver.decides_in_any_order() {
            return self.decide_in_any_order(calls).await;
        }
        for call in calls {
            let Some(waiting) = self.preview(call).await else { return };
            let asking = self.asking.clone();
            let decided = asking.until(waiting.put_to(self.settings.clone())).await;
            // What was edited waits again, and is asked about again before the others.
            if self.take_decision(decided).await.is_some() {
                return;
            }
        }
    }

    /// Shows all of them, and takes decisions as they come.
    async fn decide_in_any_order(&mut self, calls: Vec<CheckedCall>) {
        let asking = self.asking.clone();
        let mut open: FuturesUnordered<BoxFuture<'static, Decided>> = FuturesUnordered::new();
        let mut next = calls;
        loop {
            for call in std::mem::take(&mut next) {
                let Some(mut waiting) = self.preview(call).await else { return };
                // Those who are asked already count, as they do where they are asked before.
                waiting.asked =
                    waiting.asked.saturating_add(u32::try_from(open.len()).unwrap_or(u32::MAX));
                let mut asked = waiting.put_to(self.settings.clone()).boxed();
                // A rule decides at once, and nobody is asked.
                match poll_fn(|cx| Poll::Ready(asked.as_mut().poll(cx))).await {
                    Poll::Ready(decided) => next.extend(self.take_decision(decided).await),
                    Poll::Pending => open.push(asked),
                }
                if self.run.is_ended() {
                    return;
                }
            }
            if !next.is_empty() {
                continue;
            }
            let Some(decided) = asking.until(open.next()).await else { return };
            next.extend(self.take_decision(decided).await);
            if self.run.is_ended() {
                return;
            }
        }
    }

    /// What a call would do, kept, so that somebody can be asked about it. None where the run is over.
    async fn preview(&mut self, call: CheckedCall) -> Option<WaitingCall> {
        let settings = self.settings.clone();
        let preview = match settings.toolbox.get(&call.tool) {
            Some(tool) => {
                let preview = layers::propose(tool, &call.arguments, &self.context).await;
                let preview = self.doubted(tool, &call, preview);
                self.report(|run, at| run.call_previewed(&call.id, preview.clone(), at));
                self.persist().await;
                preview
            }
            None => CallPreview::default(),
        };
        if self.run.is_ended() {
            return None;
        }
        failpoint!("assistant_saved");
        let about = Fingerprint::of(&call.tool, &call.arguments, &preview);
        let (run, path) = (self.run.id().clone(), self.nesting.path.to_vec());
        let root = self.nesting.root.as_ref().unwrap_or(&run).clone();
        let asked = self.asked();
        Some(WaitingCall { run, root, path, call, preview, about, asked })
    }

    /// Reports a decision. Hands the call back where it was edited: it waits again.
    async fn take_decision(&mut self, decided: Decided) -> Option<CheckedCall> {
        let Decided { call, about, decision } = decided;
        let decision = self.screen.decision(decision);
        let is_edit = matches!(decision, Decision::Edit { .. });
        let gate = self.gate.clone();
        self.report(|run, at| run.decided(&call, &about, decision, &gate.validator(), at));
        self.persist().await;
        failpoint!("approval_saved");
        match self.run.step() {
            Step::AwaitDecision(calls) if is_edit => calls.into_iter().find(|it| it.id == call),
            _ => None,
        }
    }

    /// The preview, and why the rules want somebody to look at the call, where they do.
    pub(super) fn doubted(
        &self,
        tool: &dyn Tool,
        call: &CheckedCall,
        preview: CallPreview,
    ) -> CallPreview {
        let question = self.question(call, tool.spec(), &preview);
        let doubt = self.settings.approver.concern(&question);
        CallPreview { rule_concern: doubt.map(|it| self.screen.text(it)), ..preview }
    }

    fn question<'a>(
        &'a self,
        call: &'a CheckedCall,
        tool: &'a ToolSpec,
        preview: &'a CallPreview,
    ) -> ApprovalRequest<'a> {
        let (run, path) = (self.run.id(), &*self.nesting.path);
        let root = self.nesting.root.as_ref().unwrap_or(run);
        ApprovalRequest { run, root, call, tool, preview, asked: self.asked(), path }
    }

    /// How many decisions somebody was asked for: however many agents ask each other, one person is asked.
    fn asked(&self) -> u32 {
        self.nesting.outer.as_ref().map_or(self.run.asked(), |outer| outer.asked())
    }
}
