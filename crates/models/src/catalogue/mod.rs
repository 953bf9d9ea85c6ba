//! [`Facts`]: what is known of a model by its name: how much it reads and writes, what it takes, what it costs.
//!
//! All of it is data, in `rows.rs`, and settings say otherwise where it is wrong.

mod rows;

use toolwright_core::Price;

use self::rows::ROWS;
pub(crate) use self::rows::Row;

/// What is known of a model. Nothing where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// How many tokens it reads.
    pub window: Option<u64>,
    /// How many tokens it writes at most.
    pub max_output: Option<u64>,
    /// What a million tokens cost, in dollars.
    pub price: Option<Price>,
    /// Whether it sees pictures.
    pub images: Option<bool>,
    /// Whether it reads PDFs.
    pub pdf: Option<bool>,
    /// Whether it hears.
    pub audio: Option<bool>,
    /// Whether it thinks before it answers.
    pub reasons: Option<bool>,
}

impl Facts {
    /// What is known of the model of this name, whoever runs it: everything but what it costs there.
    pub fn of(model: &str) -> Self {
        row(model).map_or_else(Self::default, |row| Self { price: None, ..row.facts() })
    }

    /// What is known of the model of this name at this vendor, the price included where the vendor is the one
    /// that asks it.
    pub fn at(vendor: &str, model: &str) -> Self {
        match row(model) {
            Some(row) if row.vendor == vendor => row.facts(),
            _ => Self::of(model),
        }
    }

    /// Every model known: its vendor, the beginning of its name, and what is known of it.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str, Self)> {
        ROWS.iter().map(|row| (row.vendor, row.prefix, row.facts()))
    }
}

/// The row with the longest beginning of this name. What stands in front of a slash is the name's owner, as
/// routers write it.
fn row(model: &str) -> Option<&'static Row> {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.split([':', '@']).next().unwrap_or(name);
    let begins = |row: &&Row| {
        let rest = name.strip_prefix(row.prefix);
        // `gpt-5` is not the beginning of `gpt-52`, nor of `gpt-5.9`.
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    ROWS.iter().filter(begins).max_by_key(|row| row.prefix.len())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::Facts;

    #[test]
    fn the_longest_beginning_counts() {
        let price = |vendor, name| Facts::at(vendor, name).price.map(|it| it.input);
        assert_eq!(price("openai", "gpt-5"), Some(1.25));
        assert_eq!(price("openai", "gpt-5-mini"), Some(0.25));
        assert_eq!(price("openai", "gpt-5-2026-08-07"), Some(1.25));
        assert_eq!(price("openai", "gpt-5.9"), None, "a version nobody knows");
        assert_eq!(price("anthropic", "claude-sonnet-5-5"), Some(2.0));
        assert_eq!(price("openrouter", "anthropic/claude-sonnet-5-5"), None, "another's price");
        assert_eq!(Facts::of("anthropic/claude-sonnet-5-5").window, Some(1_000_000));
        assert_eq!(Facts::of("gpt-oss-20b").images, Some(false));
        assert_eq!(Facts::of("a-model-of-ones-own"), Facts::default());
    }

    #[test]
    fn no_row_hides_another() {
        for (vendor, prefix, facts) in Facts::all() {
            assert_eq!(Facts::at(vendor, prefix), facts, "{prefix} stands there twice");
        }
    }

    /// `UPDATE=1 cargo test -p toolwright-models catalogue` writes the table of the docs.
    #[test]
    fn the_docs_tell_what_is_known() {
        let mut table = String::from(
            "| Model | Reads | Writes | In | Cached | Out | Takes |\n|---|---|---|---|---|---|---|\n",
        );
        for (vendor, prefix, facts) in Facts::all() {
            let thousands =
                |it: Option<u64>| it.map_or("?".to_owned(), |it| format!("{} k", it / 1000));
            let price = facts.price.unwrap_or_default();
            let cached = price.cached_input.map_or("-".to_owned(), |it| it.to_string());
            let takes = [(facts.images, "pictures"), (facts.pdf, "PDFs"), (facts.audio, "sounds")];
            let takes = takes.iter().filter(|(is, _)| *is == Some(true)).map(|(_, it)| *it);
            let takes = takes.collect::<Vec<_>>().join(", ");
            let takes = if takes.is_empty() { "text" } else { &takes };
            writeln!(
                table,
                "| `{vendor}:{prefix}` | {} | {} | {} | {cached} | {} | {takes} |",
                thousands(facts.window),
                thousands(facts.max_output),
                price.input,
                price.output,
            )
            .unwrap();
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/catalogue.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (before, rest) = page.split_once("<!-- table -->\n").unwrap();
        let (_, after) = rest.split_once("<!-- end of table -->").unwrap();
        let wanted = format!("{before}<!-- table -->\n{table}<!-- end of table -->{after}");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &wanted).unwrap();
        }
        assert!(page == wanted || std::env::var_os("UPDATE").is_some(), "docs/catalogue.md is old");
    }
}
