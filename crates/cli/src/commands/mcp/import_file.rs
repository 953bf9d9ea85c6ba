//! [`Found`]: servers in a file that was written for another program.

use serde_json::{Map, Value};
use toolwright_core::truncate_line;

use super::file::Entry;

/// A server that was found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// What it is called here.
    pub(super) name: String,
    /// What is written, or why it is left out.
    pub(super) entry: Result<Entry, String>,
    /// What to know about it.
    pub(super) notes: Vec<String>,
}

/// Programs that fetch what they start.
const FETCHERS: [&str; 7] = ["npx", "uvx", "uv", "bunx", "pnpm", "pipx", "yarn"];

/// The servers in a text: under `mcpServers` as most programs have it, or under `servers` as VS Code has it.
///
/// # Errors
/// When it is none of both.
pub(super) fn servers(text: &str, folder: &str) -> Result<Vec<Found>, String> {
    let value: Value = serde_json::from_str(&plain(text)).map_err(|error| {
        format!("it is no JSON (line {}, column {})", error.line(), error.column())
    })?;
    let servers =
        ["mcpServers", "servers", "mcp"].iter().find_map(|key| value.get(key)?.as_object());
    let servers = servers.ok_or("there is neither `mcpServers` nor `servers` in it")?;
    Ok(servers.iter().map(|(name, server)| found(name, server, folder)).collect())
}

fn found(name: &str, server: &Value, folder: &str) -> Found {
    let mut notes = Vec::new();
    let name = usable(name);
    let entry = match server.as_object() {
        Some(server) => entry(server, folder, &mut notes),
        None => Err("it is no object".to_owned()),
    };
    Found { name, entry, notes }
}

fn entry(
    server: &Map<String, Value>,
    folder: &str,
    notes: &mut Vec<String>,
) -> Result<Entry, String> {
    let mut text = |value: &Value| -> Option<String> {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => return None,
        };
        let (value, wanted) = rewritten(&value, folder);
        notes.extend(wanted.iter().map(|it| format!("set the variable {it} before you use it")));
        Some(value.trim().to_owned())
    };
    let mut entry = Entry::default();
    // opencode writes the command as a list.
    match server.get("command") {
        Some(Value::Array(words)) => {
            let mut words = words.iter().filter_map(&mut text);
            entry.command = words.next();
            entry.args = words.collect();
        }
        Some(command) => entry.command = text(command),
        None => entry.url = server.get("url").or(server.get("serverUrl")).and_then(&mut text),
    }
    let args = server.get("args").and_then(Value::as_array);
    entry.args.extend(args.into_iter().flatten().filter_map(&mut text));
    entry.cwd = server.get("cwd").and_then(&mut text);
    let mut pairs = |key: &str| -> Vec<(String, String)> {
        let fields = server.get(key).and_then(Value::as_object);
        let fields = fields.into_iter().flatten();
        fields.filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect()
    };
    let environment = if server.contains_key("env") { "env" } else { "environment" };
    entry.env = pairs(environment);
    entry.headers = pairs("headers");
    let is = |key: &str, said: bool| server.get(key) == Some(&Value::Bool(said));
    entry.is_off = is("disabled", true) || is("enabled", false);
    if server.contains_key("envFile") {
        notes.push("its `envFile` is not read: name the variables in `env`".to_owned());
    }
    if server.get("type").and_then(Value::as_str) == Some("sse") {
        return Err(
            "it speaks the old HTTP with server-sent events, which is not spoken here".to_owned()
        );
    }
    match (&entry.command, &entry.url) {
        (None, None) => return Err("it has neither a command nor an address".to_owned()),
        (Some(command), None) => {
            entry.headers.clear();
            let program = command.rsplit('/').next().unwrap_or_default();
            if FETCHERS.contains(&program) {
                entry.network = true;
                notes.push(format!("{program} fetches what it starts: it has the network"));
            }
        }
        _ => entry.env.clear(),
    }
    Ok(entry)
}

