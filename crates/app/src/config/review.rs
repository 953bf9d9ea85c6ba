//! [`reviewed`]: how strictly answers are held against the results, and who says so.

use toolwright_core::ReviewMode;

use super::{
    Flags, Setting,
    sources::{Sources, parsed},
};
use crate::{AppError, Task, task::TaskSettings};

/// How strictly answers are held against the results, by its name.
pub(crate) fn review_mode(word: &str) -> Result<ReviewMode, &'static str> {
    match word {
        "off" => Ok(ReviewMode::Off),
        "warn" => Ok(ReviewMode::Warn),
        "enforce" => Ok(ReviewMode::Enforce),
        "replace" => Ok(ReviewMode::Replace),
        _ => Err("use off, warn, enforce or replace"),
    }
}

/// How strictly answers are held against the results: what is said of the task beats what is said of all,
/// unless it comes with it; a folder makes it stricter.
pub(super) fn reviewed(
    sources: &Sources<'_>,
    flags: &Flags,
    task: &Task,
    of_all: Option<ReviewMode>,
) -> Result<Setting<ReviewMode>, AppError> {
    let of_task = |it: &TaskSettings| it.review;
    let typed = sources.pick("--review", flags.review.clone(), "TOOLWRIGHT_REVIEW", None);
    let typed = parsed("review", typed, None, |it| review_mode(it).map(Some))?;
    let said = match typed {
        Setting { value: Some(value), place } => Some(Setting { value, place }),
        _ => sources.users(task, of_task, of_all),
    };
    let holds = said.unwrap_or_else(|| Sources::usual(task, of_task, ReviewMode::Warn));
    let folder = &sources.folder;
    let of_tasks = folder.tasks.get(&task.name).and_then(|it| it.review);
    let folders = sources.folders(task, of_task, of_tasks.into_iter().chain(folder.review));
    Ok(Sources::narrowed(holds, folders, |new, old| rank(*new) > rank(*old)))
}

/// How strict it is.
fn rank(review: ReviewMode) -> u8 {
    match review {
        ReviewMode::Off => 0,
        ReviewMode::Warn => 1,
        ReviewMode::Enforce => 2,
        ReviewMode::Replace => 3,
    }
}
