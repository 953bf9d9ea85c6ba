//! `toolwright mcp add`: writes a server into the config file, tries it and shows its tools.

use toolwright_app::{Config, Flags, mcp_server};

use super::{
    approve,
    file::{self, Entry},
};
use crate::{
    args::McpAddArgs,
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, GOOD, line},
};

pub(super) async fn run(config: &Config, args: McpAddArgs, json: bool) -> Result<Exit> {
    if config.mcp.contains_key(&args.name) {
        let told = format!("there is an MCP server `{}` already", args.name);
        let advice = format!("choose another name, or `toolwright mcp remove {}` first", args.name);
        return Err(CommandError::unusable(told).with_advice(advice).into());
    }
    let (name, yes) = (args.name.clone(), args.yes);
    let entry = entry(args)?;
    let path = file::path(config)?;
    file::change(&path, |document| file::add(document, &name, &entry))?;
    let again = Flags {
        config: Some(path.clone()),
        data: Some(config.data.value.clone()),
        ..Flags::default()
    };
    let changed = Config::load(config.packs(), &again);
    let changed = match changed {
        Ok(changed) => changed,
        // What cannot be read again must not stay: nothing else would work either.
        Err(error) => {
            file::change(&path, |document| file::remove(document, &name))?;
            return Err(error.into());
        }
    };
    line(&format!("{GOOD}✓{END} added {name} to {}", path.display()));
    let server = mcp_server(&changed, &name)?;
    let approved = approve(&server, yes, json).await;
    if approved.is_err() {
        line(&format!(
            "{DIM}It stays in the file; `toolwright mcp remove {name}` takes it out.{END}"
        ));
    }
    approved
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
