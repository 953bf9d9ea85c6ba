//! [`Ledger`]: a conversation's row, and the rules by which events join it.
//!
//! The rules stand here once, without a database: a conversation has one holder; its runs follow
//! one another; a run's events follow one another. Both backends read the row within their
//! transaction, ask it, and write what it says.

use std::collections::{HashMap, HashSet};

use toolwright_core::{BranchPoint, ConversationId, RunId};

use crate::{
    StoreError,
    columns::{Columns, millis},
    position,
    record::{Mark, Record},
};

/// A conversation's row.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    pub(crate) key: i64,
    pub(crate) id: ConversationId,
    /// Which holder may append: each gets a higher number than anybody before.
    pub(crate) epoch: i64,
    pub(crate) title: String,
    pub(crate) last_answer: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) runs: i64,
    pub(crate) messages: i64,
    /// How many events there are; the next one's place.
    pub(crate) events: i64,
    /// The number of the last digest of a run that has ended: loading starts there.
    pub(crate) snapshot: Option<i64>,
    /// The run that has not ended.
    pub(crate) open: Option<Open>,
    /// How many runs do not follow the run before them.
    pub(crate) branches: i64,
    /// Whose it is; nobody's where nobody is named.
    pub(crate) owner: Option<String>,
}

/// A run that has not ended.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) run: RunId,
    /// The number of its first event.
    pub(crate) first: i64,
    /// The number of its last digest.
    pub(crate) snapshot: Option<i64>,
}

/// What a holder was given: appending is allowed as long as the row says the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) id: ConversationId,
    pub(crate) key: i64,
    pub(crate) epoch: i64,
}

/// Events to append in one piece.
#[derive(Clone, Debug)]
pub(crate) struct Append {
    pub(crate) claim: Claim,
    pub(crate) records: Vec<Record>,
}

/// An event and where it belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) number: i64,
    /// The number of its run's first event.
    pub(crate) first: i64,
    /// Where what its run follows ends, where it begins one and that is not the end of the run before.
    pub(crate) follows: Option<i64>,
    pub(crate) record: &'a Record,
}

/// The numbers of events behind which runs go on, by run and place.
pub(crate) type Points = HashMap<(RunId, u64), i64>;

impl Append {
    /// The events behind which its runs go on.
    pub(crate) fn points(&self) -> impl Iterator<Item = (&RunId, u64)> {
        self.records.iter().filter_map(|record| match &record.mark {
            Mark::Started { after: Some(BranchPoint::Event { run, seq }), .. } => Some((run, *seq)),
            _ => None,
        })
    }
}

impl Entry<'_> {
    /// Whether a run begins here.
    pub(crate) fn begins(&self) -> bool {
        self.number == self.first
    }
}

