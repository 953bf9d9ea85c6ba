//! [`WaitingCall`]: a call that somebody decides about, and how they are asked.
//!
//! As with everything else, what is decided about is kept before anybody sees it, and a decision before
//! anything follows from it.

use std::{future::poll_fn, sync::Arc, task::Poll};

use futures_core::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream::FuturesUnordered};
use toolwright_core::{
    CallId, CallPreview, CheckedCall, Decision, Fingerprint, Outcome, Run, RunId, Step, Tool,
    ToolError, ToolErrorKind, ToolSpec, UnavailableTool, guard::PreviewCheck,
};

use super::Driver;
use crate::{AgentConfig, ApprovalRequest, format::outcome_of, layers};

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
    /// Whether nobody was asked.
    automatic: bool,
}

/// What becomes of a call that needs a decision, as far as that is known without asking anybody.
enum Proposed {
    /// The run is over.
    Over,
    /// It has its result: it cannot work.
    Settled,
    /// It is decided about.
    Decided(Decided),
    /// Somebody is to be asked.
    Waiting(Box<WaitingCall>),
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
            None => Decision::deny(format!("{GONE}.")),
        };
        Decided { call: call.id.clone(), about: about.clone(), decision, automatic: false }
    }
}

/// What a call fails with whose tool is not there any more.
pub(super) const GONE: &str = "the tool is gone";

impl Driver {
    /// Has every one of these calls decided about: one after the other, or in any order where whoever decides
    /// can do that.
    pub(super) async fn decide(&mut self, calls: Vec<CheckedCall>) {
        if self.settings.approver.decides_in_any_order() {
            return self.decide_in_any_order(calls).await;
        }
        for call in calls {
            let decided = match self.propose(call).await {
                Proposed::Over => return,
                Proposed::Settled => continue,
                Proposed::Decided(decided) => decided,
                Proposed::Waiting(waiting) => {
                    let (asking, rest) = (self.asking.clone(), self.rest.clone());
                    rest.until(asking.until(waiting.put_to(self.settings.clone()))).await
                }
            };
            // What was edited waits again, and is asked about again before the others.
            if self.take_decision(decided).await.is_some() {
                return;
            }
        }
    }

