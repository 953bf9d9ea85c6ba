//! `toolwright doctor`: what is configured, what answers, what is missing and how to fix it.

#[cfg(feature = "commands")]
mod commands;
mod models;
mod packs;
mod settings;

use std::{borrow::Cow, time::Duration};

use serde_json::{Value, json};
use toolwright_app::{
    AppError, Config, ContextKind, ContextState, OpenPacks, TaskSetup, config::FolderTrust, toolbox,
};
use toolwright_core::{ActionableError, truncate_line};
use toolwright_files::{Writing, private_file, private_folder};
use toolwright_pack::{Check, CheckState};
use toolwright_store::IntegrityReport;

use crate::{
    error::{Error, Result},
    exit::Exit,
    style::{BOLD, DIM, END, ERROR, GOOD, WARN, out},
};

pub(crate) async fn run(config: &Config, json: bool) -> Result<Exit> {
    let settings = settings::settings(config);
    let mut checks = vec![data_folder(config), database(config).await];
    checks.extend(tools(config).await);
    checks.extend(task(config));
    checks.extend(folder(config));
    checks.extend(project(config));
    checks.extend(packs::checks(config).await);
    #[cfg(feature = "commands")]
    checks.extend(commands::checks(config).await);
    checks.extend(models::checks(config).await);
    checks.extend(super::mcp::checks(config).await);
    checks.extend(super::server::checks(config).await);
    checks.extend(super::engine::checks(config).await);
    if json {
        let report = json!({
            "settings": settings.iter().map(|(name, value, place)| {
                json!({"name": name, "value": value, "from": place})
            }).collect::<Vec<_>>(),
            "checks": checks.iter().map(as_json).collect::<Vec<_>>(),
        });
        out(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    } else {
        out(&format!("{BOLD}Settings{END}\n"))?;
        let width = settings.iter().map(|(name, ..)| name.len()).max().unwrap_or_default();
        for (name, value, place) in &settings {
            let value = truncate_line(value, usize::MAX);
            out(&format!("  {name:<width$} {value:<36} {DIM}{place}{END}\n"))?;
        }
        out(&format!("\n{BOLD}Checks{END}\n"))?;
        for check in &checks {
            out(&as_text(check))?;
        }
    }
    let worst = |state| checks.iter().any(|check| check.state == state);
    Ok(if worst(CheckState::Bad) { Exit::Failed } else { Exit::Answered })
}

fn as_json(check: &Check) -> Value {
    let state = match check.state {
        CheckState::Good => "ok",
        CheckState::Warning => "warning",
        CheckState::Bad => "error",
    };
    json!({"name": check.name, "state": state, "message": check.says, "advice": check.advice})
}

fn as_text(check: &Check) -> String {
    let sign = match check.state {
        CheckState::Good => format!("{GOOD}✓{END}"),
        CheckState::Warning => format!("{WARN}!{END}"),
        CheckState::Bad => format!("{ERROR}✗{END}"),
    };
    let advice = check.advice.as_ref().map(|it| format!("\n    {DIM}{it}{END}"));
    // A line of an endpoint's own cannot pass for a check.
    let says = truncate_line(&check.says, usize::MAX);
    format!("  {sign} {}: {says}{}\n", check.name, advice.unwrap_or_default())
}

/// What is wrong, and what to do about it.
pub(super) fn bad(name: &'static str, error: &Error) -> Check {
    let advice = error.advice().map(Cow::into_owned);
    Check { name, state: CheckState::Bad, says: error.to_string(), advice }
}

/// Why the task that was set is not the task.
fn task(config: &Config) -> Option<Check> {
    config.problem().map(|says| Check {
        name: "task",
        state: CheckState::Bad,
        says: says.to_owned(),
        advice: Some(
            "set another, or correct it; `toolwright tasks` lists those there are".to_owned(),
        ),
    })
}

/// What the folder one stands in says, and whether it counts.
fn folder(config: &Config) -> Vec<Check> {
    let name = "this folder";
    let standing = match config.standing() {
        FolderTrust::Trusted(contents, _) => {
            vec![Check::good(name, format!("{} is trusted", contents.told()))]
        }
        _ => Vec::new(),
    };
    let notices = config.notices().into_iter();
    let notices =
        notices.map(|says| Check { name, state: CheckState::Warning, says, advice: None });
    standing.into_iter().chain(notices).collect()
}

/// What the model is told of the project, where it is told something.
fn project(config: &Config) -> Option<Check> {
    // What cannot be opened is told elsewhere.
    let context = TaskSetup::of(config, &OpenPacks::default()).ok()?.context;
    let sources = context.sources();
    let used: Vec<_> = sources.iter().filter(|it| it.state == ContextState::Used).collect();
    let tokens: u64 = used.iter().map(|it| it.tokens).sum();
    let count = |kind| used.iter().filter(|it| it.kind == kind).count();
    let (files, skills) = (count(ContextKind::Instructions), count(ContextKind::Skill));
    let commands = count(ContextKind::Command);
    let wrong: Vec<_> = sources.iter().filter(|it| it.state == ContextState::Invalid).collect();
    if sources.is_empty() {
        return None;
    }
    let told = match context.is_told() {
        true => format!("about {tokens} tokens with every request"),
        false => "the task's model is told none of it".to_owned(),
    };
    let says = format!("{files} AGENTS.md, {skills} skills, {commands} commands; {told}");
    Some(match wrong.first() {
        None => Check::good("project context", says),
        Some(first) => Check::warning(
            "project context",
            format!("{says}; {} cannot be used: {}", first.path, first.about),
        ),
    })
}

fn data_folder(config: &Config) -> Check {
    let path = &config.data.value;
    // Of a name that nobody knows before, and only where nothing is: what others put there is not touched.
    let probe = path.join(format!(".probe-{:016x}", fastrand::u64(..)));
    let written = private_folder(path)
        .and_then(|()| private_file(&probe, Writing::New))
        .map(drop)
        .and_then(|()| std::fs::remove_file(&probe));
    match written {
        Ok(()) => Check::good("data folder", format!("{} can be written", path.display())),
        Err(error) => Check {
            name: "data folder",
            state: CheckState::Bad,
            says: format!("{} cannot be written: {error}", path.display()),
            advice: Some("choose another with --data or TOOLWRIGHT_DATA".to_owned()),
        },
    }
}

/// How long the database is searched for damage.
const LOOKED_AT: Duration = Duration::from_secs(3);

async fn database(config: &Config) -> Check {
    let location = config.location();
    let bad = |error: AppError| Check {
        name: "database",
        state: CheckState::Bad,
        says: error.to_string(),
        advice: error.advice().map(Cow::into_owned),
    };
    let store = match config.look_into_store().await {
        Ok(store) => store,
        Err(error) => return bad(error),
    };
    if let Err(error) = store.check().await {
        return bad(error.into());
    }
    if let Err(error) = store.check_key().await {
        return bad(error.into());
    }
    match store.examine(LOOKED_AT).await {
        Ok(IntegrityReport::Whole) => Check::good("database", format!("{location} is sound")),
        Ok(IntegrityReport::Part) => Check::good(
            "database",
            format!("{location} can be opened; what was read of it in {LOOKED_AT:?} is sound"),
        ),
        Err(error) => bad(error.into()),
    }
}

/// The tools there are, and what of them is not offered. Of an MCP server that offers none its own check tells.
async fn tools(config: &Config) -> Vec<Check> {
    let is_server = |tool: &str| {
        let name = tool.strip_suffix("__*");
        name.is_some_and(|name| config.mcp.contains_key(name))
    };
    match toolbox(config).await.and_then(|(toolbox, _)| Ok(toolbox.verify().map(|()| toolbox)?)) {
        Ok(toolbox) => {
            let names: Vec<_> = toolbox.names().collect();
            let all = Check::good("tools", format!("{} ({})", names.len(), names.join(", ")));
            let withheld = toolbox.withheld().iter().filter(|it| !is_server(&it.tool));
            let withheld = withheld.map(|it| {
                Check::warning("tools", format!("{} is not offered: {}", it.tool, it.reason))
            });
            [all].into_iter().chain(withheld).collect()
        }
        Err(error) => {
            let says = error.to_string();
            vec![Check { name: "tools", state: CheckState::Bad, says, advice: None }]
        }
    }
}

/// A file with a key in it that others can read.
#[cfg(unix)]
fn exposed(path: &std::path::Path) -> Option<Check> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).ok()?.permissions().mode();
    (mode & 0o077 != 0).then(|| Check {
        name: "config file",
        state: CheckState::Warning,
        says: format!("{} holds a key and others can read it", path.display()),
        advice: Some(format!("chmod 600 {}", path.display())),
    })
}

#[cfg(not(unix))]
fn exposed(_: &std::path::Path) -> Option<Check> {
    None
}
