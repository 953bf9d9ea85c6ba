//! `toolwright mcp login` and `logout`: letting a server know who asks.

use std::io::{self, BufRead, IsTerminal};

use serde_json::json;
use tokio::sync::mpsc;
use toolwright_app::{Config, mcp_pins, mcp_server_config, mcp_tokens, without_password};
use toolwright_core::{printable, truncate_line};
use toolwright_mcp::client::Login;

use super::unknown;
use crate::{
    args::McpLoginArgs,
    browser,
    error::Result,
    exit::Exit,
    stop::asked_to_stop,
    style::{BOLD, DIM, END, GOOD, line, out},
};

/// How much is shown of what is asked for, in characters.
const SHOWN: usize = 500;

pub(super) async fn login(config: &Config, args: &McpLoginArgs, json: bool) -> Result<Exit> {
    let name = &args.name;
    if !config.mcp.contains_key(name) {
        return Err(unknown(config, name).into());
    }
    let stop = asked_to_stop()?;
    let server = mcp_server_config(config, name)?;
    let logged_in = async {
        let login = Login::begin(&server).await?;
        show(&login, name, json)?;
        if !args.no_browser && !browser::open(login.url().as_str()) {
            line(&format!("{DIM}There is no browser to open it with here: open it yourself.{END}"));
        }
        login.finish(pasted()).await?;
        Result::<()>::Ok(())
    };
    tokio::select! {
        done = logged_in => done?,
        () = stop => {
            line(&format!("{DIM}Nobody logged in.{END}"));
            return Ok(Exit::Interrupted);
        }
    }
    if json {
        out(&format!("{}\n", json!({"type": "logged_in", "name": name})))?;
        return Ok(Exit::Answered);
    }
    line(&format!("{GOOD}✓{END} logged in to {name}"));
    if mcp_pins(config).of(name)?.is_empty() {
        line(&format!(
            "{DIM}No tool of it is approved yet: `toolwright mcp approve {name}` shows them and asks.{END}"
        ));
    }
    Ok(Exit::Answered)
}

/// Says where the user logs in, to whom, and what that allows.
fn show(login: &Login, name: &str, json: bool) -> Result {
    let issuer = without_password(login.issuer());
    if json {
        let told = json!({
            "type": "open", "url": login.url().as_str(), "issuer": issuer, "scopes": login.scopes(),
        });
        return Ok(out(&format!("{told}\n"))?);
    }
    let issuer = printable(&truncate_line(&issuer, SHOWN)).into_owned();
    line(&format!("{BOLD}{name}{END} lets you in by {issuer}"));
    if !login.scopes().is_empty() {
        let scopes = truncate_line(&login.scopes().join(" "), SHOWN);
        line(&format!("{DIM}It will be allowed: {}{END}", printable(&scopes)));
    }
    line("Open this address in a browser on this machine:");
    out(&format!("{}\n", login.url()))?;
    let elsewhere = match io::stdin().is_terminal() {
        true => " From another machine, paste the address that the browser ends at here.",
        false => "",
    };
    line(&format!(
        "{DIM}Waiting for the browser to come back (5 minutes; Ctrl-C ends it).{elsewhere}{END}"
    ));
    Ok(())
}

/// What the user types: the address that a browser on another machine ended at.
fn pasted() -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel(4);
    if io::stdin().is_terminal() {
        // A thread of its own: nobody can be told to stop reading, and the process need not wait for it.
        std::thread::spawn(move || {
            for text in io::stdin().lock().lines().map_while(io::Result::ok) {
                if send.blocking_send(text).is_err() {
                    return;
                }
            }
        });
    }
    lines
}

pub(super) fn logout(config: &Config, name: &str, json: bool) -> Result<Exit> {
    // Also of a server that is configured no more.
    let was_there = mcp_tokens(config).forget(name)?;
    if !was_there && !config.mcp.contains_key(name) {
        return Err(unknown(config, name).into());
    }
    if json {
        out(&format!("{}\n", json!({"name": name, "was_logged_in": was_there})))?;
    } else if was_there {
        line(&format!("{GOOD}✓{END} logged out of {name}"));
    } else {
        line(&format!("{DIM}Nobody was logged in to {name}.{END}"));
    }
    Ok(Exit::Answered)
}
