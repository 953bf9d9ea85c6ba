//! [`Table`]: rows a model reads, and no more of them than it can use.

/// Rows a model reads.
pub(crate) struct Table {
    rows: Vec<String>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new(columns: &[&str]) -> Self {
        let rule = vec!["---"; columns.len()];
        Self { rows: vec![line(columns), line(&rule)] }
    }

    /// Adds a row.
    pub(crate) fn row<S: AsRef<str>>(&mut self, cells: &[S]) {
        self.rows.push(line(cells));
    }

    /// The table.
    pub(crate) fn text(&self) -> String {
        self.rows.join("\n")
    }
}

fn line<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<_> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}
