//! [`UsageReport`]: what runs used and how tools did, by day, model and tool. It is read off the log: nothing
//! is counted beside it.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;
use toolwright_core::{Status, Timestamp, Usage};

use crate::{
    Store, StoreError,
    columns::{Columns, millis},
};

/// What happened from a moment on.
const SINCE: &str = "SELECT e.run, e.at, e.kind, e.body FROM event e
    WHERE e.at >= $1 AND e.kind IN ('run_started', 'done', 'error', 'call_finished')
    ORDER BY e.position";

/// The same in one owner's conversations.
const SINCE_OWNED: &str = "SELECT e.run, e.at, e.kind, e.body FROM conversation c
    JOIN event e ON e.position >= c.key << 32 AND e.position < (c.key + 1) << 32 WHERE c.owner = $1
    AND e.at >= $2 AND e.kind IN ('run_started', 'done', 'error', 'call_finished')
    ORDER BY e.position";

/// What runs used and how tools did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageReport {
    /// By day, the earliest first: days since 1970, as they are where the report is for.
    pub days: BTreeMap<i64, RunUsage>,
    /// By model. A run of which only the end lies in the time of the report has no model here.
    pub models: BTreeMap<String, RunUsage>,
    /// By tool.
    pub tools: BTreeMap<String, ToolUsage>,
}

/// What some runs used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunUsage {
    /// How many ended.
    pub runs: u64,
    /// How many of them had no answer.
    pub failed: u64,
    /// The tokens.
    pub tokens: Usage,
    /// What they cost, in millionths of the unit that the prices speak of, where one is known.
    pub cost: Option<u64>,
}

/// How a tool did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolUsage {
    /// How many calls ended.
    pub calls: u64,
    /// How many failed or took too long.
    pub failed: u64,
    /// How many were not carried out: refused by a guard, denied, cancelled, interrupted.
    pub stopped: u64,
    /// How long those took that were carried out, in milliseconds, the shortest first.
    pub elapsed: Vec<f64>,
}

impl Store {
    /// What was used since a moment. `offset` is how far the clock of whoever reads it is ahead of UTC: it says
    /// where a day begins.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn usage(&self, since: Timestamp, offset: i64) -> Result<UsageReport, StoreError> {
        let cells = vec![millis(since).into()];
        let (sql, cells) = self.view.pick([SINCE, SINCE_OWNED], cells, 0);
        let rows = self.backend.query(sql, cells, Row::read).await?;
        let mut report = UsageReport::default();
        let mut models = HashMap::new();
        for Row { run, at, told } in rows {
            match told {
                Told::Started { model } => {
                    models.insert(run, model);
                }
                Told::Ended { usage, cost, failed } => {
                    const DAY: i64 = 24 * 60 * 60 * 1000;
                    let day = millis(at).saturating_add(offset).div_euclid(DAY);
                    report.days.entry(day).or_default().add(usage, cost, failed);
                    if let Some(model) = models.remove(&run) {
                        report.models.entry(model).or_default().add(usage, cost, failed);
                    }
                }
                Told::Called { tool, status, elapsed } => {
                    report.tools.entry(tool).or_default().add(status, elapsed);
                }
            }
        }
        report.tools.values_mut().for_each(|it| it.elapsed.sort_by(f64::total_cmp));
        Ok(report)
    }
}

impl RunUsage {
    fn add(&mut self, usage: Usage, cost: Option<u64>, failed: bool) {
        self.runs += 1;
        self.failed += u64::from(failed);
        self.tokens += usage;
        if let Some(cost) = cost {
            self.cost = Some(self.cost.unwrap_or(0).saturating_add(cost));
        }
    }
}

impl ToolUsage {
    fn add(&mut self, status: Status, elapsed: f64) {
        self.calls += 1;
        match status {
            Status::Ok => {}
            Status::Failed | Status::TimedOut => self.failed += 1,
            _ => {
                self.stopped += 1;
                return;
            }
        }
        self.elapsed.push(elapsed);
    }
}

/// An event of which something is counted.
struct Row {
    /// The number of its run's first event.
    run: i64,
    at: Timestamp,
    told: Told,
}

/// What is counted of an event.
enum Told {
    Started { model: String },
    Ended { usage: Usage, cost: Option<u64>, failed: bool },
    Called { tool: String, status: Status, elapsed: f64 },
}

impl Row {
    fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        #[derive(Deserialize)]
        struct Started {
            model: String,
        }
        #[derive(Deserialize)]
        struct Ended {
            #[serde(default)]
            usage: Usage,
            cost_millionths: Option<u64>,
        }
        #[derive(Deserialize)]
        struct Called {
            tool: String,
            status: Status,
            #[serde(default)]
            elapsed_ms: f64,
        }
        fn of<'b, T: Deserialize<'b>>(body: &'b str) -> Result<T, StoreError> {
            serde_json::from_str(body).map_err(StoreError::damaged)
        }
        let (kind, body) = (row.text(2)?, row.text(3)?);
        let told = match kind {
            "run_started" => Told::Started { model: of::<Started>(body)?.model },
            "call_finished" => {
                let Called { tool, status, elapsed_ms: elapsed } = of(body)?;
                Told::Called { tool, status, elapsed }
            }
            ended => {
                let Ended { usage, cost_millionths: cost } = of(body)?;
                Told::Ended { usage, cost, failed: ended == "error" }
            }
        };
        Ok(Self { run: row.int(0)?, at: row.time(1)?, told })
    }
}
