//! [`tell`]: a run followed to its end, for a person or for a program; and what every command that
//! runs something needs.

use std::{io, sync::Arc};

use toolwright_app::{
    App, AppError, ApprovalRules, Config, Heeding, OpenPacks, Session, StartedRun, assemble_in,
};
use toolwright_core::{Answer, ConversationId, Event, Failure};
use toolwright_runtime::{Approver, RunStream};
use toolwright_store::ConversationPage;

use super::approving::Approvers;
use crate::{
    args::RunArgs,
    error::{CommandError, Result},
    exit::Exit,
    screen::Screen,
    stop::asked_to_stop,
    style::out,
    watch::Watch,
};

/// What was configured, put together for a run at which nobody is asked.
pub(crate) async fn unattended(
    config: &Config,
    watch: &Watch,
    approve: bool,
) -> Result<App, AppError> {
    assembled(config, watch, |rules| Approvers::with(rules, approve).unattended()).await
}

/// What was configured, put together for a run at which a person is asked, if there is one.
pub(crate) async fn attended(
    config: &Config,
    watch: &Watch,
    approve: bool,
) -> Result<App, AppError> {
    assembled(config, watch, |rules| Approvers::with(rules, approve).attended()).await
}

async fn assembled(
    config: &Config,
    watch: &Watch,
    approver: impl FnOnce(Arc<ApprovalRules>) -> Box<dyn Approver>,
) -> Result<App, AppError> {
    let store = config.open_store().await?;
    let rules = Arc::new(ApprovalRules::open(config, &store).await?);
    let packs = OpenPacks::default();
    assemble_in(config, &packs, Vec::new(), store, approver(rules), watch.observers())
}

/// How a run is told of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    /// On the screen, the answer as it comes.
    AsItComes,
    /// On the screen, and of the answer only what it is in the end.
    AtTheEnd,
    /// One event a line.
    Events,
}

/// Follows a run to its end.
pub(crate) async fn tell(session: &Session, started: StartedRun, how: Telling) -> Result<Exit> {
    let _heeding = Heeding::begin(session.store(), &started);
    let mut run = started.running;
    let stop = asked_to_stop()?;
    let end = if how == Telling::Events {
        follow(&mut run, stop, |event| out(&format!("{}\n", serde_json::to_string(event)?))).await?
    } else {
        let screen = Screen::new();
        let mut screen = if how == Telling::AtTheEnd { screen.without_text() } else { screen };
        let end = follow(&mut run, stop, |event| screen.show(event)).await?;
        screen.rest();
        end
    };
    if let (Telling::AtTheEnd, Ok(answer)) = (how, &end) {
        out(&format!("{}\n", answer.response))?;
    }
    Ok(match end {
        Ok(answer) if answer.failed => Exit::Failed,
        Ok(_) => Exit::Answered,
        Err(failure) => Exit::from(&failure),
    })
}

/// The conversation that was named, or the newest where that was asked for.
pub(crate) async fn chosen(session: &Session, args: &RunArgs) -> Result<Option<ConversationId>> {
    if args.is_continued {
        let newest = ConversationPage { limit: 1, ..ConversationPage::default() };
        let newest = session.store().list(&newest).await?.into_iter().next();
        let newest =
            newest.ok_or_else(|| CommandError::unusable(NOTHING_TO_CONTINUE.to_owned()))?;
        return Ok(Some(newest.id));
    }
    match &args.conversation {
        Some(named) => Ok(Some(session.store().find(named).await?.id)),
        None => Ok(None),
    }
}

const NOTHING_TO_CONTINUE: &str =
    "There is no conversation to go on with yet. Without --continue a new one begins.";

/// Follows a run to its end, or until `stop` is: that cancels it in good order.
pub(crate) async fn follow(
    run: &mut RunStream,
    stop: impl Future<Output = ()>,
    mut show: impl FnMut(&Event) -> io::Result<()>,
) -> Result<Result<Answer, Failure>> {
    let cancel = run.cancel();
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            biased;
            event = run.next() => match event {
                Some(event) => match show(&event) {
                    // `toolwright ask … | head`: whoever listened has left.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => cancel.cancel(),
                    shown => shown?,
                },
                None => return Ok(run.finish().await),
            },
            () = &mut stop, if !cancel.is_cancelled() => cancel.cancel(),
        }
    }
}
