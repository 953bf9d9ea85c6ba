//! The driver: does what a [`Run`] says must happen next, and reports back. The only one there is
//! in process; blocking and streaming, terminal and server all use it.
//!
//! Nothing leaves the process before it is in the journal: what was reported is collected, and
//! kept in one piece before a model is asked, a tool starts, a person is asked or a listener sees it.

mod approval;
mod attachments;
mod commit;
mod decisions;
mod fallback;
mod judge;
mod model;
mod nested;
mod questions;
mod sent;
mod sources;
mod spans;
mod steer;
mod tools;
mod updates;

use std::{
    future::poll_fn,
    pin::pin,
    sync::Arc,
    task::Poll,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use toolwright_core::{
    CallId, CallValidator, CheckedCall, Event, Guard, JournalError, Observer, RequestCache, Run,
    RunContext, RunError, Step, StreamSender, Timestamp,
};
use toolwright_timeout::Countdown;
use tracing::Instrument;

pub(crate) use self::{approval::Asking, commit::Commit};
use self::{
    attachments::Fitted, fallback::Current, model::Offer, questions::Questions, sources::Sources,
    updates::Updates,
};
use crate::{
    AgentConfig, CancelHandle,
    layers::{self, Screen},
    log::CallLog,
    nested::{Link, Nesting},
    output::OutputForm,
    pause::{PauseHandle, Rest},
    result_appendix::ToldBeside,
    run_stream::{Driven, Handles},
    steer::Steered,
};

pub(crate) struct Driver {
    settings: Arc<AgentConfig>,
    /// What comes from outside passes it before it is reported.
    screen: Screen,
    /// What calls and answers have to pass.
    gate: Arc<Gate>,
    run: Run,
    context: RunContext,
    cancel: CancelHandle,
    pause: PauseHandle,
    /// Whether it could be left as it stands.
    rest: Arc<Rest>,
    /// What the user says to it while it goes on.
    steered: Steered,
    commit: Commit,
    /// The model that is asked.
    current: Current,
    memo: RequestCache,
    /// What became of messages with attachments.
    fitted: Fitted,
    /// The tools the model is offered, when that is not all of them.
    offer: Option<Offer>,
    /// Tokens the provider counted for a conversation of this size.
    measured: Option<(u64, usize)>,
    /// What is said about calls while they run.
    updates: Updates,
    /// What calls left that were broken off.
    partial: Vec<(CallId, String)>,
    /// What was said beside their results.
    told: ToldBeside,
    /// What they ask the user.
    questions: Questions,
    /// Whether somebody is asked.
    asking: Asking,
    /// Where tools come from that may change.
    sources: Sources,
    /// Which run it is a part of, if any.
    nesting: Nesting,
    /// To the runs that are parts of it.
    link: Arc<Link>,
    /// Those of them that showed something, until it is taken.
    shown: Vec<tokio::sync::oneshot::Sender<()>>,
}

/// What calls and answers have to pass.
struct Gate {
    settings: Arc<AgentConfig>,
    /// Those of the settings, and the screen's own.
    guards: Vec<Arc<dyn Guard>>,
    output: Arc<OutputForm>,
}

impl Gate {
    fn validator(&self) -> CallValidator<'_> {
        let gate = CallValidator::new(&*self.settings.toolbox, &self.guards).output(&*self.output);
        match &self.settings.reviewer {
            Some(reviewer) => gate.reviewer(&**reviewer),
            None => gate,
        }
    }
}

/// Why work was broken off.
enum Stop {
    Cancelled,
    OutOfTime,
    Paused,
}

impl Driver {
    pub(crate) fn new(
        settings: Arc<AgentConfig>,
        run: Run,
        context: RunContext,
        handles: Handles,
        commit: Commit,
        nesting: Nesting,
    ) -> Self {
        let Handles { cancel, steer, pause } = handles;
        let sources = Sources::new(settings.toolbox.clone());
        let settings = match run.tools_off() {
            [] => settings,
            off => {
                let toolbox = Arc::new(settings.toolbox.without(off));
                Arc::new(AgentConfig { toolbox, ..AgentConfig::clone(&settings) })
            }
        };
        let context = layers::prepare(context);
        let screen = Screen::of(&context);
        let own = screen.is_needed().then(|| Arc::new(screen.clone()) as Arc<dyn Guard>);
        Self {
            gate: Arc::new(Gate {
                guards: own.into_iter().chain(settings.guards.iter().cloned()).collect(),
                settings: settings.clone(),
                output: Arc::default(),
            }),
            screen,
            current: Current::of(&run, &settings),
            sources,
            settings,
            run,
            context,
            cancel,
            pause,
            rest: nesting.rest.clone(),
            steered: Steered::by(steer),
            commit,
            memo: RequestCache::default(),
            fitted: Fitted::default(),
            offer: None,
            measured: None,
            updates: Updates::default(),
            partial: Vec::new(),
            told: ToldBeside::default(),
            questions: Questions::default(),
            asking: Asking::within(&nesting.asking),
            link: nesting.link(),
            nesting,
            shown: Vec::new(),
        }
    }

    /// Drives the run to its end, or until it is left. So much of its time was used before.
    pub(crate) async fn drive(self, spent: Duration) -> Driven {
        let span = spans::run(&self.run, self.current.candidate(&self.settings).model.name());
        let driven = self.run_to_end(spent).instrument(span.clone()).await;
        spans::ended(&span, &driven.run);
        driven
    }

