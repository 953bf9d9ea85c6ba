//! [`Match`]: an instrument that a text found, and what it leaves out of the text.

use super::{
    account::Account,
    lexicon::Source,
    parts::{Part, parts},
    search::Search,
    table::Row,
};
use crate::{Instrument, Key, Segment};

/// An instrument that a text found, and how it accounts for the text.
#[derive(Clone, Debug)]
pub struct Match {
    /// What was found.
    pub instrument: Instrument,
    /// The words of the text that nothing about the instrument accounts for. Where there are some, it
    /// is only near to what was asked for.
    pub left_out: Vec<String>,
    /// By what kind of name the text calls it, if by a whole one.
    pub named: Option<Source>,
}

impl<'i> Search<'i> {
    /// What a text finds, the best first. Where something accounts for all of it, only what does.
    pub(super) fn matches(&self, text: &str) -> Vec<Match> {
        let table = &self.instruments.table;
        let rated = |row: &'i Row| (row, Account::of(text, row, self.instruments));
        let fits = |it: &(&Row, Account)| it.1.left_out.is_empty();
        // What has a number of the text for its own is found by nothing else.
        let numbered = self.numbered(text).map(rated).filter(fits);
        let mut all: Vec<(&Row, Account)> = Vec::new();
        for it in numbered.chain(self.rows(text).into_iter().map(rated)) {
            if !all.iter().any(|(row, _)| std::ptr::eq(*row, it.0)) {
                all.push(it);
            }
        }
        if all.iter().any(fits) {
            all.retain(fits);
        }
        all.truncate(self.limit);
        let all = all.into_iter().map(|(row, Account { left_out, named })| Match {
            instrument: table.instrument(row),
            left_out,
            named,
        });
        all.collect()
    }

    /// The rows whose own number stands in a text.
    fn numbered(&self, text: &str) -> impl Iterator<Item = &'i Row> {
        let numbers = parts(text).into_iter().filter_map(|it| match it {
            Part::Number(_, typed) => typed.parse().ok(),
            _ => None,
        });
        let keys =
            numbers.flat_map(|id: u64| Segment::ALL.iter().map(move |it| Key { segment: *it, id }));
        let rows = keys.filter_map(|key| self.instruments.table.find(key));
        rows.filter(|row| self.filter.passes(row))
    }
}
