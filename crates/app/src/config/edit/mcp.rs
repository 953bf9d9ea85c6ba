//! [`McpEntry`]: an MCP server, written into the file.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};

/// A server as it is written into the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpEntry {
    /// The program.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables that it is given.
    pub env: Vec<(String, String)>,
    /// The folder it starts in.
    pub cwd: Option<String>,
    /// The address, where it is no program.
    pub url: Option<String>,
    /// What is sent with every request.
    pub headers: Vec<(String, String)>,
    /// The variable that holds the token that is sent with every request.
    pub bearer_token_env: Option<String>,
    /// Whether it may reach the network.
    pub network: bool,
    /// Folders that it may read.
    pub read: Vec<String>,
    /// Folders that it may write.
    pub write: Vec<String>,
    /// Whether it runs without a sandbox.
    pub is_unwalled: bool,
    /// Whether it is not used.
    pub is_off: bool,
}

impl McpEntry {
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
    pub fn shown(&self, name: &str) -> String {
        let mut document = DocumentMut::new();
        self.add(&mut document, name);
        document.to_string()
    }

    /// Adds it under this name, in the place of one of that name.
    pub fn add(&self, document: &mut DocumentMut, name: &str) {
        if let Some(servers) = super::table(document, "mcp") {
            servers.insert(name, Item::Table(self.table()));
        }
    }

    /// Whether there is one of this name.
    pub fn is_in(document: &DocumentMut, name: &str) -> bool {
        let servers = document.get("mcp").and_then(Item::as_table_like);
        servers.is_some_and(|it| it.contains_key(name))
    }

    /// Removes the one of this name; whether there was one.
    pub fn remove(document: &mut DocumentMut, name: &str) -> bool {
        let servers = document.get_mut("mcp").and_then(Item::as_table_like_mut);
        servers.is_some_and(|it| it.remove(name).is_some())
    }
}

fn list(texts: &[String]) -> Array {
    texts.iter().map(String::as_str).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_wrote_stays() {
        let mut document: DocumentMut =
            "# mine\ntask = \"demo\"  # yes\n\n[mcp.a]\ncommand = \"x\" # a\n".parse().unwrap();
        let entry = McpEntry {
            command: Some("npx".to_owned()),
            args: vec!["-y".to_owned(), "b".to_owned()],
            env: vec![("K".to_owned(), "${K}".to_owned())],
            network: true,
            ..McpEntry::default()
        };
        entry.add(&mut document, "b");
        let text = document.to_string();
        assert!(
            text.starts_with("# mine\ntask = \"demo\"  # yes\n\n[mcp.a]\ncommand = \"x\" # a\n"),
            "{text}"
        );
        assert!(text.contains("[mcp.b]\ncommand = \"npx\"\nargs = [\"-y\", \"b\"]\nenv = { K = \"${K}\" }\nsandbox = { network = true }\n"), "{text}");
        let mut remove = || McpEntry::remove(&mut document, "b");
        assert!(remove() && !remove());
        assert!(document.to_string().contains("[mcp.a]"));
    }
}
