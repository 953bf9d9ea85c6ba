//! [`Beside`]: whether a text names an identifier and what it belongs to as one.
//!
//! In `13 (IDX_I) and 2885 (NSE_EQ)` each number belongs to one segment, and near both of them stand
//! two. So it is not nearness that counts. What stands between two values joins them more or less
//! closely; an identifier takes the owner it is joined to most closely, and counts only where that
//! owner, too, has nothing that is closer to it. Where two are equally close, the order decides in which
//! the text names all of them. And where no word or sign joins the two, every other owner must have found
//! its own in the same order: in `IDX_I NIFTY 13 NSE_EQ RELIANCE 2885` the nearest is the wrong one. What
//! is left is ambiguous, and not said.

use super::values::is_identifier;

/// An identifier and its owner, as they are looked for in texts; each in its one spelling.
pub(super) struct Beside<'a> {
    pub(super) value: &'a str,
    pub(super) owner: &'a str,
    /// What else may be an owner, in small letters: the other segments there are.
    pub(super) rivals: &'a [String],
}

/// What a piece of a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Value,
    Owner,
}

/// A piece of a text that may be a value or an owner, and how it is joined to the one before.
struct Mark {
    role: Role,
    text: String,
    gap: Gap,
}

/// What stands between two marks, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    /// What joins the two: `13 (IDX_I`, `IDX_I: 13`, `13 in IDX_I`.
    Joined,
    /// Nothing that says anything: `IDX_I 13`.
    Plain,
    /// What parts the items of a list: `13, 25`, `13 and 25`.
    List,
    /// A few other words.
    Words,
    /// Too much, or the end of what was in brackets.
    Break,
}

impl Gap {
    /// How close it leaves the two. Whether a comma or a word stands between them tells nothing.
    fn distance(self) -> u8 {
        match self {
            Self::Joined => 0,
            Self::Plain => 1,
            Self::List | Self::Words => 2,
            Self::Break => 3,
        }
    }
}

/// Marks of one role that form a list.
struct Cluster {
    role: Role,
    texts: Vec<String>,
    /// How it is joined to the one before, and the least close of its own.
    gap: Gap,
    within: Gap,
}

/// More other words than this between two values, and the one is not said of the other.
const BETWEEN: usize = 3;

/// Words that join a value to its owner, or only say what it is.
const NEUTRAL: [&str; 15] = [
    "the",
    "is",
    "id",
    "ids",
    "security",
    "securities",
    "security_id",
    "exchange",
    "segment",
    "exchange_segment",
    "number",
    "code",
    "instrument",
    "index",
    "symbol",
];

/// Words that join a value to the owner behind it, and not an owner to what is behind that: in `NSE_EQ on
/// 13 November` the number is none of its.
const TOWARDS: [&str; 7] = ["in", "on", "at", "of", "from", "under", "within"];

impl Beside<'_> {
    /// Whether the text names the two as one.
    pub(super) fn is_said(&self, text: &str) -> bool {
        let marks = self.marks(text);
        let runs = marks.chunk_by(|_, next| next.gap != Gap::Break);
        runs.into_iter().any(|run| self.joined(&clusters(run)))
    }

    /// Whether a list of values with this one in it and a single owner, this one, take each other.
    fn joined(&self, run: &[Cluster]) -> bool {
        let taken = |at: usize| partner(run, at).filter(|with| partner(run, *with) == Some(at));
        let of = |role: Role| {
            let all = run.iter().enumerate();
            all.filter(move |(_, it)| it.role == role)
        };
        // Two owners in one list leave open which of them is meant.
        let is_one = |it: &Cluster| it.texts.iter().all(|text| Some(text) == it.texts.first());
        let mut orders =
            of(Role::Owner).map(|(at, it)| taken(at).filter(|_| is_one(it)).map(|with| with < at));
        let first = orders.next().flatten();
        let in_order = first.is_some() && orders.all(|it| it == first);
        of(Role::Value).any(|(at, values)| {
            let Some((with, owners)) = taken(at).and_then(|with| Some((with, run.get(with)?)))
            else {
                return false;
            };
            // The end of the list that the owner stands at, and how it is joined to it.
            let (end, gap) = if with < at {
                (values.texts.first(), values.gap)
            } else {
                (values.texts.last(), owners.gap)
            };
            let is_joined = gap == Gap::Joined && end.is_some_and(|it| it == self.value);
            owners.texts.iter().all(|it| it == self.owner)
                && values.texts.iter().any(|it| it == self.value)
                && (in_order || is_joined)
        })
    }

    fn marks(&self, text: &str) -> Vec<Mark> {
        let pieces = pieces(text);
        let (mut marks, mut end): (Vec<Mark>, usize) = (Vec::new(), 0);
        let mut rest = pieces.as_slice();
        while let Some((start, word)) = rest.first().copied() {
            let found = self.role(text, rest);
            let many = found.map_or(1, |(_, many)| many);
            if let Some((role, _)) = found {
                let (from, last) = rest.get(many - 1).copied().unwrap_or((start, word));
                let stop = from + last.len();
                let between = text.get(end..start).unwrap_or_default();
                let gap = marks.last().map(|it| self.gap(between, it.role, role));
                let text = text.get(start..stop).unwrap_or_default().to_lowercase();
                marks.push(Mark { role, text, gap: gap.unwrap_or(Gap::Break) });
                end = stop;
            }
            rest = rest.get(many..).unwrap_or_default();
        }
        marks
    }

    /// What the first of these pieces is, and how many of them.
    fn role(&self, text: &str, pieces: &[(usize, &str)]) -> Option<(Role, usize)> {
        for (wanted, role) in [(self.owner, Role::Owner), (self.value, Role::Value)] {
            if let Some(many) = spelt(text, pieces, wanted) {
                return Some((role, many));
            }
        }
        let (_, word) = pieces.first()?;
        if is_number(word) && is_number(self.value) {
            return Some((Role::Value, 1));
        }
        self.is_rival(word, text).then_some((Role::Owner, 1))
    }

    /// Whether a word may be another owner: a known one, or one that is written alike. In small letters
    /// it may as well be the name of a field, unless the owner is written so, too.
    fn is_rival(&self, word: &str, text: &str) -> bool {
        let lower = word.to_lowercase();
        let is_field = || {
            NEUTRAL.contains(&lower.as_str())
                || is_identifier(&lower)
                || (word.contains(|c: char| c.is_lowercase()) && !text.contains(self.owner))
        };
        let is_alike = word.contains('_') && self.owner.contains('_') && !is_field();
        is_alike || self.rivals.contains(&lower)
    }

    /// Whether other owners could be told from words.
    fn knows_rivals(&self) -> bool {
        !self.rivals.is_empty() || self.owner.contains('_')
    }

    fn gap(&self, gap: &str, from: Role, to: Role) -> Gap {
        let closed = gap.find([')', ']', '}']).and_then(|at| gap.get(at..)).unwrap_or_default();
        let ended = closed.contains(['}', '(', '[', '{']);
        let towards = from == Role::Value && to == Role::Owner;
        let away = from == Role::Owner && to == Role::Value;
        let (mut others, mut listed) = (0, gap.contains([',', ';', '\n', '&', '+', '.', '?', '!']));
        let (mut strange, mut joins, mut ended) = (false, false, ended);
        for (_, word) in pieces(gap) {
            match word.to_lowercase().as_str() {
                "and" | "or" => listed = true,
                it if NEUTRAL.contains(&it) => {}
                it if towards && TOWARDS.contains(&it) => joins = true,
                it if away && TOWARDS.contains(&it) => ended = true,
                _ => {
                    others += 1;
                    strange |= !word.contains(|c: char| c.is_lowercase());
                }
            }
        }
        // Where owners cannot be told from other words, one in capitals may be one.
        if ended || others > BETWEEN || (strange && !self.knows_rivals()) {
            Gap::Break
        } else if others > 0 {
            Gap::Words
        } else if listed {
            Gap::List
        } else if joins || gap.contains(['(', ':', '=']) {
            Gap::Joined
        } else {
            Gap::Plain
        }
    }
}

