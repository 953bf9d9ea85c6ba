//! S10: what the server has in memory stays there.
#![cfg(target_os = "linux")]

use std::process::Stdio;

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{Child, Command},
};
use toolwright_testkit::{as_nobody, is_root};

use crate::harness::Cli;

/// A program with no more rights over other processes than any user has over their own.
fn unprivileged(program: &str) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", program]);
    command
}

/// Whether another program of the same user may read this of a process.
async fn may_read(process: &Child, what: &str) -> bool {
    let path = format!("/proc/{}/{what}", process.id().unwrap());
    // Opening is what is refused; of `mem` nothing can be read at the beginning.
    let script = format!(": < {path}");
    let read = unprivileged("sh").args(["-c", &script]).stderr(Stdio::null()).status();
    read.await.unwrap().success()
}

async fn curl(arguments: &[&str]) -> String {
    let done = Command::new("curl").args(arguments).stdin(Stdio::null()).output().await.unwrap();
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Browsers are listed and signed out from a terminal, while the server runs.
#[tokio::test]
async fn sessions_are_listed_and_revoked() {
    let cli = Cli::new();
    let none = cli.run(&["server", "sessions"]).await;
    assert!(none.code == Some(0) && none.err.contains("No browser is known"), "{none:?}");
    let mut server = cli.command(&["--json", "serve", "--addr", "127.0.0.1:0"]).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("it says where it listens");
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let (address, url) = (told["address"].as_str().unwrap(), told["url"].as_str().unwrap());
    let socket = told["socket"].as_str().unwrap();
    let page = ["--unix-socket", socket, "http://localhost/api/health"];
    assert_eq!(curl(&[&["-s"][..], &page].concat()).await, r#"{"status":"ok"}"#);

    let head = curl(&["-s", "-D-", "-A", "A browser", url]).await;
    let field = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split(';').next().unwrap().trim().to_owned()
    };
    let cookie = format!("Cookie: {}", field("set-cookie:"));
    let key = format!("X-Toolwright-Key: {}", field("location: /#key="));
    let info = format!("http://{address}/api/info");
    let asked = async || {
        let code = ["-s", "-o", "/dev/null", "-w", "%{http_code}"];
        curl(&[&code[..], &["-H", &cookie, "-H", &key, &info]].concat()).await
    };
    assert_eq!(asked().await, "200");
    let list = cli.run(&["--json", "server", "sessions", "list"]).await;
    let all: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!((all.as_array().unwrap().len(), &all[0]["agent"]), (1, &"A browser".into()));
    let wrong = cli.run(&["server", "sessions", "revoke", "nobody"]).await;
    assert!(wrong.code == Some(2) && wrong.err.contains("what to do"), "{wrong:?}");
    assert_eq!(asked().await, "200");
    let revoked = cli.run(&["server", "sessions", "revoke", all[0]["id"].as_str().unwrap()]).await;
    assert_eq!(revoked.code, Some(0), "{revoked:?}");
    assert_eq!(asked().await, "401");
    server.kill().await.unwrap();
}

/// What a server prints is kept elsewhere and read by others: a link is told only to whoever looks, or is let in anyway.
#[tokio::test]
async fn a_link_is_told_where_nobody_else_reads_it() {
    for (auth, format, is_told) in [
        ("local", "pretty", true),
        ("local", "json", false),
        ("token", "pretty", false),
        ("token", "json", false),
    ] {
        for json in [&["--json"][..], &[]] {
            let cli = Cli::new().env("TOOLWRIGHT_LOG_FORMAT", format);
            let options = [json, &["serve", "--port", "0", "--auth", auth]].concat();
            let mut server = cli.command(&options).spawn().unwrap();
            let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
            let line = lines.next_line().await.unwrap().expect("it says where it listens");
            assert!(line.contains("http://127.0.0.1:"), "{options:?}: {line}");
            assert_eq!(line.contains("?token="), is_told, "{options:?} {format}: {line}");
            server.kill().await.unwrap();
        }
    }
    let cli = Cli::new();
    let mut server = cli.terminal(&["serve", "--port", "0", "--auth", "token"], None);
    let mut server = server.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    loop {
        let line = lines.next_line().await.unwrap().expect("it says where it listens");
        if line.contains("Toolwright is at") {
            assert!(line.contains("?token="), "{line}");
            break;
        }
    }
    server.stdin.as_mut().unwrap().write_all(b"\x03").await.unwrap();
    server.wait().await.unwrap();
}

/// What it says to type for a further link gives one that lets a browser in.
#[tokio::test]
async fn how_to_have_a_link_is_told_so_that_it_works() {
    for auth in ["local", "token"] {
        let cli = Cli::new();
        let options = ["serve", "--port", "0", "--auth", auth];
        let mut server = cli.command(&options).spawn().unwrap();
        let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
        let typed = loop {
            let line = lines.next_line().await.unwrap().expect("it is told");
            if let Some((_, typed)) = line.split_once("curl ") {
                break format!("curl -s {typed}");
            }
        };
        let made = Command::new("sh").args(["-c", &typed]).stdin(Stdio::null()).output();
        let made: serde_json::Value = serde_json::from_slice(&made.await.unwrap().stdout).unwrap();
        let head = curl(&["-s", "-D-", made["url"].as_str().unwrap()]).await;
        assert!(head.starts_with("HTTP/1.1 303"), "{typed}: {head}");
        server.kill().await.unwrap();
    }
}

/// Tokens are made, listed and removed from a terminal, while the server runs; what they may do is asked there.
#[tokio::test]
async fn tokens_are_made_listed_and_removed() {
    let cli = Cli::new().env("TOOLWRIGHT_MODEL", "demo");
    for wrong in [
        &["tokens", "add", "a b"][..],
        &["tokens", "add", "x", "--scope", "all"],
        &["tokens", "remove", "x"],
    ] {
        let refused = cli.run(wrong).await;
        assert!(refused.code == Some(2) && refused.err.contains("what to do"), "{refused:?}");
    }
    let options = ["--json", "serve", "--addr", "127.0.0.1:0", "--auth", "token"];
    let mut server = cli.command(&options).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("it says where it listens");
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let address = told["address"].as_str().unwrap();
    let made = cli.run(&["tokens", "add", "ci", "--scope", "ask,decide", "--expires", "90d"]).await;
    assert_eq!(made.code, Some(0), "{made:?}");
    let bearer = format!("Authorization: Bearer {}", made.out.trim());
    let asked = async |path: &str| {
        let code = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", &bearer];
        curl(&[&code[..], &[&format!("http://{address}{path}")]].concat()).await
    };
    assert_eq!((asked("/api/info").await, asked("/metrics").await), ("200".into(), "403".into()));
    assert!(!made.err.contains("it may not ask"), "{}", made.err);
    let blind = cli.run(&["tokens", "add", "blind", "--scope", "decide"]).await;
    assert_eq!(blind.code, Some(0), "{}", blind.err);
    assert!(blind.err.contains("it may not ask"), "{}", blind.err);
    assert!(blind.err.contains("--scope ask,decide"), "{}", blind.err);
    assert_eq!(cli.run(&["tokens", "remove", "blind"]).await.code, Some(0));
    let twice = cli.run(&["tokens", "add", "ci"]).await;
    assert!(twice.code == Some(2) && twice.err.contains("already"), "{twice:?}");
    let list = cli.run(&["tokens", "list"]).await;
    assert!(list.out.contains("ci  ask,decide  last used: "), "{list:?}");
    assert!(!list.out.contains(made.out.trim()), "it is told once");
    let list = cli.run(&["--json", "tokens"]).await;
    let all: serde_json::Value = serde_json::from_str(&list.out).unwrap();
    assert_eq!((&all[0]["owner"], all[0]["used_at"].is_u64()), (&"token:ci".into(), true), "{all}");
    let json = "Content-Type: application/json";
    let chat = format!("http://{address}/api/chat/stream");
    let said = ["-s", "-H", &bearer, "-H", json, "-d", r#"{"message": "A tip on $10?"}"#, &chat];
    let said = curl(&said).await;
    assert!(said.contains("run_started"), "{said}");
    // Whoever drives what is in a file would not hear of it.
    let stop = cli.run(&["tokens", "remove", "ci", "--stop"]).await;
    assert!(stop.code == Some(2) && stop.err.contains("PostgreSQL"), "{stop:?}");
    assert_eq!(cli.run(&["tokens", "remove", "ci"]).await.code, Some(0));
    // The next one of that name would have what was said with this one.
    let again = cli.run(&["tokens", "add", "ci"]).await;
    assert!(again.code == Some(2) && again.err.contains("--take-over"), "{again:?}");
    assert_eq!(cli.run(&["tokens", "add", "ci", "--take-over"]).await.code, Some(0));
    while asked("/api/info").await != "401" {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    server.kill().await.unwrap();
}

/// Opens connections and sends no more than the beginning of a request on each, again and again.
const FLOOD: &str = r#"
    trap "" PIPE
    while :; do
        for n in {1..600}; do
            exec {fd}<>/dev/tcp/127.0.0.1/$0 && printf 'GET / HTTP/1.1\r\nX: ' >&$fd && all[n]=$fd
        done
        echo up
        sleep 1
        for fd in "${all[@]}"; do exec {fd}>&-; done
    done 2>/dev/null
"#;

/// Another account takes as many connections as it can get. Its heads may take eight seconds each, so
/// whoever had to wait for it would wait longer than is waited here.
#[tokio::test]
async fn a_flood_of_another_accounts_takes_nothing_from_the_owner() {
    if !is_root() {
        return;
    }
    let cli = Cli::new();
    let plain = cli.command(&["--json", "serve", "--addr", "127.0.0.1:0"]);
    let plain = plain.as_std();
    let mut server = Command::new("sh");
    server.args(["-c", "ulimit -n 256; exec \"$@\"", "sh"]).arg(plain.get_program());
    server.args(plain.get_args()).env_clear().current_dir(cli.folder.path());
    server.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut server = server.spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("it says where it listens");
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    let (address, socket) = (told["address"].as_str().unwrap(), told["socket"].as_str().unwrap());

    let mut flood = Command::from(as_nobody("bash"));
    flood.args(["-c", FLOOD]);
    flood.arg(address.rsplit(':').next().unwrap()).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut flood = flood.kill_on_drop(true).spawn().unwrap();
    let mut up = BufReader::new(flood.stdout.take().unwrap()).lines();
    let chat = r#"{"message": "hello"}"#;
    for round in 0..3 {
        assert_eq!(up.next_line().await.unwrap().as_deref(), Some("up"), "{round}");
        let quiet = ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "6"];
        let over_tcp = format!("http://{address}/api/");
        let over_socket = "http://localhost/api/".to_owned();
        for (way, url) in [(&[][..], over_tcp), (&["--unix-socket", socket][..], over_socket)] {
            let about = format!("{url}info");
            let info = [&quiet[..], way, &[&about]].concat();
            assert_eq!(curl(&info).await, "200", "{round}: {way:?}");
            let url = format!("{url}chat/stream");
            let json = ["-H", "content-type: application/json", "-d", chat, url.as_str()];
            assert_eq!(curl(&[&quiet[..], way, &json].concat()).await, "200", "{round}: {way:?}");
        }
    }
    flood.kill().await.unwrap();
    server.kill().await.unwrap();
    let said = server.wait_with_output().await.unwrap().stderr;
    let said = String::from_utf8_lossy(&said);
    assert!(!said.contains("could not be taken in"), "{said}");
}

/// Where nobody reads to the end, that is no fault.
#[tokio::test]
async fn a_completion_script_need_not_be_read() {
    let cli = Cli::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let done = cli.command(&["completions", "bash"]).stdout(full).spawn().unwrap();
    let done = done.wait_with_output().await.unwrap();
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.code() == Some(1) && told.starts_with("error:"), "{told}");
    assert!(!told.contains("fault"), "{told}");
}

#[tokio::test]
async fn the_server_shows_its_memory_to_nobody() {
    let cli = Cli::new().env("TOOLWRIGHT_TOKEN", "the-token-of-a-test-0123456789");
    let plain = cli.command(&["--json", "serve", "--addr", "127.0.0.1:0"]);
    let plain = plain.as_std();
    let mut server = unprivileged(plain.get_program().to_str().unwrap())
        .args(plain.get_args())
        .env_clear()
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .current_dir(cli.folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("it says where it listens");
    assert!(line.contains("address"), "{line}");

    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id().unwrap())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let core: Vec<_> = core.split_whitespace().skip(4).take(2).collect();
    assert_eq!(core, ["0", "0"], "no image of it is left behind, and it cannot be asked for");

    // Some other process of the same user can be looked into: it is the server that refuses. Many
    // systems keep memory from all but a process's parent, and root has more ways to the rest.
    let shown = if is_root() { "mem" } else { "environ" };
    let mut other = unprivileged("cat");
    let other = other.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut other = other.spawn().unwrap();
    // It has become itself once it answers.
    other.stdin.as_mut().unwrap().write_all(b"x").await.unwrap();
    assert_eq!(other.stdout.as_mut().unwrap().read_u8().await.unwrap(), b'x');
    assert!(may_read(&other, shown).await);
    for what in [shown, "mem"] {
        assert!(!may_read(&server, what).await, "{what}");
    }
    server.kill().await.unwrap();
    other.kill().await.unwrap();
}

/// The link is one word of the program that `BROWSER` names; without any it is said that there is none.
#[tokio::test]
async fn the_page_is_opened_in_a_browser() {
    use std::os::unix::fs::PermissionsExt;
    let cli = Cli::new();
    let opener = cli.folder.path().join("opener");
    let script = "#!/bin/sh\necho \"$# $2\" > opened.new; mv opened.new opened\n";
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let named = format!("nosuchbrowser:{} --new", opener.display());
    let cli = cli.env("BROWSER", &named).env("PATH", "/usr/bin:/bin");
    let mut server = cli.command(&["--json", "serve", "--port", "0", "--open"]).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line = lines.next_line().await.unwrap().expect("it says where it listens");
    let told: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(told["address"].as_str().unwrap().starts_with("127.0.0.1:"), "{told}");
    let opened = cli.folder.path().join("opened");
    while !opened.exists() {
        assert!(server.try_wait().unwrap().is_none(), "it serves on");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let opened = std::fs::read_to_string(opened).unwrap();
    assert_eq!(opened.trim(), format!("2 {}", told["url"].as_str().unwrap()));
    server.kill().await.unwrap();

    let cli = Cli::new();
    // Where no link is told there is none to open, and how to have one is.
    for (auth, what) in [("local", "open the link yourself"), ("token", "make a link (curl ")] {
        let options = ["serve", "--port", "0", "--open", "--auth", auth];
        let mut server = cli.command(&options).spawn().unwrap();
        let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
        loop {
            let line = lines.next_line().await.unwrap().expect("it is told");
            if line.contains("There is no browser to open it with here") {
                assert!(line.contains(what), "{auth}: {line}");
                break;
            }
        }
        server.kill().await.unwrap();
    }
    let both = cli.run(&["serve", "--port", "8001", "--addr", "127.0.0.1:8001"]).await;
    assert_eq!(both.code, Some(2));
    assert!(both.err.contains("--addr") && both.err.contains("--port"), "{}", both.err);
}
