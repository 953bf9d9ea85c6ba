//! `toolwright mcp`: servers that speak the Model Context Protocol, what they are trusted with, and the tools
//! here for clients that speak it.

mod add;
mod import;
mod import_file;
mod import_programs;
mod login;
mod serve;
mod show;

use std::{collections::BTreeMap, io};

use futures_util::future::join_all;
use serde_json::json;
use toolwright_app::{
    Config,
    config::{McpEntry, Readers, SettingsFile},
    mcp_forget, mcp_server,
};
use toolwright_core::{plural, printable};
use toolwright_mcp::client::{McpServer, ServerReport};
use toolwright_pack::{Check, CheckState};

use super::looking::asked;
use crate::{
    args::McpCommand,
    error::{CommandError, Result},
    exit::Exit,
    style::{BOLD, DIM, END, GOOD, NAME, WARN, line, out},
    watch::Watch,
};

pub(crate) async fn run(
    config: &Config,
    watch: &Watch,
    command: McpCommand,
    json: bool,
) -> Result<Exit> {
    match command {
        McpCommand::Serve(args) => serve::run(config, watch, &args).await,
        McpCommand::List => list(config, json).await,
        McpCommand::Inspect { name } => inspect(config, &name, json).await,
        McpCommand::Approve { name, yes } => {
            let server = known(config, &name)?;
            approve(&server, yes, json).await
        }
        McpCommand::Add(args) => add::run(config, args, json).await,
        McpCommand::Remove { name } => remove(config, &name),
        McpCommand::Login(args) => login::login(config, &args, json).await,
        McpCommand::Logout { name } => login::logout(config, &name, json),
        McpCommand::Import { from, yes } => import::run(config, &from, yes, json),
    }
}

/// A line for each server, for `doctor`.
pub(crate) async fn checks(config: &Config) -> Vec<Check> {
    let reports = reports(config).await;
    let check = |(name, report): (String, io::Result<ServerReport>)| {
        let says = |text: &str| format!("{name}: {text}");
        let bad = |text: &str, advice: String| Check {
            name: "MCP server",
            state: CheckState::Warning,
            says: says(text),
            advice: Some(advice),
        };
        match report {
            Err(error) => bad(&error.to_string(), "look at the file of approvals".to_owned()),
            Ok(ServerReport { problem: Some(problem), wants_login: true, .. }) => bad(
                &problem,
                "log in, or switch it off: `enabled = false` in its section".to_owned(),
            ),
            Ok(ServerReport { problem: Some(problem), .. }) => {
                bad(&problem, format!("`toolwright mcp inspect {name}` tells more"))
            }
            Ok(report) => {
                let all = counted(report.tools.len(), report.prompts.len());
                match report.unapproved() {
                    (0, 0) => Check::good("MCP server", says(&format!("{all}, all approved"))),
                    (tools, prompts) => bad(
                        &format!("{} of {all} are not approved", counted(tools, prompts)),
                        format!("`toolwright mcp approve {name}` shows them and asks"),
                    ),
                }
            }
        }
    };
    reports.into_iter().map(check).collect()
}

/// What there is to see of every server that is switched on, all asked at once.
async fn reports(config: &Config) -> Vec<(String, io::Result<ServerReport>)> {
    let names = config.mcp.iter().filter(|(_, it)| it.enabled != Some(false)).map(|(name, _)| name);
    let servers = names.filter_map(|name| Some((name.clone(), mcp_server(config, name).ok()?)));
    let servers: Vec<_> = servers.collect();
    let asked = servers.iter().map(|(name, it)| async move { (name.clone(), it.report().await) });
    join_all(asked).await
}

