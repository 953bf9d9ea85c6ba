//! `toolwright trust`: which folders may say something about settings, and what they say.

use std::{
    io::{self, BufRead, IsTerminal},
    path::Path,
};

use serde_json::json;
use toolwright_app::{
    Config,
    config::{
        FolderContents, FolderSetting, FolderText, FolderTrust, SettingOutcome, TrustVerdict,
    },
};
use toolwright_core::{plural, revealed, truncate_line};

use crate::{
    args::{Command, TrustArgs},
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, GOOD, NAME, WARN, line, out, question},
};

pub(crate) fn run(config: &Config, args: &TrustArgs, json: bool) -> Result<Exit> {
    let folder = args.folder.as_deref().unwrap_or_else(|| Path::new("."));
    if args.list {
        return list(config, json);
    }
    if args.revoke {
        let message = match config.trust().revoke(folder)? {
            true => "is not trusted any more",
            false => "was not trusted",
        };
        line(&format!("{} {message}", folder.display()));
        return Ok(Exit::Answered);
    }
    let contents = match FolderContents::read(folder) {
        Ok(Some(contents)) => contents,
        Ok(None) => {
            line(&format!(
                "{DIM}There is no toolwright.toml, task, tool, AGENTS.md, skill or command in {}.{END}",
                folder.display()
            ));
            return Ok(Exit::Answered);
        }
        Err(refusal) => {
            let message =
                format!("{} cannot be trusted: {}", refusal.path.display(), refusal.reason);
            // A task that is named counts without the folder, and so do settings.
            let is_task = refusal.path.components().any(|it| it.as_os_str() == ".toolwright");
            let advice = match is_task {
                true => {
                    "put a file or a folder of your own there; or name a task that is yours: --task FILE"
                }
                false => "if it is yours, name it instead: --config FILE",
            };
            return Err(CommandError::unusable(message).with_advice(advice).into());
        }
    };
    if args.show {
        show(&contents, &contents.said(config)?, usize::MAX);
        return Ok(Exit::Answered);
    }
    let known = config.trust().nested(&contents)?;
    let is_new = contents.nested().iter().any(|(_, digest)| !known.contains(digest));
    if config.trust().verdict(&contents)? == Some(TrustVerdict::Trusted) && !is_new {
        show(&contents, &contents.said(config)?, LINES);
        line(&format!("{DIM}It is trusted. `toolwright trust --revoke` takes that back.{END}"));
        return Ok(Exit::Answered);
    }
    if !is_terminal() {
        show(&contents, &contents.said(config)?, LINES);
        let message = "a folder is trusted at a terminal, and this is none".to_owned();
        let advice = "run it at a terminal; a program names the file instead: --config FILE";
        return Err(CommandError::unusable(message).with_advice(advice).into());
    }
    Ok(if ask(config, &contents)? { Exit::Answered } else { Exit::Failed })
}

/// Asks about the folder one stands in, once, where somebody is there to be asked; whether it is trusted
/// now and was not before.
pub(crate) fn offer(config: &Config, command: Option<&Command>) -> Result<bool> {
    let talks =
        matches!(command, Some(Command::Ask { .. } | Command::Chat { .. } | Command::Serve(_)));
    match config.standing() {
        FolderTrust::Unknown(contents) | FolderTrust::Changed(contents)
            if talks && is_terminal() =>
        {
            ask(config, contents)
        }
        _ => Ok(false),
    }
}

/// Shows what a folder says, asks, and keeps the answer.
fn ask(config: &Config, contents: &FolderContents) -> Result<bool> {
    show(contents, &contents.said(config)?, LINES);
    question("Trust this folder's settings as they are now? [y/N] ")?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let is_trusted = matches!(answer.trim(), "y" | "Y" | "yes");
    let verdict = if is_trusted { TrustVerdict::Trusted } else { TrustVerdict::Declined };
    config.trust().say(contents, verdict)?;
    line(&if is_trusted {
        format!("{GOOD}✓{END} trusted, until the file changes")
    } else {
        format!("{DIM}Not trusted. `toolwright trust` asks again.{END}")
    });
    Ok(is_trusted)
}

/// How many things that a folder says are shown. What is more is files of skills.
const SHOWN: usize = 200;

/// How many lines of a file are shown unless all are asked for.
const LINES: usize = 200;

