//! [`Trouble`]: what Restate has driven again and again, and is not.

use serde_json::Value;
use toolwright_session::EngineError;

use crate::{
    Admin, Bound,
    object::NAME,
    sentence::{sentence, unserved},
};

/// How often something fails that is nobody's trouble: whoever had it ends, or is waited for.
pub(crate) const USUAL: u64 = 2;
/// How often it fails within half a minute. What fails longer does not pass by itself.
const LONG: u64 = 10;
/// How many are looked at.
const MOST: usize = 1_000;

/// What Restate has driven again and again, and is not; what it keeps for workers that are gone is counted apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// How many conversations it is; a thousand may be more.
    pub conversations: usize,
    /// For how many of them Restate has given up, and a person has to have it go on.
    pub paused: usize,
    /// Whether one of them fails for longer than what passes by itself.
    pub lasts: bool,
    /// What whoever should drive it said last, of the one that fails most often.
    pub last: Option<String>,
    /// What it keeps for workers at addresses where none is any more.
    pub bound: Vec<Bound>,
}

impl Admin {
    /// What Restate has driven again and again, and is not, with why.
    ///
    /// # Errors
    /// When Restate does not answer, or does not tell.
    pub async fn trouble(&self) -> Result<Trouble, EngineError> {
        let query = format!(
            "select id, status, retry_count, last_failure from sys_invocation \
             where target_service_name = '{NAME}' and (status = 'paused' or \
             (status = 'backing-off' and retry_count > {USUAL})) \
             order by retry_count desc limit {MOST}"
        );
        let mut rows = self.rows(&query).await?;
        let bound = self.bound().await?;
        let is_bound = |row: &Value| {
            bound
                .iter()
                .any(|it| it.slices.iter().any(|id| row.get("id").is_some_and(|it| it == id)))
        };
        rows.retain(|row| !is_bound(row));
        Ok(Trouble { bound, ..Trouble::of(&rows) })
    }
}

impl Trouble {
    fn of(rows: &[Value]) -> Self {
        let tries =
            |row: &Value| row.get("retry_count").and_then(Value::as_u64).unwrap_or_default();
        let is_paused = |row: &&Value| row.get("status").is_some_and(|it| it == "paused");
        let said = |row: &Value| row.get("last_failure")?.as_str().map(told);
        let paused = rows.iter().filter(is_paused).count();
        Self {
            conversations: rows.len(),
            paused,
            lasts: paused > 0 || rows.iter().any(|it| tries(it) > LONG),
            last: rows.iter().find_map(said),
            bound: Vec::new(),
        }
    }
}

/// What was said, as a person can use it.
fn told(said: &str) -> String {
    match unserved(said) {
        Some(status) => {
            format!("what stands before the workers has no healthy worker: it answers {status}")
        }
        None => sentence(said).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fails_for_long_or_was_given_up_does_not_pass() {
        let row = |status: &str, tries: u64| json!({"status": status, "retry_count": tries, "last_failure": "No."});
        assert_eq!(Trouble::of(&[]), Trouble::default());
        let passing = Trouble::of(&[row("backing-off", 4), json!({"status": "backing-off"})]);
        assert_eq!((passing.conversations, passing.paused, passing.lasts), (2, 0, false));
        assert_eq!(passing.last.as_deref(), Some("No."));
        assert!(Trouble::of(&[row("backing-off", 11)]).lasts);
        let paused = Trouble::of(&[row("paused", 0)]);
        assert_eq!((paused.paused, paused.lasts), (1, true));
        let said = json!({"status": "backing-off", "last_failure": "unexpected http status code: 503 Service Unavailable"});
        let last = "what stands before the workers has no healthy worker: it answers 503 Service Unavailable";
        assert_eq!(Trouble::of(&[said]).last.as_deref(), Some(last));
    }
}
