//! [`spoiled`]: what a change would leave that can be read no more.
//!
//! Nobody means a file that no program reads. Of what is replaced as a whole, and of what could not be read before, nothing is said.

use std::path::Path;

use serde::de::IgnoredAny;

use super::{FileError, count};

/// Larger files are not looked at: reading them takes longer than changing them.
const LARGEST: usize = 1 << 20;

/// Why a change of a part of this file is refused: it was JSON or TOML, and would not be; or it is a table, and what is added is
/// no row of it.
pub(crate) fn spoiled(path: &Path, before: &[u8], after: &[u8]) -> Result<(), FileError> {
    let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    if before.len().max(after.len()) > LARGEST || before.trim_ascii().is_empty() {
        return Ok(());
    }
    let (Ok(before), Ok(after)) = (str::from_utf8(before), str::from_utf8(after)) else {
        return Ok(());
    };
    let (form, read): (&str, Reader) = match ending.to_ascii_lowercase().as_str() {
        "json" => ("JSON", json),
        "toml" => ("TOML", toml),
        "csv" => return rows(path, before, after),
        _ => return Ok(()),
    };
    match read(after) {
        Err(reason) if read(before).is_ok() => {
            Err(FileError::Spoiled { path: path.to_owned(), form, reason })
        }
        _ => Ok(()),
    }
}

/// Reads a text; or says what is wrong with it.
type Reader = fn(&str) -> Result<(), String>;

fn json(text: &str) -> Result<(), String> {
    serde_json::from_str::<IgnoredAny>(text).map(drop).map_err(|error| error.to_string())
}

fn toml(text: &str) -> Result<(), String> {
    let told = |error: toml::de::Error| {
        let line = error.span().and_then(|it| text.get(..it.start)).map(|it| it.lines().count());
        let line = line.map(|it| format!(" at line {}", it.max(1))).unwrap_or_default();
        format!("{}{line}", error.message())
    };
    toml::from_str::<toml::Table>(text).map(drop).map_err(told)
}

/// Whether lines that stand behind all others have as many fields as each of those. Where fields may be quoted, nobody counts.
fn rows(path: &Path, before: &str, after: &str) -> Result<(), FileError> {
    let fields = |line: &str| line.split(',').count();
    let is_row = |line: &&str| !line.trim().is_empty();
    let mut there = before.lines().filter(is_row);
    let Some((head, wanted)) = there.next().map(|it| (it, fields(it))) else { return Ok(()) };
    let is_plain = !before.contains('"') && wanted > 1 && there.all(|it| fields(it) == wanted);
    let Some(added) = after.strip_prefix(before).filter(|_| is_plain) else { return Ok(()) };
    let wrong = added.lines().filter(is_row).find(|it| !it.contains('"') && fields(it) != wanted);
    wrong.map_or(Ok(()), |row| {
        Err(FileError::NoRow {
            path: path.to_owned(),
            fields: count(wanted as u64),
            head: head.to_owned(),
            row: row.to_owned(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, before: &str, after: &str) -> Option<String> {
        spoiled(Path::new(name), before.as_bytes(), after.as_bytes()).err().map(|it| it.to_string())
    }

    #[test]
    fn what_could_be_read_can_be_read_afterwards() {
        let table = "a = 1\nb = 2\n";
        assert_eq!(told("a.toml", table, "a = 1\nb = 3\n"), None);
        let said = told("/w/a.toml", table, "a = 1\nb = #\n").unwrap_or_default();
        assert!(
            said.starts_with("/w/a.toml would be no TOML any more (") && said.contains("at line 2"),
            "{said}"
        );
        let said = told("a.JSON", "[1, 2]", "[1, 2]\n3").unwrap_or_default();
        assert!(
            said.contains("no JSON any more (trailing characters at line 2 column 1)"),
            "{said}"
        );
        // What nobody could read may become whatever it becomes.
        for (name, before, after) in
            [("a.json", "{", "{{"), ("a.toml", "", "a"), ("a.txt", "{}", "{"), ("a.json", " ", "x")]
        {
            assert_eq!(told(name, before, after), None, "{name}");
        }
    }

    #[test]
    fn what_is_added_to_a_table_is_a_row() {
        let table = "date,what,amount\n02-03,coffee,-14.60\n";
        let add = |row: &str| told("a.csv", table, &format!("{table}{row}\n"));
        assert_eq!(add("03-01,tea,-2"), None);
        assert_eq!(add("03-01,\"tea, green\",-2"), None);
        assert_eq!(
            add("03-01 tea -2"),
            Some("a row of a.csv has 3 fields, as `date,what,amount`, and `03-01 tea -2` is none: put commas between its fields".to_owned())
        );
        assert_eq!(told("a.csv", "a,b\n1,\"x,y\"\n", "a,b\n1,\"x,y\"\n2"), None, "nobody counts");
        assert_eq!(told("a.csv", "a,b\n1\n", "a,b\n1\n2,3,4"), None, "no rows before");
        assert_eq!(told("a.csv", table, "# a table\n02-03 coffee"), None, "written anew");
    }
}
