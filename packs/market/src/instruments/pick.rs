//! Picking: which contracts of a ticker come first.

use jiff::civil::Date;

use super::{
    contract::{Contract, Shape, When},
    filter::Filter,
    table::{Group, Part, Row, Table},
};

/// How many strikes on either side of the wanted one are looked at, with both sides of each.
const AROUND: usize = 8;

/// How far from what was asked for a strike may be, as a part of it.
const APART: f64 = 0.25;

/// The rows of a part of a group that pass, as they are browsed: the nearest expiry first, and
/// of one expiry's options those in the middle, since the price is most likely there.
pub(super) fn browse<'t>(
    table: &'t Table,
    group: &Group,
    part: Part,
    filter: &Filter,
    limit: usize,
) -> Vec<&'t Row> {
    let mut found: Vec<&Row> = Vec::new();
    let rows = table.part(group, part);
    if part != Part::Options {
        found.extend(rows.iter().filter(|row| filter.passes(row)).take(limit));
        return found;
    }
    for run in runs(rows) {
        if found.len() >= limit {
            break;
        }
        found.extend(middle(run, filter, limit - found.len()));
    }
    found
}

/// The rows of one exchange and one expiry, together.
fn runs(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let key = |row: &Row| (row.segment, row.expiry);
        // Galloping over hundreds of strikes is much cheaper than looking at each.
        let end = rest.partition_point(|row| key(row) == key(first)).max(1);
        let (run, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(run)
    })
}

fn middle<'t>(run: &'t [Row], filter: &Filter, limit: usize) -> Vec<&'t Row> {
    let passing: Vec<&Row> = run.iter().filter(|row| filter.passes(row)).collect();
    let strike = |row: Option<&&Row>| row.and_then(|row| row.strike).unwrap_or(0.0);
    let centre = strike(passing.get(passing.len() / 2));
    let mut sorted = passing;
    let apart = |row: &&Row| (row.strike.unwrap_or(0.0) - centre).abs();
    sorted.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
    sorted.truncate(limit);
    sorted
}

/// The contracts of a group that a text asks for, the best first. A date or a strike that does not
/// exist gives the nearest that does.
pub(super) fn contracts<'t>(
    table: &'t Table,
    group: &Group,
    wanted: &Contract,
    filter: &Filter,
    limit: usize,
) -> Vec<&'t Row> {
    let mut found = Vec::new();
    if !matches!(wanted.shape, Shape::Option(_)) {
        for run in timely(table.part(group, Part::Futures), wanted.when, filter) {
            found.extend(run.iter().filter(|row| filter.passes(row)));
        }
    }
    if found.len() < limit && wanted.shape != Shape::Future {
        let rows = table.part(group, Part::Options);
        found.extend(options(rows, wanted, filter, limit - found.len()));
    }
    found
}

fn options<'t>(rows: &'t [Row], wanted: &Contract, filter: &Filter, limit: usize) -> Vec<&'t Row> {
    let fits = |row: &&Row| {
        filter.passes(row)
            && !matches!(wanted.shape, Shape::Option(Some(side)) if row.side != Some(side))
    };
    let runs = timely(rows, wanted.when, filter);
    let Some(strike) = wanted.strike else {
        let mut found = Vec::new();
        for run in runs {
            let sorted = middle(run, filter, run.len());
            found.extend(sorted.into_iter().filter(fits).take(limit - found.len()));
        }
        return found;
    };
    let apart = |row: &&Row| (row.strike.unwrap_or(0.0) - strike).abs();
    let mut found: Vec<&Row> =
        runs.into_iter().flat_map(|run| around(run, strike)).filter(fits).collect();
    found.retain(|row| apart(row) <= strike * APART);
    if found.iter().any(|row| apart(row) == 0.0) {
        found.retain(|row| apart(row) == 0.0);
    }
    // Stable: of equally near ones the nearest expiry stays first.
    found.sort_by(|a, b| apart(a).total_cmp(&apart(b)));
    found.truncate(limit);
    // `nifty aug 2026 call` means a year, where no strike is near it.
    if found.is_empty() && wanted.when.month.is_some() && (2020.0..2050.0).contains(&strike) {
        let year = Some(strike as i16);
        let when = When { year, ..wanted.when };
        let open = Contract { strike: None, when, ..wanted.clone() };
        return options(rows, &open, filter, limit);
    }
    found
}

/// The rows of a run with strikes near this one.
fn around(run: &[Row], strike: f64) -> &[Row] {
    let at = run.partition_point(|row| row.strike.unwrap_or(0.0) < strike);
    let start = at.saturating_sub(2 * AROUND);
    let end = (at + 2 * AROUND).min(run.len());
    run.get(start..end).unwrap_or_default()
}

/// The runs that end when they should; those of the month, if there is no such day; else all.
fn timely<'t>(rows: &'t [Row], when: When, filter: &Filter) -> Vec<&'t [Row]> {
    let alive = |run: &&[Row]| run.first().is_some_and(|row| filter.passes(row));
    let all: Vec<&[Row]> = runs(rows).filter(alive).collect();
    if when.is_open() {
        return all;
    }
    for fits in [When::is_day, When::is_year, When::is_month] {
        let fits = |day: Date| fits(&when, day);
        let day = |run: &&&[Row]| run.first().and_then(|row| row.expiry).is_some_and(fits);
        let fitting: Vec<&[Row]> = all.iter().filter(day).copied().collect();
        if !fitting.is_empty() {
            return fitting;
        }
    }
    all
}
