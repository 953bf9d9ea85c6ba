//! [`next_step`]: which step a database needs next to be of the newest format.

use crate::StoreError;

/// Databases of formats up to this one tell what happened in words that are no longer used.
const OLD: i64 = 3;

/// The next of `steps` that a database of the format `found` needs, with the format it is of then;
/// nothing where it needs none. A database that is empty is of format 0.
pub(crate) fn next_step(
    steps: &[&'static str],
    found: i64,
    name: &str,
) -> Result<Option<(i64, &'static str)>, StoreError> {
    let known = OLD.saturating_add(i64::try_from(steps.len()).unwrap_or(i64::MAX));
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    let done = match found {
        0 => 0,
        1..=OLD => return Err(StoreError::Older { name: name.to_owned(), found }),
        found => found - OLD,
    };
    let step = usize::try_from(done).ok().and_then(|done| steps.get(done));
    Ok(step.map(|sql| (OLD + done + 1, *sql)))
}
