//! [`RetryPolicy`]: when to ask again, and how long to wait first.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::{Duration, SystemTime},
};

use http::HeaderMap;

/// When to ask a provider again that failed before it said anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPolicy {
    /// How often at most, for one request.
    pub retries: u32,
    /// The first wait; each further one doubles it, less up to a quarter at random.
    pub first_wait: Duration,
    /// The longest wait of its own.
    pub longest_wait: Duration,
    /// The longest wait a provider may ask for; beyond it the request fails.
    pub longest_asked: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 2,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(8),
            longest_asked: Duration::from_secs(120),
        }
    }
}

impl RetryPolicy {
    /// How long to wait before attempt `attempt` (from 2), where the provider asked for `asked`;
    /// none when it is not to be asked again.
    pub fn wait(&self, attempt: u32, asked: Option<Duration>) -> Option<Duration> {
        if attempt > self.retries + 1 {
            return None;
        }
        if let Some(asked) = asked {
            return (asked <= self.longest_asked).then_some(asked);
        }
        let doubled = self.first_wait.saturating_mul(1 << (attempt.saturating_sub(2)).min(16));
        Some(doubled.min(self.longest_wait).mul_f64(1.0 - fastrand::f64() * 0.25))
    }
}

/// Keeps a storm from becoming a worse one: retries may be about a tenth of all requests.
#[derive(Debug)]
pub struct Budget(AtomicI64);

const PER_RETRY: i64 = 10;
const AT_MOST: i64 = 20 * PER_RETRY;

impl Default for Budget {
    fn default() -> Self {
        Self(AtomicI64::new(AT_MOST / 2))
    }
}

impl Budget {
    /// A request was made: a tenth of a retry is earned.
    pub fn earn(&self) {
        if self.0.load(Ordering::Relaxed) < AT_MOST {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a retry can be afforded; if so it is spent.
    pub fn spend(&self) -> bool {
        let afford = |left: i64| (left >= PER_RETRY).then_some(left - PER_RETRY);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, afford).is_ok()
    }
}

/// How long the provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; or until
/// when a limit that is used up holds, as OpenAI and Anthropic tell it.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let millis = text("retry-after-ms").and_then(|it| it.trim().parse::<f64>().ok());
    let seconds = || text("retry-after").and_then(|it| it.trim().parse::<f64>().ok());
    let date = || {
        let at = httpdate::parse_http_date(text("retry-after")?.trim()).ok()?;
        at.duration_since(SystemTime::now()).ok()
    };
    let wait = millis
        .map(|it| it / 1e3)
        .or_else(seconds)
        .and_then(|it| Duration::try_from_secs_f64(it).ok())
        .or_else(date)
        .or_else(|| used_up(headers))?;
    (!wait.is_zero()).then_some(wait)
}

/// How long until the last of the limits that are used up is lifted.
fn used_up(headers: &HeaderMap) -> Option<Duration> {
    const LIMITS: [&str; 6] = [
        "x-ratelimit-{}-requests",
        "x-ratelimit-{}-tokens",
        "anthropic-ratelimit-requests-{}",
        "anthropic-ratelimit-tokens-{}",
        "anthropic-ratelimit-input-tokens-{}",
        "anthropic-ratelimit-output-tokens-{}",
    ];
    let text = |limit: &str, what| headers.get(limit.replace("{}", what))?.to_str().ok();
    let is_used_up = |limit: &&str| text(limit, "remaining").is_some_and(|it| it.trim() == "0");
    let used_up = LIMITS.into_iter().filter(is_used_up);
    let wait = used_up.filter_map(|limit| {
        let reset = text(limit, "reset")?.trim();
        let until = || from_rfc3339(reset)?.duration_since(SystemTime::now()).ok();
        from_units(reset).or_else(until)
    });
    wait.max()
}

