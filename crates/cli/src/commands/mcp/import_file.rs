//! [`Found`]: servers in a file that was written for another program.

use std::path::Path;

use serde_json::{Map, Value};
use toolwright_app::config::McpEntry as Entry;
use toolwright_core::truncate_line;

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

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON, with comments.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Form {
    /// That of a file, by its name.
    pub(super) fn of(path: &Path) -> Self {
        match path.extension().and_then(|it| it.to_str()) {
            Some("toml") => Self::Toml,
            Some("yaml" | "yml") => Self::Yaml,
            _ => Self::Json,
        }
    }

    /// What stands in a text.
    fn read(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Json => serde_json::from_str(&plain(text)).map_err(|error| {
                format!("it is no JSON (line {}, column {})", error.line(), error.column())
            }),
            // What is wrong may stand beside a secret: nothing of the text is repeated.
            Self::Toml => toml::from_str(text).map_err(|_| "it is no TOML".to_owned()),
            Self::Yaml => serde_saphyr::from_str(text).map_err(|_| "it is no YAML".to_owned()),
        }
    }
}

/// Under which of these programs keep their servers.
const SECTIONS: [&str; 6] =
    ["mcpServers", "servers", "mcp_servers", "context_servers", "extensions", "mcp"];

/// The servers in a text: under `mcpServers` as most programs have it, `servers` as VS Code, `mcp_servers` as Codex,
/// `context_servers` as Zed, `extensions` as Goose, or `mcp` as opencode.
///
/// # Errors
/// When it has none of them.
pub(super) fn servers(form: Form, text: &str, folder: &str) -> Result<Vec<Found>, String> {
    let value = form.read(text)?;
    let servers = SECTIONS.iter().find_map(|key| value.get(key)?.as_object());
    let servers =
        servers.ok_or_else(|| format!("there is none of {} in it", SECTIONS.join(", ")))?;
    Ok(servers.iter().map(|(name, server)| found(name, server, folder)).collect())
}

fn found(name: &str, server: &Value, folder: &str) -> Found {
    let mut notes = Vec::new();
    let name = usable(name);
    let entry = match server.as_object() {
        Some(server) => entry(server, folder, &mut notes),
        None => Err("it is no object".to_owned()),
    };
    if entry.is_err() {
        // They are about what is written.
        notes.clear();
    }
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
    match server.get("command").or(server.get("cmd")) {
        Some(Value::Array(words)) => {
            let mut words = words.iter().filter_map(&mut text);
            entry.command = words.next();
            entry.args = words.collect();
        }
        Some(command) => entry.command = text(command),
        None => {
            let mut url =
                ["url", "serverUrl", "httpUrl", "uri"].iter().filter_map(|it| server.get(*it));
            entry.url = url.next().and_then(&mut text);
        }
    }
    let args = server.get("args").and_then(Value::as_array);
    entry.args.extend(args.into_iter().flatten().filter_map(&mut text));
    entry.cwd = server.get("cwd").and_then(&mut text);
    let mut pairs = |key: &str| -> Vec<(String, String)> {
        let fields = server.get(key).and_then(Value::as_object);
        let fields = fields.into_iter().flatten();
        fields.filter_map(|(name, value)| Some((name.clone(), text(value)?))).collect()
    };
    entry.env = ["env", "environment", "envs"].iter().flat_map(|it| pairs(it)).collect();
    entry.headers = ["headers", "http_headers"].iter().flat_map(|it| pairs(it)).collect();
    let token = server.get("bearer_token_env_var").and_then(Value::as_str);
    entry.bearer_token_env = token.filter(|_| entry.command.is_none()).map(str::to_owned);
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
            entry.read = entry.args.iter().filter(|it| is_place(it)).cloned().collect();
            if !entry.read.is_empty() {
                let read = entry.read.join(", ");
                notes.push(format!(
                    "it may read {read}, as its arguments name it: `write` lets it change that"
                ));
            }
            if FETCHERS.contains(&program) {
                entry.network = true;
                notes.push(format!("{program} fetches what it starts: it has the network"));
            }
        }
        _ => entry.env.clear(),
    }
    Ok(entry)
}

/// Whether an argument names a file or a folder by its whole path; everything is too much to propose.
fn is_place(argument: &str) -> bool {
    let path = Path::new(argument);
    path.is_absolute() && path.parent().is_some() && path.exists()
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
        let found = servers(Form::Json, text, "/here").unwrap();
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
        assert!(servers(Form::Json, "{", "/").unwrap_err().contains("no JSON"));
        assert!(
            servers(Form::Json, "{}", "/").unwrap_err().contains("there is none of mcpServers")
        );
    }

    #[test]
    fn toml_of_codex_and_yaml_of_goose_are_read() {
        let codex = "model = \"x\"\n[mcp_servers.files]\ncommand = \"files\"\nargs = [\"/tmp\", \"/\", \"-v\"]\n\
                     [mcp_servers.files.env]\nA = \"b\"\n[mcp_servers.web]\nurl = \"https://x.example/mcp\"\n\
                     bearer_token_env_var = \"WEB_TOKEN\"\n";
        let found = servers(Form::Toml, codex, "/here").unwrap();
        let of = |name: &str| found.iter().find(|it| it.name == name).unwrap().clone();
        let files = of("files").entry.unwrap();
        assert_eq!(
            (files.command.as_deref(), files.read.as_slice()),
            (Some("files"), &["/tmp".to_owned()][..])
        );
        assert_eq!(files.env, [("A".to_owned(), "b".to_owned())]);
        assert_eq!(of("web").entry.unwrap().bearer_token_env.as_deref(), Some("WEB_TOKEN"));
        let goose = "extensions:\n  developer:\n    type: builtin\n    enabled: true\n  git:\n    type: stdio\n    \
                     cmd: uvx\n    args: [mcp-server-git]\n    envs: {A: b}\n    enabled: true\n";
        let found = servers(Form::Yaml, goose, "/here").unwrap();
        let of = |name: &str| found.iter().find(|it| it.name == name).unwrap().clone();
        assert_eq!(of("git").entry.unwrap().command.as_deref(), Some("uvx"));
        let own = of("developer");
        assert!(own.entry.unwrap_err().contains("neither a command nor an address"));
        assert!(own.notes.is_empty());
        assert!(servers(Form::Toml, "=", "/").unwrap_err().contains("no TOML"));
    }
}