    /// Shows all of them, and takes decisions as they come.
    async fn decide_in_any_order(&mut self, calls: Vec<CheckedCall>) {
        let (asking, rest) = (self.asking.clone(), self.rest.clone());
        let mut open: FuturesUnordered<BoxFuture<'static, Decided>> = FuturesUnordered::new();
        let mut next = calls;
        loop {
            for call in std::mem::take(&mut next) {
                let mut waiting = match self.propose(call).await {
                    Proposed::Over => return,
                    Proposed::Settled => continue,
                    // Those who wait are asked for nothing else meanwhile.
                    Proposed::Decided(decided) => {
                        next.extend(self.take_decision(decided).await);
                        continue;
                    }
                    Proposed::Waiting(waiting) => waiting,
                };
                // Those who are asked already count, as they do where they are asked before.
                waiting.asked =
                    waiting.asked.saturating_add(u32::try_from(open.len()).unwrap_or(u32::MAX));
                let mut asked = waiting.put_to(self.settings.clone()).boxed();
                // Some decide at once.
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
            // Without any of them there is nothing to wait for.
            let Some(decided) = rest.until(asking.until(open.next())).await else { return };
            next.extend(self.take_decision(decided).await);
            if self.run.is_ended() {
                return;
            }
        }
    }

    /// What a call would do, kept, so that somebody can be asked about it; where nobody has to be, what follows
    /// from it.
    async fn propose(&mut self, call: CheckedCall) -> Proposed {
        let settings = self.settings.clone();
        let Some(tool) = settings.toolbox.get(&call.tool) else {
            self.fail_unasked(&call, None, ToolError::new(GONE)).await;
            return self.settled();
        };
        let preview = layers::propose(tool, &call.arguments, &self.context).await;
        settings.approver.refresh().await;
        let preview = self.doubted(tool, &call, preview);
        let foregone =
            settings.approver.without_asking(&self.question(&call, tool.spec(), &preview));
        if foregone.is_none()
            && let Some(failure) = preview.failure.clone().or_else(|| self.out_of_order(&call.tool))
        {
            self.fail_unasked(&call, Some(tool.spec()), failure).await;
            // Whoever changed it decides about it all the same.
            if call.original_arguments.is_none() || self.run.is_ended() {
                return self.settled();
            }
        }
        // Nobody's yes makes it known what would be lost; a no needs no other reason.
        let is_denied = matches!(foregone, Some(Decision::Deny { .. }));
        if !is_denied && let Some(refused) = self.refused(tool.spec(), &call, &preview) {
            self.report(|run, at| run.call_refused(&call.id, refused, at));
            self.persist().await;
            return self.settled();
        }
        self.report(|run, at| run.call_previewed(&call.id, preview.clone(), at));
        self.persist().await;
        if self.run.is_ended() {
            return Proposed::Over;
        }
        failpoint!("assistant_saved");
        let about = Fingerprint::of(&call.tool, &call.arguments, &preview);
        if let Some(decision) = foregone {
            let decided = Decided { call: call.id, about, decision, automatic: true };
            return Proposed::Decided(decided);
        }
        let (run, path) = (self.run.id().clone(), self.nesting.path.to_vec());
        let root = self.nesting.root.as_ref().unwrap_or(&run).clone();
        let asked = self.asked();
        Proposed::Waiting(Box::new(WaitingCall { run, root, path, call, preview, about, asked }))
    }

    /// The guard that refuses what a call would do, and how the call ends then. What a person changed they decide
    /// about themselves.
    fn refused(
        &self,
        tool: &ToolSpec,
        call: &CheckedCall,
        preview: &CallPreview,
    ) -> Option<(String, Outcome)> {
        if call.original_arguments.is_some() {
            return None;
        }
        let conversation = self.run.conversation();
        let check = PreviewCheck::new(tool, &call.arguments, preview, conversation);
        self.gate.validator().refuse_preview(&check)
    }

    /// Why a tool is not called now, whoever allows it: its source does not have it any more, or its breaker
    /// is open.
    fn out_of_order(&self, tool: &str) -> Option<ToolError> {
        if let Some(why) = self.gone_at_source(tool) {
            return Some(ToolError::new(why));
        }
        let unavailable = self.settings.toolbox.unavailable_tools(&self.context);
        let UnavailableTool { tool, reason } =
            unavailable.into_iter().find(|it| it.tool == tool)?;
        let told =
            format!("`{tool}` {reason}, so the call was not made. Do without it, and say so.");
        Some(ToolError::new(told).of_kind(ToolErrorKind::Refused))
    }

    /// A call cannot work: it gets its result.
    pub(super) async fn fail_unasked(
        &mut self,
        call: &CheckedCall,
        spec: Option<&ToolSpec>,
        failure: ToolError,
    ) {
        let outcome = match spec {
            Some(spec) => outcome_of(spec, Err(failure)),
            None => Outcome::failed(failure.message()),
        };
        let (outcome, whole) = self.window().bound(outcome);
        self.report(|run, at| run.call_failed(&call.id, outcome, whole, at));
        self.persist().await;
    }

    fn settled(&self) -> Proposed {
        if self.run.is_ended() { Proposed::Over } else { Proposed::Settled }
    }

    /// Reports a decision. Hands the call back where it was edited: it waits again.
    async fn take_decision(&mut self, decided: Decided) -> Option<CheckedCall> {
        let Decided { call, about, decision, automatic } = decided;
        let decision = self.screen.decision(decision);
        let is_edit = matches!(decision, Decision::Edit { .. });
        let gate = self.gate.clone();
        let (gate, report) = (
            gate.validator(),
            match automatic {
                true => Run::decided_unasked,
                false => Run::decided,
            },
        );
        self.report(|run, at| report(run, &call, &about, decision, &gate, at));
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
