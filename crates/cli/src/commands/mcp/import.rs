//! `toolwright mcp import`: servers that another program knows, written into the config file once somebody looked.

use std::env;

use serde_json::json;
use toolwright_app::{
    Config,
    config::{McpEntry as Entry, Readers, SettingsFile},
};
use toolwright_files::{SETTINGS, read_text};

use super::{
    asked,
    import_file::{Form, Found, servers},
    import_programs::file_of,
};
use crate::{
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, GOOD, WARN, line, out},
};

pub(super) fn run(config: &Config, from: &str, yes: bool, json: bool) -> Result<Exit> {
    let path = file_of(from)?;
    // Larger than settings are: some programs keep everything in that file.
    let text = read_text(&path, SETTINGS * 16)?;
    let folder = env::current_dir().unwrap_or_default();
    let mut found =
        servers(Form::of(&path), &text, &folder.to_string_lossy()).map_err(|reason| {
            CommandError::unusable(format!("{} cannot be read: {reason}", path.display()))
        })?;
    for it in &mut found {
        if config.mcp.contains_key(&it.name) {
            it.entry = Err("there is one of that name already".to_owned());
            it.notes.clear();
        }
    }
    if json {
        let all: Vec<_> = found.iter().map(as_json).collect();
        out(&format!("{}\n", serde_json::to_string_pretty(&all)?))?;
    } else {
        out(&format!("{BOLD}{}{END}\n", path.display()))?;
        found.iter().try_for_each(show)?;
    }
    let new: Vec<(&String, &Entry)> =
        found.iter().filter_map(|it| Some((&it.name, it.entry.as_ref().ok()?))).collect();
    if new.is_empty() {
        line(&format!("{DIM}There is nothing to import.{END}"));
        return Ok(Exit::Answered);
    }
    let file = SettingsFile::of(config)?;
    let target = file.path();
    let these = match new.len() {
        1 => "this server".to_owned(),
        many => format!("these {many} servers"),
    };
    let asks = format!("Write {these} to {}?", target.display());
    if !yes && !asked(&asks, "--yes")? {
        line(&format!("{DIM}Nothing was written.{END}"));
        return Ok(Exit::Failed);
    }
    file.change(Readers::AsBefore, |document| {
        new.iter().for_each(|(name, entry)| entry.add(document, name));
    })?;
    line(&format!("{GOOD}✓{END} {} written to {}", new.len(), target.display()));
    line(&format!(
        "{DIM}None of their tools is offered before `toolwright mcp approve NAME`.{END}"
    ));
    Ok(Exit::Answered)
}

/// What is shown of a server: the very words that would be started, and no value of a variable.
fn masked(entry: &Entry) -> Entry {
    let mask = |pairs: &[(String, String)]| {
        let pairs = pairs.iter().map(|(name, value)| {
            let is_named = value.contains("${");
            (name.clone(), if is_named { value.clone() } else { "…".to_owned() })
        });
        pairs.collect()
    };
    Entry { env: mask(&entry.env), headers: mask(&entry.headers), ..entry.clone() }
}

fn show(found: &Found) -> Result {
    match &found.entry {
        Ok(entry) => out(&format!("\n{}", masked(entry).shown(&found.name)))?,
        Err(reason) => out(&format!("\n{WARN}{} is left out: {reason}{END}\n", found.name))?,
    }
    for note in &found.notes {
        out(&format!("{DIM}# {note}{END}\n"))?;
    }
    Ok(())
}

fn as_json(found: &Found) -> serde_json::Value {
    let entry = found.entry.as_ref().map(masked);
    json!({
        "name": found.name,
        "notes": found.notes,
        "left_out": found.entry.as_ref().err(),
        "section": entry.ok().map(|it| it.shown(&found.name)),
    })
}
