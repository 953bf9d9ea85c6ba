//! Going back in a conversation at the terminal: a question asked again or edited, a copy that goes on from an
//! earlier answer.

use toolwright_app::{AppError, Session, StartedRun, TaskContext};
use toolwright_core::{Author, BranchPoint, ConversationId, RunContext, UserMessage};
use toolwright_store::StoreError;

use super::slash;
use crate::{
    error::{CommandError, Result},
    style::{DIM, END, line},
};

/// `/retry`: asks the last question again, as if it had not been answered.
pub(super) async fn retry(
    session: &Session,
    id: &ConversationId,
    context: RunContext,
) -> Result<StartedRun> {
    last_question(session, id).await?;
    let begun = session.regenerate(id, None, None, context).await.map_err(AppError::from)?;
    Ok(begun.ok_or_else(nothing)?)
}

/// `/edit TEXT`: asks this in the place of the last question, with what was attached to that.
pub(super) async fn edit(
    session: &Session,
    id: &ConversationId,
    project: &TaskContext,
    text: String,
    context: RunContext,
) -> Result<StartedRun> {
    let asked = last_question(session, id).await?;
    let question = slash::question(project, text).await?;
    // What a command or a server put there came with the words that are replaced.
    let files = asked.attachments.into_iter().filter(|it| it.origin == Author::Person);
    let question = files.fold(question, UserMessage::with_attachment);
    let begun = session.regenerate(id, None, Some(question), context).await;
    Ok(begun.map_err(AppError::from)?.ok_or_else(nothing)?)
}

/// What was asked last.
///
/// # Errors
/// Where nothing was.
pub(super) async fn last_question(session: &Session, id: &ConversationId) -> Result<UserMessage> {
    match session.last_question(id).await {
        Ok(Some(asked)) => Ok(asked),
        Ok(None) | Err(toolwright_app::SessionError::Store(StoreError::NotFound(_))) => {
            Err(nothing().into())
        }
        Err(error) => Err(AppError::from(error).into()),
    }
}

fn nothing() -> CommandError {
    CommandError::unusable("nothing was asked here yet")
}

/// `/fork [N]`: a new conversation that begins as this one did, up to the answer to its question N; all of it where
/// no number is given. The conversation that is gone on with from now on.
pub(super) async fn fork(
    session: &Session,
    id: &ConversationId,
    number: &str,
) -> Result<ConversationId> {
    let runs = match session.store().runs(id).await {
        Err(StoreError::NotFound(_)) => return Err(nothing().into()),
        runs => runs?,
    };
    let path: Vec<_> = runs.newest().stretches().map(|(run, count)| (run.clone(), count)).collect();
    let number = match number.trim() {
        "" => path.len(),
        number => number.parse().unwrap_or_default(),
    };
    let Some((run, count)) = number.checked_sub(1).and_then(|at| path.get(at)).cloned() else {
        let what = format!("/fork takes the number of a question, from 1 to {}", path.len());
        return Err(CommandError::unusable(what).into());
    };
    let point = match count {
        u64::MAX => runs.end_of(&run),
        count => count.checked_sub(1).map(|seq| BranchPoint::Event { run, seq }),
    };
    let new = session.fork(id, point.as_ref()).await.map_err(AppError::from)?;
    line(&format!(
        "{DIM}A copy up to question {number}: {new}. It goes on here; {id} stays as it is.{END}"
    ));
    Ok(new)
}
