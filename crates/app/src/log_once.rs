//! [`LogOnce`]: something that stays wrong is told once, and now and then, and not each time it is looked at.

use std::time::{Duration, Instant};

/// How long the same is not told again.
const RARELY: Duration = Duration::from_secs(15 * 60);

/// What was told last, by somebody who looks again and again.
#[derive(Debug, Default)]
pub struct LogOnce {
    last: Option<(String, Instant)>,
}

impl LogOnce {
    /// Whether it is to be told: it is something else than before, or that was long ago. It counts as told then.
    pub fn is_news(&mut self, says: &str) -> bool {
        let is_told = |(last, at): &(String, Instant)| last == says && at.elapsed() < RARELY;
        if self.last.as_ref().is_some_and(is_told) {
            return false;
        }
        self.last = Some((says.to_owned(), Instant::now()));
        true
    }

    /// It is well again: whether it had been told that it was not.
    pub fn is_over(&mut self) -> bool {
        self.last.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_told_once_until_it_changes_or_is_over() {
        let mut log_once = LogOnce::default();
        let told = ["away", "away", "locked", "locked", "away"].map(|it| log_once.is_news(it));
        assert_eq!(told, [true, false, true, false, true]);
        assert_eq!([log_once.is_over(), log_once.is_over()], [true, false]);
        assert!(log_once.is_news("away"));
    }
}