impl Ledger {
    /// Columns as in `sql::LEDGER`.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let open = match (row.maybe_text(11)?, row.maybe_int(12)?) {
            (Some(run), Some(first)) => {
                Some(Open { run: RunId::from(run), first, snapshot: row.maybe_int(13)? })
            }
            _ => None,
        };
        Ok(Self {
            key: row.int(0)?,
            id: ConversationId::from(row.text(1)?),
            epoch: row.int(2)?,
            title: row.text(3)?.to_owned(),
            last_answer: row.maybe_text(4)?.map(str::to_owned),
            created_at: row.int(5)?,
            updated_at: row.int(6)?,
            runs: row.int(7)?,
            messages: row.int(8)?,
            events: row.int(9)?,
            snapshot: row.maybe_int(10)?,
            open,
            branches: row.int(14)?,
            owner: row.maybe_text(15)?.map(str::to_owned),
        })
    }

    /// Takes events in, or refuses them and stays as it is.
    pub(crate) fn admit<'a>(
        &mut self,
        append: &'a Append,
        points: &Points,
    ) -> Result<Vec<Entry<'a>>, StoreError> {
        if self.epoch != append.claim.epoch {
            return Err(StoreError::NotHeld(self.id.clone()));
        }
        let mut after = self.clone();
        // Runs may go on behind events that come with them.
        let named: HashSet<_> = append.points().collect();
        let mut points = points.clone();
        let mut entries = Vec::with_capacity(append.records.len());
        for record in &append.records {
            let entry = after.take(record, &points)?;
            if named.contains(&(&record.run, record.seq)) {
                points.insert((record.run.clone(), record.seq), entry.number);
            }
            entries.push(entry);
        }
        *self = after;
        Ok(entries)
    }

    fn take<'a>(&mut self, record: &'a Record, points: &Points) -> Result<Entry<'a>, StoreError> {
        let follows = self.followed(record, points)?;
        let number = position::number(self.key, self.events)?;
        let first = match &record.mark {
            Mark::Started { conversation, .. } => self.begin(record, conversation, number)?,
            _ => self.follow(record, number)?,
        };
        let at = millis(record.at);
        self.created_at = if self.events == 0 { at } else { self.created_at };
        // A clock that was set back does not make a conversation older than it is.
        self.updated_at = self.updated_at.max(at);
        self.events += 1;
        match &record.mark {
            Mark::Asked(title) => {
                self.messages += 1;
                if self.title.is_empty() {
                    self.title.clone_from(title);
                }
            }
            Mark::Said => self.messages += 1,
            Mark::Compacted => {
                if let Some(open) = &mut self.open {
                    open.snapshot = Some(number);
                }
            }
            Mark::Ended(answer) => {
                let ended = self.open.take();
                self.snapshot = ended.and_then(|run| run.snapshot).or(self.snapshot);
                self.last_answer = answer.clone().or_else(|| self.last_answer.take());
            }
            Mark::Started { .. } | Mark::Nothing => {}
        }
        if follows.is_some() {
            self.branches += 1;
            // What was answered last may be what this run is to do better.
            self.last_answer = None;
        }
        Ok(Entry { number, first, follows, record })
    }

    /// Where what a run follows ends, where it begins here and says so.
    fn followed(&self, record: &Record, points: &Points) -> Result<Option<i64>, StoreError> {
        let range = position::range(self.key);
        let until = match &record.mark {
            Mark::Started { after: Some(BranchPoint::Start), .. } => Some(range.start),
            Mark::Started { after: Some(BranchPoint::Event { run, seq }), .. } => {
                let number = points.get(&(run.clone(), *seq));
                // An event of another conversation leads nowhere here.
                number.filter(|number| range.contains(number)).map(|number| number + 1)
            }
            _ => return Ok(None),
        };
        let rootless = || {
            let run = &record.run;
            conflict(format_args!("run {run} goes on from an event that is not there"))
        };
        until.map(Some).ok_or_else(rootless)
    }

    fn begin(
        &mut self,
        record: &Record,
        conversation: &ConversationId,
        number: i64,
    ) -> Result<i64, StoreError> {
        let run = &record.run;
        if *conversation != self.id {
            return Err(conflict(format_args!(
                "run {run} belongs to the conversation {conversation}, not to {}",
                self.id
            )));
        }
        if let Some(open) = &self.open {
            return Err(conflict(format_args!(
                "run {run} cannot begin: run {} of the conversation {} has not ended",
                open.run, self.id
            )));
        }
        if record.seq != 0 {
            return Err(conflict(format_args!("run {run} begins with event {}", record.seq)));
        }
        check_id(run.as_str())?;
        self.runs += 1;
        self.open = Some(Open { run: run.clone(), first: number, snapshot: None });
        Ok(number)
    }

    fn follow(&self, record: &Record, number: i64) -> Result<i64, StoreError> {
        let run = &record.run;
        let Some(open) = self.open.as_ref().filter(|open| open.run == *run) else {
            return Err(conflict(format_args!(
                "run {run} takes no more events: it has ended, or was never begun in {}",
                self.id
            )));
        };
        let next = (number - open.first).unsigned_abs();
        if record.seq != next {
            return Err(conflict(format_args!(
                "event {} of run {run} stands where event {next} belongs",
                record.seq
            )));
        }
        Ok(open.first)
    }
}

/// Ids come from elsewhere, and one database takes what another does not.
pub(crate) fn check_id(id: &str) -> Result<(), StoreError> {
    if id.is_empty() || id.len() > 200 || id.contains(char::is_control) {
        let id: String = id.chars().filter(|c| !c.is_control()).take(40).collect();
        return Err(StoreError::Invalid(format!(
            "the id `{id}` is empty, longer than 200 bytes, or has control characters in it"
        )));
    }
    Ok(())
}

/// A run's id that another conversation has.
pub(crate) fn taken(run: &RunId) -> StoreError {
    conflict(format_args!("run {run} exists already"))
}

fn conflict(what: std::fmt::Arguments<'_>) -> StoreError {
    StoreError::Conflict(what.to_string())
}