async fn list(config: &Config, json: bool) -> Result<Exit> {
    let reports: BTreeMap<_, _> = reports(config).await.into_iter().collect();
    let mut all = Vec::new();
    let width = config.mcp.keys().map(|it| it.chars().count()).max().unwrap_or_default();
    for (name, section) in &config.mcp {
        let report = reports.get(name).map(|it| it.as_ref().map_err(ToString::to_string));
        let (state, count, problem) = match &report {
            None => ("off", 0, None),
            Some(Err(error)) => ("failed", 0, Some(error.clone())),
            Some(Ok(it)) if it.problem.is_none() => (it.state(), it.tools.len(), None),
            Some(Ok(it)) => (it.state(), 0, it.problem.clone()),
        };
        let approved = match &report {
            Some(Ok(it)) => it.tools.iter().filter(|it| it.state == "approved").count(),
            _ => 0,
        };
        if json {
            all.push(json!({
                "name": name, "state": state, "problem": problem, "tools": count,
                "approved": approved, "command": section.command, "args": section.args,
                "url": section.url.as_deref().map(toolwright_app::without_password),
            }));
            continue;
        }
        let told = match (state, problem) {
            ("ready", _) if approved == count => {
                format!("{GOOD}✓{END} {count} {}", plural(count as u64, "tool", "tools"))
            }
            ("ready", _) => {
                let tools = plural(count as u64, "tool", "tools");
                format!("{WARN}!{END} {count} {tools}, {approved} approved")
            }
            ("login", Some(problem)) => format!("{WARN}!{END} {}", printable(&problem)),
            (_, Some(problem)) => format!("{WARN}✗{END} {}", printable(&problem)),
            _ => format!("{DIM}off{END}"),
        };
        out(&format!("{NAME}{name:<width$}{END}  {told}  {DIM}{}{END}\n", section.reached()))?;
    }
    if json {
        out(&format!("{}\n", serde_json::to_string_pretty(&all)?))?;
    } else if config.mcp.is_empty() {
        line(&format!(
            "{DIM}No MCP server is configured. `toolwright mcp add NAME -- COMMAND…` adds one.{END}"
        ));
    }
    Ok(Exit::Answered)
}

async fn inspect(config: &Config, name: &str, json: bool) -> Result<Exit> {
    let server = known(config, name)?;
    let report = server.report().await?;
    if json {
        out(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    } else {
        if let Some(section) = config.mcp.get(name) {
            out(&format!("{BOLD}{name}{END}  {DIM}{}{END}\n", section.reached()))?;
        }
        out(&show::report(&report))?;
    }
    Ok(if report.problem.is_some() { Exit::Failed } else { Exit::Answered })
}

/// Shows what a server's tools are, asks, and approves them as they are.
async fn approve(server: &McpServer, yes: bool, json: bool) -> Result<Exit> {
    let report = server.report().await?;
    if let Some(problem) = &report.problem {
        let name = &report.name;
        let advice = match report.wants_login {
            true => format!("log in, then `toolwright mcp approve {name}`"),
            false => format!("`toolwright mcp inspect {name}` tells more"),
        };
        return Err(CommandError::failed(format!("{}: {problem}", report.name))
            .with_advice(advice)
            .into());
    }
    let (tools, prompts) = report.unapproved();
    let open = tools + prompts;
    if json {
        if yes && open > 0 {
            server.approve()?;
        }
        let report = server.report().await?;
        out(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
        return Ok(if yes || open == 0 { Exit::Answered } else { Exit::Failed });
    }
    out(&show::report(&report))?;
    if open == 0 {
        line(&format!("{GOOD}✓{END} all of it is approved as it is"));
        return Ok(Exit::Answered);
    }
    let these = counted(tools, prompts);
    if !yes && !asked(&format!("Approve these {these} as they are now?"), "--yes")? {
        line(&format!(
            "{DIM}Not approved: none of them is offered to a model, or can be called.{END}"
        ));
        return Ok(Exit::Failed);
    }
    server.approve()?;
    line(&format!("{GOOD}✓{END} approved, until one of them changes"));
    Ok(Exit::Answered)
}

/// So many tools, and prompts where there are any.
fn counted(tools: usize, prompts: usize) -> String {
    let number = |count: usize, one: &str, many: &str| {
        (count > 0).then(|| format!("{count} {}", plural(count as u64, one, many)))
    };
    let (tools, prompts) = (number(tools, "tool", "tools"), number(prompts, "prompt", "prompts"));
    match (tools, prompts) {
        (Some(tools), Some(prompts)) => format!("{tools} and {prompts}"),
        (tools, prompts) => tools.or(prompts).unwrap_or_else(|| "0 tools".to_owned()),
    }
}

fn remove(config: &Config, name: &str) -> Result<Exit> {
    let file = SettingsFile::of(config)?;
    let was_there = file.change(Readers::AsBefore, |document| McpEntry::remove(document, name))?;
    let was_known = mcp_forget(config, name)?;
    if !was_there && !was_known {
        return Err(unknown(config, name).into());
    }
    line(&format!("{GOOD}✓{END} removed {name} from {}", file.path().display()));
    Ok(Exit::Answered)
}

fn known(config: &Config, name: &str) -> Result<McpServer> {
    match config.mcp.get(name) {
        Some(_) => Ok(mcp_server(config, name)?),
        None => Err(unknown(config, name).into()),
    }
}

fn unknown(config: &Config, name: &str) -> CommandError {
    let names: Vec<_> = config.mcp.keys().map(String::as_str).collect();
    let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    CommandError::unusable(format!("no MCP server is called `{name}`; there are: {there}"))
        .with_advice("`toolwright mcp add NAME -- COMMAND…` adds one")
}
