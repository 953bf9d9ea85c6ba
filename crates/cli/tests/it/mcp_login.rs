//! Logging in to MCP servers, in the real binary: a real login server, a real MCP server, and a browser without a screen.

use std::{fs, os::unix::fs::PermissionsExt, process::Stdio};

use futures_util::future::join_all;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use toolwright_testkit::oauth::{OAuthServers, OAuthTwists, browse};

use crate::harness::{Cli, Ended};

/// The command, with a server that wants a login.
fn configured(servers: &OAuthServers, more: &str) -> Cli {
    Cli::new().configured(&format!("[mcp.remote]\nurl = \"{}\"\n{more}", servers.url))
}

/// Logs in as a user does: follows the printed address, and waits for the command to end.
async fn log_in(cli: &Cli, args: &[&str]) -> Ended {
    let mut command = cli.command(&[&["mcp", "login", "remote"], args].concat());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.next_line().await.unwrap().unwrap_or_default();
    let url = match serde_json::from_str::<Value>(&address) {
        Ok(event) => event["url"].as_str().unwrap().to_owned(),
        Err(_) => address,
    };
    let page = tokio::task::spawn_blocking(move || browse(&url)).await.unwrap();
    assert!(page.status == 200 && page.text.contains("You can close this window"), "{page:?}");
    let output = child.wait_with_output().await.unwrap();
    let mut out = String::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        out.push_str(&format!("{line}\n"));
    }
    Ended { code: output.status.code(), out, err: String::from_utf8(output.stderr).unwrap() }
}

fn assert_hides(servers: &OAuthServers, texts: &[&str]) {
    for text in texts {
        assert!(!servers.given().iter().any(|it| text.contains(it)), "a token was shown: {text}");
    }
}