/// What a folder says, in words; of each file that a model is told, so many lines.
fn show(contents: &FolderContents, said: &[FolderSetting], lines: usize) {
    let folder = contents.folder().display().to_string();
    line(&format!("{BOLD}{folder}{END} says:"));
    if said.is_empty() {
        line(&format!("  {DIM}nothing{END}"));
    }
    for FolderSetting { key, about, value, becomes } in said.iter().take(SHOWN) {
        let (colour, word, why) = match becomes {
            SettingOutcome::Taken => (WARN, "sets", ""),
            SettingOutcome::Narrowing => (GOOD, "narrows", ""),
            SettingOutcome::NotNarrower => (DIM, "ignored", ": not narrower than what holds"),
            SettingOutcome::Ignored => (DIM, "ignored", ""),
        };
        // The host of an address is in it, and the beginning of a prompt.
        // A command is told to its end: nothing that would run is left out.
        let most = if key.starts_with("commands.") { usize::MAX } else { 500 };
        let (key, value) = (truncate_line(key, 500), truncate_line(value, most));
        line(&format!("  {colour}{word:<8}{END} {about}: {value} {DIM}({key}{why}){END}"));
    }
    if said.len() > SHOWN {
        line(&format!("  {DIM}and {} more files{END}", said.len() - SHOWN));
    }
    show_texts(contents, lines);
    for refusal in contents.left_out() {
        let (path, reason) = (refusal.path.display(), &refusal.reason);
        line(&format!("  {DIM}ignored {END} {path}: {reason}"));
    }
    let address =
        said.iter().any(|it| it.key == "model.base_url" && it.becomes == SettingOutcome::Taken);
    if address {
        line(&format!("  {DIM}No key of yours is sent to that address.{END}"));
    }
    if said.iter().any(|it| it.becomes == SettingOutcome::Ignored) {
        line(&format!(
            "  {DIM}What is ignored is not for a folder to decide, trusted or not.{END}"
        ));
    }
}

/// What a model is told, as it is told: nobody approves what they have not seen.
fn show_texts(contents: &FolderContents, lines: usize) {
    for FolderText { name, path, text } in contents.texts_told() {
        let count = text.lines().count();
        let (words, path) = (plural(count as u64, "line", "lines"), path.display());
        line(&format!("  {BOLD}{}{END} {DIM}({count} {words}):{END}", revealed(&name)));
        for said in text.lines().take(lines) {
            line(&format!("  │ {}", revealed(said)));
        }
        if count > lines {
            let more = count - lines;
            line(&format!(
                "  {WARN}and {more} more lines:{END} `toolwright trust --show` shows all of it; it is {path}"
            ));
        }
    }
}

fn list(config: &Config, json: bool) -> Result<Exit> {
    let entries = config.trust().list()?;
    // What was said of a folder, held against what is in it now.
    let now = entries.iter().map(|entry| {
        let contents = FolderContents::read(Path::new(&entry.subject));
        let is_same = matches!(contents, Ok(Some(now)) if now.digest() == entry.digest);
        (entry, FolderState::of(entry.details.verdict, is_same))
    });
    if json {
        let listed: Vec<_> = now
            .map(|(entry, state)| {
                let verdict = state.word();
                json!({"folder": entry.subject, "digest": entry.digest, "verdict": verdict})
            })
            .collect();
        out(&format!("{}\n", serde_json::to_string_pretty(&listed)?))?;
        return Ok(Exit::Answered);
    }
    if entries.is_empty() {
        line(&format!("{DIM}No folder is trusted.{END}"));
    }
    for (entry, state) in now {
        let (folder, says) = (truncate_line(&entry.subject, usize::MAX), state.says());
        out(&format!("{NAME}{folder}{END}  {DIM}{says}{END}\n"))?;
    }
    Ok(Exit::Answered)
}

/// How it stands with a folder of which something was said.
#[derive(Clone, Copy)]
enum FolderState {
    Trusted,
    Changed,
    Declined,
}

impl FolderState {
    fn of(verdict: TrustVerdict, is_same: bool) -> Self {
        match (verdict, is_same) {
            (TrustVerdict::Trusted, true) => Self::Trusted,
            (TrustVerdict::Trusted, false) => Self::Changed,
            (TrustVerdict::Declined, _) => Self::Declined,
        }
    }

    /// For programs.
    fn word(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "changed",
            Self::Declined => "declined",
        }
    }

    fn says(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "changed since it was trusted",
            Self::Declined => "not trusted",
        }
    }
}

/// Whether somebody is there who sees what is asked, and answers it.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}
