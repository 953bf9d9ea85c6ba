//! [`Table`]: rows and columns, in the width there is.

use pulldown_cmark::Alignment;

use super::wrap::{Line, Span, width, wrapped};
use crate::style::DIM;

/// What stands between two columns.
const GAP: usize = 2;
/// How narrow a column becomes at most, for the others to have room.
const NARROWEST: usize = 8;

/// A table: the first row is its head.
#[derive(Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) rows: Vec<Vec<Line>>,
}

impl Table {
    /// Its lines, with a rule below the head.
    pub(super) fn lines(&self, room: usize) -> Vec<Line> {
        let widths = self.widths(room);
        let mut lines = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            lines.extend(self.row(row, &widths));
            if at == 0 {
                let rules = widths.iter().map(|width| "─".repeat(*width));
                let rule = rules.collect::<Vec<_>>().join(&" ".repeat(GAP));
                lines.push(vec![Span::new(&rule, Some(DIM))]);
            }
        }
        lines
    }

    /// How wide the columns are: as what stands in them, and where that is too wide the widest give way.
    fn widths(&self, room: usize) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or_default().max(1)
        };
        let mut widths: Vec<usize> = (0..columns).map(widest).collect();
        let room = room.saturating_sub(GAP * columns.saturating_sub(1));
        let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
        while excess > 0 {
            let Some(widest) = widths.iter_mut().max() else { break };
            if *widest <= NARROWEST {
                break;
            }
            *widest -= 1;
            excess -= 1;
        }
        widths
    }

    /// A row, of as many lines as its highest cell.
    fn row(&self, cells: &[Line], widths: &[usize]) -> Vec<Line> {
        let cells: Vec<_> = cells.iter().zip(widths).map(|(it, wide)| wrapped(it, *wide)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        let line = |at: usize| {
            let mut line = Line::new();
            for (column, (cell, wide)) in cells.iter().zip(widths).enumerate() {
                let content = cell.get(at).cloned().unwrap_or_default();
                let free = wide.saturating_sub(width(&content));
                let left = match self.alignments.get(column) {
                    Some(Alignment::Right) => free,
                    Some(Alignment::Center) => free / 2,
                    _ => 0,
                };
                let gap = if column > 0 { GAP } else { 0 };
                line.push(Span::plain(&" ".repeat(gap + left)));
                line.extend(content);
                if column + 1 < cells.len() {
                    line.push(Span::plain(&" ".repeat(free - left)));
                }
            }
            line
        };
        (0..height).map(line).collect()
    }
}
