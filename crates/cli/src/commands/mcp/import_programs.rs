//! [`file_of`]: where other programs keep the servers that they know.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::error::{CommandError, Result};

/// A program, and where its servers are: from the folder one stands in, and from the user's home.
struct Program {
    name: &'static str,
    here: &'static [&'static str],
    home: &'static [&'static str],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "claude",
        here: &[],
        home: &[
            ".claude.json",
            ".config/Claude/claude_desktop_config.json",
            "Library/Application Support/Claude/claude_desktop_config.json",
        ],
    },
    Program { name: "codex", here: &[], home: &[".codex/config.toml"] },
    Program { name: "cursor", here: &[".cursor/mcp.json"], home: &[".cursor/mcp.json"] },
    Program { name: "gemini", here: &[".gemini/settings.json"], home: &[".gemini/settings.json"] },
    Program { name: "goose", here: &[], home: &[".config/goose/config.yaml"] },
    Program {
        name: "opencode",
        here: &["opencode.json"],
        home: &[".config/opencode/opencode.json"],
    },
    Program {
        name: "vscode",
        here: &[".vscode/mcp.json"],
        home: &[".config/Code/User/mcp.json", "Library/Application Support/Code/User/mcp.json"],
    },
    Program { name: "windsurf", here: &[], home: &[".codeium/windsurf/mcp_config.json"] },
    Program { name: "zed", here: &[".zed/settings.json"], home: &[".config/zed/settings.json"] },
];

/// The file that is meant: that of a program, or the one that is named.
///
/// # Errors
/// When there is none.
pub(super) fn file_of(from: &str) -> Result<PathBuf> {
    let named = Path::new(from);
    let Some(program) = PROGRAMS.iter().find(|it| it.name == from) else {
        if named.exists() {
            return Ok(named.to_owned());
        }
        let known: Vec<_> = PROGRAMS.iter().map(|it| it.name).collect();
        let message = format!(
            "there is no file `{from}`, and it is none of the programs that are known: {}",
            known.join(", ")
        );
        let advice = "name one of them, or the file: toolwright mcp import FILE";
        return Err(CommandError::unusable(message).with_advice(advice).into());
    };
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let here = program.here.iter().map(PathBuf::from);
    let all: Vec<_> = here.chain(program.home.iter().map(|it| home.join(it))).collect();
    all.iter().find(|it| it.is_file()).cloned().ok_or_else(|| {
        let looked: Vec<_> = all.iter().map(|it| it.display().to_string()).collect();
        CommandError::unusable(format!(
            "there is no file of {from}'s; looked for: {}",
            looked.join(", ")
        ))
        .with_advice("name the file itself: toolwright mcp import FILE")
        .into()
    })
}