#[tokio::test]
async fn a_user_logs_in_and_the_tools_are_there() {
    let servers = OAuthServers::start(OAuthTwists::default());
    let cli = configured(&servers, "");
    let says = "`toolwright mcp login remote`";
    // A run opens no browser: it goes on without, and says what to do.
    for args in [&["mcp", "list"][..], &["tools", "list"], &["doctor"]] {
        let ended = cli.run(args).await;
        assert!(
            ended.out.contains("it wants a login") && ended.out.contains(says),
            "{args:?}: {}",
            ended.out
        );
        // What the library below says of it is said in our own words.
        assert!(!ended.err.contains("worker quit"), "{args:?}: {}", ended.err);
    }
    let ended = cli.run(&["mcp", "list", "--json"]).await;
    let list: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(list[0]["state"], "login", "{list}");
    assert_eq!(cli.run(&["ask", "A tip on 50?"]).await.code, Some(0));
    assert!(!servers.asked().iter().any(|it| it.contains("well-known")), "{:?}", servers.asked());

    let ended = log_in(&cli, &["--no-browser"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(
        ended.err.contains(&format!("remote lets you in by {}", servers.issuer)),
        "{}",
        ended.err
    );
    assert!(ended.err.contains("It will be allowed: files:read offline_access"), "{}", ended.err);
    assert!(ended.err.contains("logged in to remote"), "{}", ended.err);
    let path = cli.folder.path().join("data/mcp/tokens.json");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

    let ended = cli.run(&["mcp", "approve", "remote", "--yes"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let called = cli.run(&["tools", "call", "remote__read"]).await;
    assert_eq!(called.out, "read for Bearer [redacted]\n", "{}", called.err);
    let listed = cli.run(&["mcp", "list"]).await;
    assert!(listed.out.contains("remote  ✓ 2 tools"), "{}", listed.out);
    let log = cli.run(&["--log", "trace", "tools", "call", "remote__read"]).await;
    assert_hides(&servers, &[&called.out, &listed.out, &log.out, &log.err, &ended.out]);

    let ended = cli.run(&["mcp", "logout", "remote"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_hides(&servers, &[&fs::read_to_string(&path).unwrap()]);
    assert!(cli.run(&["mcp", "list"]).await.out.contains(says));
    assert_eq!(cli.run(&["mcp", "logout", "other"]).await.code, Some(2));
    assert_eq!(cli.run(&["mcp", "login", "other"]).await.code, Some(2));
}

/// The address is one word of the program that opens it, and nothing of it is read by a shell.
#[tokio::test]
async fn a_browser_is_opened_where_there_is_a_screen() {
    let servers = OAuthServers::start(OAuthTwists::default());
    let cli = configured(&servers, "");
    let opener = cli.folder.path().join("xdg-open");
    fs::write(&opener, "#!/bin/sh\n[ $# = 1 ] && exec /usr/bin/curl -sL \"$1\"\n").unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let path = cli.folder.path().to_str().unwrap().to_owned();
    let cli = cli.env("PATH", &path).env("DISPLAY", ":0");
    let ended = cli.run(&["mcp", "login", "remote"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.err.contains("logged in to remote"), "{}", ended.err);
    assert!(!ended.err.contains("There is no browser"), "{}", ended.err);
}

/// However many processes find that the token has ended: one renews it, and each has the new one.
#[tokio::test]
async fn processes_renew_a_token_one_at_a_time() {
    let servers = OAuthServers::start(OAuthTwists::default());
    let cli = configured(&servers, "");
    assert_eq!(log_in(&cli, &["--no-browser", "--json"]).await.code, Some(0));
    cli.run(&["mcp", "approve", "remote", "--yes"]).await;
    servers.end_access();
    let calls = join_all((0..3).map(|_| cli.run(&["tools", "call", "remote__read"]))).await;
    for ended in calls {
        assert_eq!(ended.out, "read for Bearer [redacted]\n", "{}", ended.err);
    }
    assert_eq!(servers.renewals(), 1);
    // What the login server does not renew has to be logged in to again.
    servers.end_logins();
    let ended = cli.run(&["mcp", "list"]).await;
    assert!(
        ended.out.contains("it wants a login again: `toolwright mcp login remote`"),
        "{}",
        ended.out
    );
}

#[tokio::test]
async fn a_run_ends_without_a_server_that_is_required() {
    let servers = OAuthServers::start(OAuthTwists::default());
    let cli = configured(&servers, "required = true\n");
    let ended = cli.run(&["ask", "A tip on 50?"]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.out);
    assert!(ended.err.contains("the MCP server `remote` is required"), "{}", ended.err);
    assert!(ended.err.contains("`toolwright mcp login remote`"), "{}", ended.err);
    assert!(ended.err.contains("`required = false`"), "{}", ended.err);
    let ended = cli.run(&["ask", "--json", "A tip on 50?"]).await;
    let last = ended.events().pop().unwrap();
    assert_eq!(
        (&last["type"], &last["kind"]),
        (&"error".into(), &"source_missing".into()),
        "{last}"
    );
    // Looking is not a run.
    assert_eq!(cli.run(&["tools", "list"]).await.code, Some(0));
    log_in(&cli, &["--no-browser"]).await;
    cli.run(&["mcp", "approve", "remote", "--yes"]).await;
    assert_eq!(cli.run(&["ask", "A tip on 50?"]).await.code, Some(0));
}

#[tokio::test]
async fn a_login_that_cannot_be_is_told_and_one_that_is_not_wanted_ends() {
    let twists = OAuthTwists {
        server: Some(Box::new(|it| it["registration_endpoint"] = Value::Null)),
        ..OAuthTwists::default()
    };
    let servers = OAuthServers::start(twists);
    let ended = configured(&servers, "").run(&["mcp", "login", "remote", "--no-browser"]).await;
    assert_eq!(ended.code, Some(3), "{}", ended.err);
    assert!(
        ended.err.contains("registers no clients") && ended.err.contains("client_id"),
        "{}",
        ended.err
    );
    for (section, says) in [
        ("[mcp.x]\ncommand = \"a\"\noauth = {}\n", "are for a server with a `url`"),
        (
            "[mcp.x]\nurl = \"http://b\"\nbearer_token_env = \"T\"\noauth = {}\n",
            "it can be one of them",
        ),
        (
            "[mcp.x]\nurl = \"http://b\"\noauth = { client_secret_env = \"T\" }\n",
            "needs its `client_id`",
        ),
        ("[mcp.x]\nurl = \"http://b\"\noauth = { client_secret = \"T\" }\n", "client_secret"),
    ] {
        let ended = Cli::new().configured(section).run(&["mcp", "list"]).await;
        assert_eq!(ended.code, Some(2), "{section}: {}", ended.err);
        assert!(ended.err.contains(says), "{section}: {}", ended.err);
    }
    let program =
        Cli::new().configured("[mcp.x]\ncommand = \"a\"\n").run(&["mcp", "login", "x"]).await;
    assert!(program.err.contains("nobody logs in to it"), "{}", program.err);

    // Ctrl-C ends it.
    let servers = OAuthServers::start(OAuthTwists::default());
    let cli = configured(&servers, "");
    let mut child = cli
        .command(&["mcp", "login", "remote", "--no-browser"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next_line().await.unwrap().unwrap();
    let id = child.id().unwrap().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(child.wait().await.unwrap().code(), Some(130));
    assert!(!cli.folder.path().join("data/mcp/tokens.json").exists());
}
