//! [`Runs`]: which stretches of a conversation's range lead to a point in it.
//!
//! A run's events stand one behind the other, and runs one behind the other, in the order in which they
//! began. Where every run follows the one before it, what leads to a point is everything before it. A run
//! that goes on from elsewhere says where what it follows ends, which is always before its own beginning.

use std::ops::Range;

use toolwright_core::{
    Authenticity, Author, BranchPoint, ConversationId, Message, RunId, RunTree, UserMessage,
};

use crate::{
    Store, StoreError,
    backend::Backend,
    columns::Columns,
    ledger::Ledger,
    position,
    record::{Stored, message},
    sql,
};

/// How many events a run has at most before its question.
const BEGINNING: i64 = 16;

/// The runs of a conversation.
pub(crate) struct Runs {
    /// The numbers of its events, those to come among them.
    range: Range<i64>,
    /// The number that the next event gets.
    end: i64,
    /// In the order in which they began.
    runs: Vec<RunRow>,
}

/// A row of the table of runs.
pub(crate) struct RunRow {
    first: i64,
    id: RunId,
    /// Where what it follows ends, where that is not its own beginning.
    follows: Option<i64>,
}

impl RunRow {
    /// Columns as in `sql::RUNS`.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let id = RunId::from(row.text(1)?);
        Ok(Self { first: row.int(0)?, id, follows: row.maybe_int(2)? })
    }
}

impl Store {
    /// How the runs of a conversation hang together.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such conversation.
    pub async fn runs(&self, id: &ConversationId) -> Result<RunTree, StoreError> {
        let ledger = self.ledger(id).await?.filter(|ledger| ledger.runs > 0);
        let ledger = ledger.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
        Ok(of(&self.backend, &ledger).await?.tree())
    }

    /// What the user asked in this run; nothing where that was not here, or the conversation has no such run.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn question(
        &self,
        id: &ConversationId,
        run: &RunId,
    ) -> Result<Option<UserMessage>, StoreError> {
        let Some(ledger) = self.ledger(id).await? else { return Ok(None) };
        let range = position::range(ledger.key);
        let cells =
            vec![BEGINNING.into(), run.as_str().into(), range.start.into(), range.end.into()];
        let stored = self.backend.query(sql::RUN, cells, Stored::read).await?;
        let asked = stored.into_iter().filter(|stored| {
            let authenticity = stored.authenticity(&self.key, id);
            stored.kind == "message" && authenticity == Authenticity::Authentic
        });
        for stored in asked {
            let said = stored.sound().and_then(|stored| message(stored.body()));
            match &*said.map_err(|error| self.backend.locate(error))? {
                Message::User(said) if said.origin == Author::Person => {
                    return Ok(Some(said.clone()));
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// The runs of a conversation.
pub(crate) async fn of(backend: &Backend, ledger: &Ledger) -> Result<Runs, StoreError> {
    let range = position::range(ledger.key);
    let cells = vec![range.start.into(), range.end.into()];
    let runs = backend.query(sql::RUNS, cells, RunRow::read).await?;
    Ok(Runs { end: range.start.saturating_add(ledger.events), range, runs })
}

/// Somebody names a point that is not there.
pub(crate) fn no_such_point() -> StoreError {
    StoreError::Point("there is no such point in the conversation")
}

/// Somebody names a point at which a model cannot go on.
pub(crate) fn between_calls() -> StoreError {
    StoreError::Point(
        "the point is between calls and their results: go on from the last of the results, or from \
         before the calls",
    )
}

impl Runs {
    /// The number that the next event gets.
    pub(crate) fn end(&self) -> i64 {
        self.end
    }

    /// Where what the run follows that begins here ends; where none does, here.
    pub(crate) fn before(&self, number: i64) -> i64 {
        let run = self.runs.iter().rev().find(|run| run.first == number);
        run.and_then(|run| run.follows).unwrap_or(number)
    }

    /// The end of what leads to this point; nothing where there is no such point.
    pub(crate) fn until(&self, point: &BranchPoint) -> Option<i64> {
        let BranchPoint::Event { run, seq } = point else { return Some(self.range.start) };
        let at = self.runs.iter().position(|it| it.id == *run)?;
        let until = self.runs.get(at)?.first.checked_add(i64::try_from(*seq).ok()?)?;
        (until < self.end_of(at)).then_some(until + 1)
    }

    /// The events of a run.
    pub(crate) fn stretch(&self, run: &RunId) -> Option<Range<i64>> {
        let at = self.runs.iter().position(|it| it.id == *run)?;
        Some(self.runs.get(at)?.first..self.end_of(at))
    }

    /// What leads to this number, oldest first.
    pub(crate) fn path(&self, until: i64) -> Result<Vec<Range<i64>>, StoreError> {
        let (mut path, mut until) = (Vec::<Range<i64>>::new(), until);
        for run in self.runs.iter().rev() {
            if run.first >= until {
                continue;
            }
            match path.last_mut().filter(|later| later.start == until) {
                Some(later) => later.start = run.first,
                None => path.push(run.first..until),
            }
            until = run.follows.unwrap_or(run.first);
            if !(self.range.start..=run.first).contains(&until) {
                let what = format_args!("run {} follows what is not before it", run.id);
                return Err(StoreError::damaged(what));
            }
        }
        path.reverse();
        Ok(path)
    }

    /// How they hang together.
    pub(crate) fn tree(&self) -> RunTree {
        let mut tree = RunTree::new();
        for (at, run) in self.runs.iter().enumerate() {
            let after = run.follows.map(|until| self.point(until));
            let events = (self.end_of(at) - run.first).unsigned_abs();
            tree.begin(run.id.clone(), after, events);
        }
        tree
    }

    /// The point whose path ends before this number.
    fn point(&self, until: i64) -> BranchPoint {
        let before = self.runs.partition_point(|run| run.first < until);
        match before.checked_sub(1).and_then(|at| self.runs.get(at)) {
            Some(run) => {
                let seq = (until - run.first).unsigned_abs().saturating_sub(1);
                BranchPoint::Event { run: run.id.clone(), seq }
            }
            None => BranchPoint::Start,
        }
    }

    fn end_of(&self, at: usize) -> i64 {
        self.runs.get(at + 1).map_or(self.end, |next| next.first)
    }
}
