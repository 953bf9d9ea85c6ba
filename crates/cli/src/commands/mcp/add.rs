//! `toolwright mcp add`: writes a server into the config file, tries it and shows its tools.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use toolwright_app::{
    Config, Flags,
    config::{McpEntry as Entry, Readers, SettingsFile},
    mcp_hides, mcp_server,
};
use toolwright_mcp::client::{McpError, McpServer, ServerState};

use super::{approve, asked};
use crate::{
    args::McpAddArgs,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, GOOD, WARN, line},
};

/// How many folders are asked about that a program turns out to need.
const FOLDERS: usize = 4;

pub(super) async fn run(config: &Config, args: McpAddArgs, json: bool) -> Result<Exit> {
    if config.mcp.contains_key(&args.name) {
        let told = format!("there is an MCP server `{}` already", args.name);
        let advice = format!("choose another name, or `toolwright mcp remove {}` first", args.name);
        return Err(CommandError::unusable(told).with_advice(advice).into());
    }
    let (name, yes) = (args.name.clone(), args.yes);
    let mut entry = entry(args)?;
    let file = SettingsFile::of(config)?;
    let path = file.path();
    file.change(Readers::AsBefore, |document| entry.add(document, &name))?;
    let changed = match loaded(config, path) {
        Ok(changed) => changed,
        // What cannot be read again must not stay: nothing else would work either.
        Err(error) => {
            file.change(Readers::AsBefore, |document| Entry::remove(document, &name))?;
            return Err(error);
        }
    };
    line(&format!("{GOOD}✓{END} added {name} to {}", path.display()));
    for (folder, own) in mcp_hides(&changed, &name) {
        line(&format!(
            "{WARN}!{END} {} has Toolwright's own data and settings in it ({}): they are hidden from {name}",
            folder.display(),
            own.display()
        ));
    }
    let mut server = mcp_server(&changed, &name)?;
    for _ in 0..FOLDERS {
        let Some(folder) = needed(&server, json).await? else { break };
        entry.read.push(folder);
        file.change(Readers::AsBefore, |document| entry.add(document, &name))?;
        server = mcp_server(&loaded(config, path)?, &name)?;
    }
    let approved = approve(&server, yes, json).await;
    if approved.is_err() {
        line(&format!(
            "{DIM}It stays in the file; `toolwright mcp remove {name}` takes it out.{END}"
        ));
    }
    approved
}

/// The settings as they are in the file now.
fn loaded(config: &Config, path: &Path) -> Result<Config> {
    let again = Flags {
        config: Some(path.to_owned()),
        data: Some(config.data.value.clone()),
        ..Flags::default()
    };
    Ok(Config::load(config.packs(), &again)?)
}

/// The folder that a server has to read to start at all, where the user says that it may.
async fn needed(server: &McpServer, json: bool) -> Result<Option<String>> {
    server.report().await?;
    let ServerState::Off(McpError::Unread { reason, folder }) = server.state() else {
        return Ok(None);
    };
    if json || !io::stdin().is_terminal() {
        return Ok(None);
    }
    line(&format!("{WARN}!{END} {reason}"));
    let folder = folder.display().to_string();
    Ok(asked(&format!("May it read {folder}?"), "--read")?.then_some(folder))
}

fn entry(args: McpAddArgs) -> Result<Entry> {
    let mut words = args.command.into_iter();
    let command = words.next();
    if command.is_some() == args.url.is_some() {
        return Err(CommandError::unusable("a server is a command or an address")
            .with_advice("write `mcp add NAME -- COMMAND ARGS…` or `mcp add NAME --url URL`")
            .into());
    }
    Ok(Entry {
        command,
        args: words.collect(),
        env: args.env,
        cwd: args.cwd,
        url: args.url,
        headers: args.header,
        bearer_token_env: args.bearer_token_env,
        network: args.network,
        read: args.read,
        write: args.write,
        is_unwalled: args.no_sandbox,
        is_off: false,
    })
}
