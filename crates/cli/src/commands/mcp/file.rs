//! [`change`]: `toolwright.toml`, changed without losing anything that a person wrote into it.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};
use toolwright_app::Config;
use toolwright_files::{SETTINGS, Writing, private_file, private_folder, read_text};

use crate::error::{CommandError, Result};

/// A server as it is written into the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) command: Option<String>,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    pub(super) cwd: Option<String>,
    pub(super) url: Option<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) bearer_token_env: Option<String>,
    pub(super) network: bool,
    pub(super) read: Vec<String>,
    pub(super) write: Vec<String>,
    pub(super) is_unwalled: bool,
    pub(super) is_off: bool,
}

impl Entry {
    fn table(&self) -> Table {
        let mut table = Table::new();
        let mut text = |key: &str, text: &Option<String>| {
            if let Some(text) = text {
                table.insert(key, value(text));
            }
        };
        text("command", &self.command);
        text("url", &self.url);
        text("cwd", &self.cwd);
        text("bearer_token_env", &self.bearer_token_env);
        if !self.args.is_empty() {
            table.insert("args", value(list(&self.args)));
        }
        for (key, pairs) in [("env", &self.env), ("headers", &self.headers)] {
            if !pairs.is_empty() {
                let pairs = pairs.iter().map(|(name, text)| (name.as_str(), Value::from(text)));
                table.insert(key, value(pairs.collect::<InlineTable>()));
            }
        }
        if self.is_unwalled {
            table.insert("sandbox", value(false));
        } else if self.network || !self.read.is_empty() || !self.write.is_empty() {
            let mut walls = InlineTable::new();
            if self.network {
                walls.insert("network", true.into());
            }
            for (key, folders) in [("read", &self.read), ("write", &self.write)] {
                if !folders.is_empty() {
                    walls.insert(key, list(folders).into());
                }
            }
            table.insert("sandbox", value(walls));
        }
        if self.is_off {
            table.insert("enabled", value(false));
        }
        table
    }

    /// The section, as it stands in the file.
    pub(super) fn shown(&self, name: &str) -> String {
        let mut document = DocumentMut::new();
        add(&mut document, name, self);
        document.to_string()
    }
}

fn list(texts: &[String]) -> Array {
    texts.iter().map(String::as_str).collect()
}

/// Adds a server, in the place of one of that name.
pub(super) fn add(document: &mut DocumentMut, name: &str, entry: &Entry) {
    let servers = document.entry("mcp").or_insert_with(|| {
        let mut servers = Table::new();
        servers.set_implicit(true);
        Item::Table(servers)
    });
    if let Some(servers) = servers.as_table_like_mut() {
        servers.insert(name, Item::Table(entry.table()));
    }
}

/// Removes a server; whether there was one.
pub(super) fn remove(document: &mut DocumentMut, name: &str) -> bool {
    let servers = document.get_mut("mcp").and_then(Item::as_table_like_mut);
    servers.is_some_and(|it| it.remove(name).is_some())
}

/// The file that servers are written to: the one that was read, or the user's.
pub(super) fn path(config: &Config) -> Result<PathBuf> {
    let users = config.user_folder.as_ref().map(|it| it.join("toolwright.toml"));
    config.file.clone().or(users).ok_or_else(|| {
        CommandError::unusable("there is no folder for your settings")
            .with_advice("name a file: --config FILE")
            .into()
    })
}

/// Changes the file; a crash leaves it as it was or as it is now.
pub(super) fn change<T>(path: &Path, change: impl FnOnce(&mut DocumentMut) -> T) -> Result<T> {
    let text = match read_text(path, SETTINGS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read?,
    };
    let document = text.parse::<DocumentMut>();
    let mut document = document.map_err(|_| {
        CommandError::unusable(format!("{} is no TOML", path.display()))
            .with_advice("`toolwright doctor` tells where it is wrong")
    })?;
    let result = change(&mut document);
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        private_folder(folder)?;
    }
    // What a link leads to is changed, and not the link.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let new = path.with_extension("toml.new");
    let _ = fs::remove_file(&new);
    let mut file = private_file(&new, Writing::New)?;
    file.write_all(document.to_string().as_bytes())?;
    if let Ok(about) = fs::metadata(&path) {
        file.set_permissions(about.permissions())?;
    }
    file.sync_all()?;
    fs::rename(&new, &path)?;
    Ok(result)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_wrote_stays() {
        let mut document: DocumentMut =
            "# mine\ntask = \"demo\"  # yes\n\n[mcp.a]\ncommand = \"x\" # a\n".parse().unwrap();
        let entry = Entry {
            command: Some("npx".to_owned()),
            args: vec!["-y".to_owned(), "b".to_owned()],
            env: vec![("K".to_owned(), "${K}".to_owned())],
            network: true,
            ..Entry::default()
        };
        add(&mut document, "b", &entry);
        let text = document.to_string();
        assert!(
            text.starts_with("# mine\ntask = \"demo\"  # yes\n\n[mcp.a]\ncommand = \"x\" # a\n"),
            "{text}"
        );
        assert!(text.contains("[mcp.b]\ncommand = \"npx\"\nargs = [\"-y\", \"b\"]\nenv = { K = \"${K}\" }\nsandbox = { network = true }\n"), "{text}");
        assert!(remove(&mut document, "b") && !remove(&mut document, "b"));
        assert!(document.to_string().contains("[mcp.a]"));
    }
}
