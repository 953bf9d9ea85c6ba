//! [`split`]: Markdown with front matter, as many programs write it: leniently.

use serde::de::DeserializeOwned;

/// The longest front matter, in bytes.
const LONGEST: usize = 16 << 10;

/// The front matter of a text, where it has one, and what stands below it.
pub(crate) fn split(text: &str) -> (Option<&str>, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut at = 0;
    let mut lines = text.split_inclusive('\n');
    match lines.next() {
        Some(first) if first.trim_end() == "---" => at += first.len(),
        _ => return (None, text),
    }
    let begin = at;
    for line in lines {
        if line.trim_end() == "---" {
            let front = text.get(begin..at);
            return (front, text.get(at + line.len()..).unwrap_or_default());
        }
        at += line.len();
    }
    (None, text)
}

/// What the front matter says. Where it is no YAML, it is read once more with values in quotes: people write
/// `description: Use it when: …`.
///
/// # Errors
/// Where it is none then, either.
pub(crate) fn read<T: DeserializeOwned + Default>(front: &str) -> Result<T, String> {
    if front.len() > LONGEST {
        return Err(format!("its front matter is longer than {LONGEST} bytes"));
    }
    if front.trim().is_empty() {
        return Ok(T::default());
    }
    let front = front.replace("\r\n", "\n");
    serde_saphyr::from_str(&front)
        .or_else(|error| serde_saphyr::from_str(&quoted(&front)).map_err(|_| error))
        .map_err(|error| {
            let told = error.without_snippet().to_string();
            let first = told.lines().next().unwrap_or_default().to_owned();
            format!("its front matter cannot be read: {first}")
        })
}

/// The lines `key: value` with those values in quotes that have a colon in them.
fn quoted(front: &str) -> String {
    let line = |line: &str| match line.split_once(": ") {
        Some((key, value))
            if !key.contains([' ', '"', '\'', '#'])
                && value.contains(':')
                && !value.trim_start().starts_with(['"', '\'', '[', '{', '|', '>']) =>
        {
            format!("{key}: {}", serde_json::Value::from(value.trim_end()))
        }
        _ => line.to_owned(),
    };
    front.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{read, split};

    #[test]
    fn front_matter_is_read_as_people_write_it() {
        let (front, body) = split("\u{feff}---\r\nname: x\r\n---\r\nBody\n---\n");
        assert_eq!((front, body), (Some("name: x\r\n"), "Body\n---\n"));
        assert_eq!(split("# Title\n---\nx\n---\n"), (None, "# Title\n---\nx\n---\n"));
        assert_eq!(split("---\nnever closed"), (None, "---\nnever closed"));
        let said: BTreeMap<String, String> =
            read("name: x\ndescription: Use it when: a \"b\" comes\n").unwrap();
        assert_eq!(said["description"], "Use it when: a \"b\" comes");
        assert!(read::<BTreeMap<String, String>>("a: [").unwrap_err().contains("cannot be read"));
        assert!(read::<BTreeMap<String, String>>(&"a".repeat(20_000)).is_err());
    }
}
