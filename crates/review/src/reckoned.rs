//! [`Shift`]: how far a day is said to be from another: `tomorrow`, `three days later`, `last month`.

use super::moment::Date;

/// How far a day is said to be from another, in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shift {
    Days(i64),
    Months(i32),
}

/// Further away nobody counts.
const MOST: i64 = 1_000;

impl Shift {
    /// How far the words around a day say that it is from another.
    pub(super) fn around(before: &str, after: &str) -> Vec<Self> {
        let lower = format!("{before} | {after}").to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
        let directed = words.iter().any(|it| is_direction(it));
        let mut shifts = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let count = at.checked_sub(1).and_then(|at| words.get(at)).and_then(|it| count(it));
            let many = count.filter(|_| directed);
            match (*word, many) {
                ("yesterday" | "tomorrow", _) => shifts.push(Self::Days(1)),
                ("day" | "days", Some(many)) => shifts.push(Self::Days(many)),
                ("week" | "weeks", Some(many)) => shifts.push(Self::Days(7 * many)),
                ("fortnight", Some(_)) => shifts.push(Self::Days(14)),
                ("month" | "months", Some(many)) => shifts.extend(months(many)),
                ("quarter", Some(_)) => shifts.push(Self::Months(3)),
                ("year" | "years", Some(many)) => shifts.extend(months(12 * many)),
                _ => {}
            }
        }
        shifts
    }

    /// The days that are so far from a day whose year is known.
    pub(super) fn of(self, date: Date) -> Vec<Date> {
        match self {
            Self::Days(by) => {
                let moved = |by: i64| date.days().map(|days| Date::from_days(days + by));
                [moved(by), moved(-by)].into_iter().flatten().collect()
            }
            Self::Months(by) => {
                let moved = |by: i32| {
                    let months = date.year? * 12 + i32::from(date.month) - 1 + by;
                    let month = u8::try_from(months.rem_euclid(12) + 1).ok()?;
                    // A month is named by its first and its last day, too.
                    let whole = matches!(date.day, Some(1 | 28..=31));
                    let day = if whole { None } else { date.day };
                    Some(Date { year: Some(months.div_euclid(12)), month, day })
                };
                [moved(by), moved(-by)].into_iter().flatten().collect()
            }
        }
    }
}

fn months(many: i64) -> Option<Shift> {
    i32::try_from(many).ok().map(Shift::Months)
}

fn is_direction(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "after",
        "before",
        "later",
        "earlier",
        "next",
        "last",
        "following",
        "previous",
        "ago",
        "in",
        "within",
        "from",
        "until",
        "past",
        "prior",
    ];
    WORDS.contains(&word)
}

fn count(word: &str) -> Option<i64> {
    const NUMBERS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if matches!(word, "a" | "an" | "the" | "next" | "last" | "following" | "previous" | "past") {
        return Some(1);
    }
    let named = NUMBERS.iter().position(|it| *it == word).and_then(|at| i64::try_from(at + 1).ok());
    named.or_else(|| word.parse().ok()).filter(|many| (1..=MOST).contains(many))
}