/// A time such as `6m0s`, `1.5s` or `20ms`.
fn from_units(mut text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    while !text.is_empty() {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, rest) = text.split_at_checked(end)?;
        let units = [("ms", 1e-3), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
        let (rest, unit) =
            units.into_iter().find_map(|(unit, worth)| Some((rest.strip_prefix(unit)?, worth)))?;
        seconds += number.parse::<f64>().ok()? * unit;
        text = rest;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// A time such as `2026-11-15T10:00:00.25Z`. Only what servers write: in UTC, after 1970.
fn from_rfc3339(text: &str) -> Option<SystemTime> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<u64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let zone = text.get(19..)?.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit());
    let is_utc = matches!(zone, "Z" | "z" | "+00:00" | "-00:00");
    if !is_utc || !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    // Years are counted from March, so that the leap day is the last of its year.
    let year = if month < 3 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day.checked_sub(1)?;
    let days = 365 * year + year / 4 - year / 100 + year / 400 + of_year;
    let seconds = days.checked_sub(719_468)? * 86_400 + hour * 3600 + minute * 60 + second;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_with_jitter_and_end() {
        let policy = RetryPolicy { retries: 6, ..RetryPolicy::default() };
        for (attempt, most) in [(2, 500), (3, 1000), (4, 2000), (5, 4000), (6, 8000), (7, 8000)] {
            let wait = policy.wait(attempt, None).unwrap().as_millis();
            assert!((most * 3 / 4..=most).contains(&wait), "attempt {attempt} waits {wait}");
        }
        assert_eq!(policy.wait(8, None), None);
    }

    #[test]
    fn a_provider_is_obeyed_up_to_two_minutes() {
        let policy = RetryPolicy::default();
        let second = Duration::from_secs(1);
        assert_eq!(policy.wait(2, Some(second * 7)), Some(second * 7));
        assert_eq!(policy.wait(2, Some(second * 121)), None);
    }

    #[test]
    fn what_a_provider_asks_is_read_in_every_form() {
        let asked_by = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            retry_after(&headers)
        };
        assert_eq!(asked_by("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(asked_by("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(asked_by("retry-after", "1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(asked_by("retry-after", "0"), None);
        assert_eq!(asked_by("retry-after", "soon"), None);
        assert_eq!(asked_by("x-ratelimit-reset-requests", "7s"), None, "nothing is used up");
        let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        let wait = asked_by("retry-after", &date).unwrap();
        assert!((80..=90).contains(&wait.as_secs()), "{wait:?}");
    }

    #[test]
    fn until_when_a_limit_holds_is_read_where_it_is_used_up() {
        let mut headers = HeaderMap::new();
        let mut put =
            |name: &'static str, value: &str| headers.insert(name, value.parse().unwrap());
        put("x-ratelimit-remaining-requests", "0");
        put("x-ratelimit-reset-requests", "1m30.5s");
        put("x-ratelimit-remaining-tokens", "9");
        put("x-ratelimit-reset-tokens", "6h");
        assert_eq!(retry_after(&headers), Some(Duration::from_millis(90_500)));
    }

    #[test]
    fn times_are_read_as_they_are_written() {
        let cases = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600)),
            ("2026-11-15T10:00:00.25+00:00", Some(1_794_736_800)),
            ("2026-11-15T10:00:00+02:00", None),
            ("2026-13-15T10:00:00Z", None),
            ("soon", None),
        ];
        for (text, seconds) in cases {
            let wanted = seconds.map(|it| SystemTime::UNIX_EPOCH + Duration::from_secs(it));
            assert_eq!(from_rfc3339(text), wanted, "{text}");
        }
        assert_eq!(from_units("6m0s"), Some(Duration::from_secs(360)));
        assert_eq!(from_units("20ms"), Some(Duration::from_millis(20)));
        assert_eq!(from_units("20"), None);
    }

    #[test]
    fn the_budget_allows_about_a_tenth() {
        let budget = Budget::default();
        while budget.spend() {}
        (0..100).for_each(|_| budget.earn());
        assert_eq!((0..100).filter(|_| budget.spend()).count(), 10);
    }
}