    async fn run_to_end(mut self, spent: Duration) -> Driven {
        let (cancel, outbox) = (self.cancel.clone(), self.commit.outbox());
        let (asking, pause, rest) = (self.asking.clone(), self.pause.clone(), self.rest.clone());
        let (mut cancelled, mut paused) = (pin!(cancel.cancelled()), pin!(pause.paused()));
        let limit = self.run.limits().wall_clock.unwrap_or(Duration::MAX);
        let mut deadline = Countdown::after(spent, limit);
        let mut is_told = false;
        while !self.run.is_ended() {
            if pause.is_paused() && !cancel.is_cancelled() {
                if self.nesting.outer.is_none() {
                    break;
                }
                // The run that it is a part of leaves it, once nothing else is going on in there.
                self.persist().await;
                if !self.run.is_ended() {
                    rest.left().await;
                }
                continue;
            }
            let step = self.run.step();
            let is_outermost = self.nesting.outer.is_none();
            let stop = {
                let mut work = pin!(self.perform(step));
                poll_fn(|cx| {
                    // Asked first of a flag, so that a busy run can be stopped too.
                    if cancel.is_cancelled() {
                        return Poll::Ready(Some(Stop::Cancelled));
                    }
                    // The time of whoever decides is not the run's.
                    if asking.is_open() {
                        deadline.skip();
                    }
                    // For the same reason the clock is read rather than waited for.
                    if deadline.is_over() {
                        return Poll::Ready(Some(Stop::OutOfTime));
                    }
                    if work.as_mut().poll(cx).is_ready() {
                        return Poll::Ready(None);
                    }
                    if pause.is_paused() && is_outermost && rest.is_resting() {
                        return Poll::Ready(Some(Stop::Paused));
                    }
                    // Whoever takes what is in the box comes back at once.
                    if !outbox.is_empty() {
                        return Poll::Pending;
                    }
                    if cancelled.as_mut().poll(cx).is_ready() {
                        return Poll::Ready(Some(Stop::Cancelled));
                    }
                    // Whatever runs is heard out; this only has it looked at once more.
                    if !is_told && paused.as_mut().poll(cx).is_ready() {
                        is_told = true;
                        cx.waker().wake_by_ref();
                    }
                    if asking.is_open() {
                        return Poll::Pending;
                    }
                    deadline.poll(cx).map(|()| Some(Stop::OutOfTime))
                })
                .await
                // Here the work is dropped, and with it the model's stream and the tools' futures.
            };
            if stop.is_some() {
                self.hear_nested();
                self.hear_ends();
            }
            if matches!(stop, Some(Stop::Paused)) {
                break;
            }
            let partial = self.partial_results();
            match stop {
                None | Some(Stop::Paused) => {}
                Some(Stop::Cancelled) => self.report(|run, at| run.cancelled_with(partial, at)),
                Some(Stop::OutOfTime) => self.report(|run, at| run.out_of_time_with(partial, at)),
            }
        }
        self.persist().await;
        failpoint!("final_saved");
        Driven { spent: deadline.spent(), run: self.run }
    }

    async fn perform(&mut self, step: Step) {
        self.refresh_tools(&step).await;
        if self.run.is_ended() {
            return;
        }
        match step {
            Step::CallModel { choice } => self.call_model(choice).await,
            Step::AwaitDecision(calls) => Box::pin(self.decide(calls)).await,
            Step::RunTools(calls) => {
                self.settings.approver.refresh().await;
                match self.questioned(&calls) {
                    wanted if wanted.is_empty() => self.run_tools(calls).await,
                    wanted => self.report(|run, at| run.questioned(wanted, at)),
                }
            }
            Step::Judge => Box::pin(self.judge()).await,
            Step::Review => {
                let gate = self.gate.clone();
                self.report(|run, at| run.checked(&gate.validator(), at));
            }
            Step::Done(_) => {}
        }
    }

    /// Calls that nobody has to decide about, and somebody wants to.
    fn questioned(&self, calls: &[CheckedCall]) -> Vec<CallId> {
        let AgentConfig { toolbox, approver, .. } = &*self.settings;
        let is_wanted = |call: &&CheckedCall| {
            !call.needs_decision()
                && toolbox.get(&call.tool).is_some_and(|tool| approver.wants(tool.spec()))
        };
        calls.iter().filter(is_wanted).map(|call| call.id.clone()).collect()
    }

    /// Reports to the run; the events wait to be kept.
    fn report(&mut self, report: impl FnOnce(&mut Run, Timestamp) -> Result<Vec<Event>, RunError>) {
        match report(&mut self.run, now()) {
            Ok(events) => self.commit.add(events),
            // The driver only reports what the run asked for.
            Err(error) => {
                tracing::error!(run = %self.run.id(), %error, "a report was not accepted");
            }
        }
    }

    /// Keeps what was reported, and then hands it to whoever listens. Where it cannot be kept the
    /// run ends here: nothing may happen that is not recorded.
    async fn persist(&mut self) {
        if let Err(error) = poll_fn(|cx| self.commit.poll(cx)).await {
            self.abort(error);
        }
    }

    fn abort(&mut self, error: JournalError) {
        let error = self.screen.journal_error(error);
        tracing::error!(run = %self.run.id(), %error, "the run is not recorded any more");
        let end = self.run.persist_failed(error, now());
        self.commit.abort(end);
    }
}

/// The events of a run that begins, waiting to be kept.
pub(crate) fn commit(settings: &AgentConfig, log: Option<CallLog>, events: Vec<Event>) -> Commit {
    let mut observers = settings.observers.clone();
    observers.extend(log.map(|log| Arc::new(log) as Arc<dyn Observer>));
    let mut commit = Commit::new(StreamSender::default(), observers);
    commit.add(events);
    commit
}

pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Timestamp(since.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)))
}