/// How many pieces, from the first on, spell this.
fn spelt(text: &str, pieces: &[(usize, &str)], wanted: &str) -> Option<usize> {
    let (start, _) = pieces.first()?;
    for (at, (from, word)) in pieces.iter().enumerate() {
        let said = text.get(*start..from + word.len())?.to_lowercase();
        if said == wanted {
            return Some(at + 1);
        }
        if !wanted.starts_with(&said) {
            return None;
        }
    }
    None
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words and numbers of a text, with their places. What joins digits is part of a number: a date,
/// a fraction, a time.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (mut all, mut start, mut before) = (Vec::new(), None, None);
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, c)| *c);
        let joins = matches!(c, '.' | ',' | '-' | ':' | '/') && digit(before) && digit(next);
        if is_word(c) || joins {
            start = start.or(Some(at));
        } else if let Some(from) = start.take() {
            all.extend(text.get(from..at).map(|word| (from, word)));
        }
        before = Some(c);
    }
    all.extend(start.and_then(|from| Some((from, text.get(from..)?))));
    all
}

/// The lists in a run of marks. Two owners in one list leave open which is meant.
fn clusters(run: &[Mark]) -> Vec<Cluster> {
    let mut all: Vec<Cluster> = Vec::new();
    for mark in run {
        match all.last_mut().filter(|it| it.role == mark.role && mark.gap <= Gap::List) {
            Some(last) => {
                last.texts.push(mark.text.clone());
                last.within = last.within.max(mark.gap);
            }
            None => all.push(Cluster {
                role: mark.role,
                texts: vec![mark.text.clone()],
                gap: mark.gap,
                within: Gap::Joined,
            }),
        }
    }
    all
}

/// The place of the list that this one is joined to most closely; of two that are equally close, the one
/// on the side that the run's order tells.
fn partner(run: &[Cluster], at: usize) -> Option<usize> {
    let it = run.get(at)?;
    let other = |at: usize| run.get(at).filter(|other| other.role != it.role);
    let before = at.checked_sub(1).filter(|at| other(*at).is_some()).map(|at| (it.gap, at));
    let after = other(at + 1).map(|other| (other.gap, at + 1));
    let (Some((left, before)), Some((right, after))) = (before, after) else {
        return before.or(after).map(|(_, at)| at);
    };
    let (left, right) = (left.distance(), right.distance());
    // A list whose ends are closer to what is around it than to each other is none.
    if it.within.distance() > left.max(right) {
        return None;
    }
    let (first, last) = (run.first()?.role, run.last()?.role);
    match left.cmp(&right) {
        std::cmp::Ordering::Less => Some(before),
        std::cmp::Ordering::Greater => Some(after),
        // All begin with the one and end with the other: what began it is in front.
        std::cmp::Ordering::Equal if first != last => {
            Some(if it.role == first { after } else { before })
        }
        std::cmp::Ordering::Equal => None,
    }
}