/// A text in which variables stand as they do here, and those that somebody has to set first.
fn rewritten(text: &str, folder: &str) -> (String, Vec<String>) {
    let (mut all, mut wanted) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        all.push_str(before);
        let Some((inner, behind)) = behind.split_once('}') else {
            all.push_str("${");
            rest = behind;
            continue;
        };
        rest = behind;
        match inner.split_once(':') {
            Some(("input", id)) => {
                let name: String = id
                    .chars()
                    .map(
                        |it| if it.is_ascii_alphanumeric() { it.to_ascii_uppercase() } else { '_' },
                    )
                    .collect();
                all.push_str(&format!("${{{name}}}"));
                wanted.push(name);
            }
            Some(("env", name)) => all.push_str(&format!("${{{name}}}")),
            _ if inner == "workspaceFolder" => all.push_str(folder),
            _ => all.push_str(&format!("${{{inner}}}")),
        }
    }
    all.push_str(rest);
    (all, wanted)
}

/// A name that a server can have here.
fn usable(name: &str) -> String {
    let letters = name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' });
    let mut usable: String = letters
        .collect::<String>()
        .split('-')
        .filter(|it| !it.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    if !usable.starts_with(|it: char| it.is_ascii_alphabetic()) {
        usable = format!("s{usable}");
    }
    truncate_line(&usable, 32).trim_end_matches(['…', '-']).to_owned()
}

/// JSON without comments, and without commas behind which nothing comes.
fn plain(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut letters = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('"', _) => {
                all.push('"');
                while let Some(letter) = letters.next() {
                    all.push(letter);
                    match letter {
                        '\\' => all.extend(letters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            ('/', Some('/')) => {
                letters.by_ref().find(|it| *it == '\n');
                all.push('\n');
            }
            ('/', Some('*')) => {
                letters.next();
                let mut before = ' ';
                letters
                    .by_ref()
                    .find(|it| std::mem::replace(&mut before, *it) == '*' && *it == '/');
            }
            ('}' | ']', _) => {
                let end = all.trim_end().len();
                if all.get(..end).is_some_and(|it| it.ends_with(',')) {
                    all.truncate(end - 1);
                }
                all.push(letter);
            }
            _ => all.push(letter),
        }
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_programs_are_read() {
        let text = r#"{
            // comments, and commas that lead nowhere
            "servers": { /* VS Code */
                "git hub": {"type": "http", "url": "https://x.example/mcp",
                            "headers": {"Authorization": "Bearer ${input:github-token}",},},
                "files": {"command": "npx", "args": ["-y", "@a/b", "${workspaceFolder}", "// no comment"],
                          "env": {"K": "${env:K}"}},
                "old": {"type": "sse", "url": "https://x.example/sse"},
                "local": {"type": "local", "command": ["uvx", "x"], "environment": {"A": "b"}, "enabled": false},
            },
        }"#;
        let found = servers(text, "/here").unwrap();
        let of = |name: &str| found.iter().find(|it| it.name == name).unwrap().clone();
        let hub = of("git-hub");
        assert_eq!(hub.notes, ["set the variable GITHUB_TOKEN before you use it"]);
        let headers = vec![("Authorization".to_owned(), "Bearer ${GITHUB_TOKEN}".to_owned())];
        assert_eq!(hub.entry.unwrap().headers, headers);
        let files = of("files").entry.unwrap();
        assert_eq!(files.args, ["-y", "@a/b", "/here", "// no comment"]);
        assert_eq!(files.env, [("K".to_owned(), "${K}".to_owned())]);
        assert!(files.network && !files.is_off);
        assert!(of("old").entry.unwrap_err().contains("old HTTP"));
        let local = of("local").entry.unwrap();
        assert_eq!((local.command.as_deref(), local.is_off), (Some("uvx"), true));
    }

    #[test]
    fn names_are_made_usable() {
        for (name, usable_name) in [
            ("a__b", "a-b"),
            ("1x", "s1x"),
            ("", "s"),
            ("ä ö", "s"),
            ("my.server/x", "my-server-x"),
        ] {
            assert_eq!(usable(name), usable_name);
        }
        assert!(usable(&"x".repeat(100)).len() <= 32);
    }

    #[test]
    fn what_is_no_list_of_servers_is_told() {
        assert!(servers("{", "/").unwrap_err().contains("no JSON"));
        assert!(servers("{}", "/").unwrap_err().contains("neither"));
    }
}
