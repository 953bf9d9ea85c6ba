//! [`Guarded`]: what no tool may see, and what is changed only when somebody looked.

use std::path::{Component, Path, PathBuf, absolute};

use crate::{
    Settings,
    steering::{is_git, plain, steers},
};

/// What no tool may see, and what is changed only when somebody looked.
pub(super) struct Guarded {
    hidden: Vec<Vec<String>>,
    protected: Vec<Vec<String>>,
    /// Whether all of the workspace belongs to git itself.
    is_git: bool,
}

impl Guarded {
    pub(super) fn new(root: &Path, settings: &Settings) -> Self {
        // Notes may lie around the workspace: they are only looked for by name.
        let mut notes = below(root, &settings.scratch);
        notes.retain(|names| !names.is_empty());
        let hidden = settings.hidden.iter().flat_map(|path| below(root, path));
        Self {
            hidden: hidden.chain(notes).collect(),
            protected: settings.protected.iter().flat_map(|path| below(root, path)).collect(),
            is_git: names(root).iter().any(|name| is_git(name)),
        }
    }

    pub(super) fn is_hidden(&self, relative: &Path) -> bool {
        is_in(&names(relative), &self.hidden)
    }

    pub(super) fn protection(&self, relative: &Path) -> Option<String> {
        let names = names(relative);
        let shown = relative.display();
        if self.is_git {
            return Some(format!("{shown} is git's own: it decides what git runs"));
        }
        let above = [""].into_iter().chain(names.iter().map(String::as_str));
        if let Some(why) = above.zip(&names).find_map(|(folder, name)| steers(folder, name)) {
            return Some(format!("{shown} {why}"));
        }
        is_in(&names, &self.protected).then(|| format!("{shown} is protected by the settings"))
    }
}

/// The names in a path, as a file system would compare them that ignores case, spaces at the end and
/// characters that cannot be seen.
fn names(path: &Path) -> Vec<String> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    parts.map(|name| plain(&name)).collect()
}

fn is_in(names: &[String], all: &[Vec<String>]) -> bool {
    all.iter().any(|guarded| names.starts_with(guarded))
}

/// The path below the root, as it is written and with its links followed, where it is there. What
/// holds the root holds all of it.
fn below(root: &Path, path: &Path) -> Vec<Vec<String>> {
    let Ok(written) = absolute(path) else { return Vec::new() };
    [real(&written), written]
        .iter()
        .filter_map(|path| match path.strip_prefix(root) {
            Ok(below) => Some(names(below)),
            Err(_) => root.starts_with(path).then(Vec::new),
        })
        .collect()
}

/// The path with its links followed, as far as it exists: what is not there yet may be one day.
fn real(path: &Path) -> PathBuf {
    for known in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (known.canonicalize(), path.strip_prefix(known)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarded() -> Guarded {
        let mut settings = Settings::new("/ws", "/scratch");
        settings.hidden.push("/ws/data/store".into());
        settings.protected.push("/ws/deploy".into());
        Guarded::new(Path::new("/ws"), &settings)
    }

    #[test]
    fn what_is_hidden_is_hidden_with_all_in_it_and_nothing_beside_it() {
        let guarded = guarded();
        for path in ["data/store", "data/store/log.db", "DATA/Store/x"] {
            assert!(guarded.is_hidden(Path::new(path)), "{path}");
        }
        for path in ["", "data", "data/storehouse", "other/data/store"] {
            assert!(!guarded.is_hidden(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_decides_what_runs_needs_a_look() {
        let guarded = guarded();
        for path in [
            ".git/hooks/pre-commit",
            ".git/config",
            ".git",
            "sub/.git/modules/x/config",
            ".GIT/config",
            ".git./config",
            ".g\u{200c}it/config",
            "GIT~1/config",
            ".toolwright/rules.toml",
            ".mcp.json",
            "a/.mcp.json",
            ".vscode/tasks.json",
            ".vscode/settings.json",
            "toolwright.toml",
            "AGENTS.md",
            "docs/agents.md",
            "CLAUDE.md",
            ".cursorrules",
            ".github/copilot-instructions.md",
            "deploy/run.sh",
        ] {
            assert!(guarded.protection(Path::new(path)).is_some(), "{path}");
        }
        for path in
            ["src/git.rs", ".gitignore", "github/copilot-instructions.md", "deployed", "x.md"]
        {
            assert_eq!(guarded.protection(Path::new(path)), None, "{path}");
        }
    }

    #[test]
    fn a_workspace_inside_of_git_is_all_protected() {
        let guarded = Guarded::new(Path::new("/p/.git"), &Settings::new("/p/.git", "/scratch"));
        assert!(guarded.protection(Path::new("hooks/x")).is_some());
    }
}
