//! [`RunTree`]: how the runs of a conversation hang together.
//!
//! A conversation's log only grows. A question that is asked again, an edited one, or one that goes on
//! from the middle is a run that names the event behind which it goes on ([`BranchPoint`]); what came
//! after that event is still in the log and was not said as far as this run is concerned. So a
//! conversation is a tree of runs, and what a model is sent is one path through it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{Event, EventKind, RunId};

/// Where a run goes on from, where that is not the end of the run before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum BranchPoint {
    /// Before anything was said.
    Start,
    /// Behind this event of that run.
    Event {
        /// The run.
        run: RunId,
        /// The event's place in it.
        seq: u64,
    },
}

impl BranchPoint {
    /// The run it is in; nothing where that is before the first.
    pub fn run(&self) -> Option<&RunId> {
        match self {
            Self::Start => None,
            Self::Event { run, .. } => Some(run),
        }
    }
}

/// The runs of a conversation, and which goes on from where.
#[derive(Clone, Debug, Default)]
pub struct RunTree {
    /// In the order in which they began.
    runs: Vec<Node>,
    places: HashMap<RunId, usize>,
}

#[derive(Clone, Debug)]
struct Node {
    id: RunId,
    from: BranchPoint,
    /// How many events it has.
    events: u64,
}

/// One path through a conversation: the events that lead to one run.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// The runs on it, the oldest first, each with how many of its events belong to it.
    runs: Vec<(RunId, u64)>,
    counts: HashMap<RunId, u64>,
}

impl RunTree {
    /// No runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes note of the conversation's next event, of those that are kept.
    pub fn take(&mut self, event: &Event) {
        if event.kind.is_provisional() {
            return;
        }
        if let EventKind::RunStarted { after, .. } = &event.kind {
            self.begin(event.run.clone(), after.clone(), 0);
        }
        if let Some(node) = self.places.get(&event.run).and_then(|at| self.runs.get_mut(*at)) {
            node.events += 1;
        }
    }

    /// Takes note of the conversation's next run, which has this many events so far. Without a point of
    /// its own, or with one that is not there, it goes on from the end of the run before it.
    pub fn begin(&mut self, id: RunId, after: Option<BranchPoint>, events: u64) {
        let known = |point: &BranchPoint| match point {
            BranchPoint::Start => true,
            BranchPoint::Event { run, seq } => {
                self.node(run).is_some_and(|node| *seq < node.events)
            }
        };
        let from = after.filter(known).unwrap_or_else(|| self.end());
        self.places.insert(id.clone(), self.runs.len());
        self.runs.push(Node { id, from, events });
    }

    /// Takes note that a run has this many events by now. One that is not there stays unknown.
    pub fn grow(&mut self, run: &RunId, events: u64) {
        if let Some(node) = self.places.get(run).and_then(|at| self.runs.get_mut(*at)) {
            node.events = node.events.max(events);
        }
    }

    /// Where the next run goes on if nobody says otherwise: behind the last event.
    pub fn end(&self) -> BranchPoint {
        self.runs.last().map_or(BranchPoint::Start, Node::end)
    }

    /// The point behind a run's last event; nothing where there is no such run.
    pub fn end_of(&self, run: &RunId) -> Option<BranchPoint> {
        self.node(run).map(Node::end)
    }

    /// The runs, in the order in which they began.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = &RunId> {
        self.runs.iter().map(|node| &node.id)
    }

    /// Where a run went on from; nothing where there is no such run.
    pub fn origin(&self, run: &RunId) -> Option<&BranchPoint> {
        self.node(run).map(|node| &node.from)
    }

    /// The runs that go on from the same point as this one, itself among them, in the order in which
    /// they began: the versions of one question.
    pub fn versions(&self, run: &RunId) -> Vec<&RunId> {
        let Some(from) = self.origin(run) else { return Vec::new() };
        self.runs.iter().filter(|node| node.from == *from).map(|node| &node.id).collect()
    }

    /// Whether no run has another version.
    pub fn is_line(&self) -> bool {
        let ends = std::iter::once(BranchPoint::Start).chain(self.runs.iter().map(Node::end));
        self.runs.iter().zip(ends).all(|(node, end)| node.from == end)
    }

    /// The newest run that goes on from the end of this one, and so on: where a reader who chose this
    /// version wants to be.
    pub fn tip<'a>(&'a self, run: &'a RunId) -> &'a RunId {
        let next = |node: &'a Node| {
            let parent = node.from.run().and_then(|run| self.node(run))?;
            (parent.end() == node.from).then_some((&parent.id, &node.id))
        };
        let next: HashMap<_, _> = self.runs.iter().filter_map(next).collect();
        // Runs only go on from earlier ones, so that this comes to an end.
        let mut tip = run;
        while let Some(run) = next.get(tip) {
            tip = *run;
        }
        tip
    }

    /// What leads to the end of this run, wherever that will be: what happens in it later is on it, too.
    pub fn branch(&self, head: &RunId) -> Branch {
        let Some(node) = self.node(head) else { return Branch::default() };
        let mut branch = self.branch_to(&node.from);
        branch.runs.push((head.clone(), u64::MAX));
        branch.counts.insert(head.clone(), u64::MAX);
        branch
    }

    /// What leads to the end of the newest run: what was said, if nobody asks for another version.
    pub fn newest(&self) -> Branch {
        self.runs.last().map(|node| self.branch(&node.id)).unwrap_or_default()
    }

    /// What leads to this point.
    pub fn branch_to(&self, point: &BranchPoint) -> Branch {
        let (mut runs, mut at) = (Vec::new(), point);
        while let BranchPoint::Event { run, seq } = at {
            let Some(node) = self.node(run) else { break };
            runs.push((run.clone(), seq + 1));
            at = &node.from;
        }
        runs.reverse();
        Branch { counts: runs.iter().cloned().collect(), runs }
    }

    fn node(&self, run: &RunId) -> Option<&Node> {
        self.places.get(run).and_then(|at| self.runs.get(*at))
    }
}

impl Node {
    fn end(&self) -> BranchPoint {
        match self.events.checked_sub(1) {
            Some(seq) => BranchPoint::Event { run: self.id.clone(), seq },
            // Nothing was said in it yet.
            None => self.from.clone(),
        }
    }
}

impl Branch {
    /// Whether it goes through this event.
    pub fn has(&self, event: &Event) -> bool {
        self.counts.get(&event.run).is_some_and(|count| event.seq < *count)
    }

    /// The runs on it, the oldest first.
    pub fn runs(&self) -> impl DoubleEndedIterator<Item = &RunId> {
        self.runs.iter().map(|(run, _)| run)
    }

    /// The runs on it, the oldest first, each with how many of its events are on it; the last may grow.
    pub fn stretches(&self) -> impl DoubleEndedIterator<Item = (&RunId, u64)> {
        self.runs.iter().map(|(run, count)| (run, *count))
    }
}
