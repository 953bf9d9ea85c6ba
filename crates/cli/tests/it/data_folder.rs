//! The data folder: what is written there is for its owner alone, and what others put there is neither
//! written through nor waited for.
#![cfg(unix)]

use std::{
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
    process::Stdio,
};

use toolwright_testkit::{ModelServer, NOBODY, Reply, Script, is_root};

use crate::harness::Cli;

const NOTE: &str = r#"{"text": "buy milk"}"#;

/// Every file and folder below, and whether others may do anything with it.
fn open_to_others(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = path.symlink_metadata().unwrap();
        if about.mode() & 0o077 != 0 {
            found.push(format!("{} {:o}", path.display(), about.mode() & 0o7777));
        }
        if about.is_dir() {
            open_to_others(&path, found);
        }
    }
}

#[tokio::test]
async fn all_that_is_kept_is_for_its_owner_alone_whatever_the_umask() {
    let script =
        Script::new().reply(Reply::calls([("a", "take_note", NOTE)])).reply(Reply::text("Noted."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).env("TOOLWRIGHT_WORKSPACE", ".");
    let takeout = cli.folder.path().join("watch-history.json");
    let watched = r#"[{"header": "YouTube", "title": "Watched A talk",
        "titleUrl": "https://www.youtube.com/watch?v=abcdefghijk",
        "subtitles": [{"name": "Somebody"}], "time": "2024-01-02T03:04:05Z"}]"#;
    std::fs::write(&takeout, watched).unwrap();
    let mut known = 0;
    for args in [
        &["doctor"][..],
        &["ask", "--task", "demo", "Note: buy milk"],
        &["tools", "call", "take_note", NOTE],
        &["watch", "import", "--no-embed", "watch-history.json"],
        &["approvals", "clear"],
        &["server", "sessions", "revoke", "--all"],
        &["conversations", "list"],
    ] {
        let inner = cli.command(args);
        let inner = inner.as_std();
        let mut command = tokio::process::Command::new("sh");
        command.args(["-c", "umask 000; exec \"$@\"", "sh"]).arg(inner.get_program());
        command.args(inner.get_args()).env_clear().current_dir(cli.folder.path());
        command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        let output = command.output().await.unwrap();
        let data = cli.folder.path().join("data");
        let mut found = Vec::new();
        open_to_others(&data, &mut found);
        let about = String::from_utf8_lossy(&output.stderr);
        assert!(found.is_empty(), "{args:?} left {found:?}\n{about}");
        assert_eq!(data.metadata().unwrap().permissions().mode() & 0o077, 0, "{args:?}");
        known = std::fs::read_dir(&data).unwrap().count();
    }
    assert!(known >= 5, "something was written at all");
    for name in ["notes.txt", "watch/watch.db", "toolwright.db"] {
        assert!(cli.folder.path().join("data").join(name).exists(), "{name}");
    }
}

#[tokio::test]
async fn nothing_is_written_through_a_link() {
    let cli = Cli::new();
    let data = cli.folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    let victim = cli.folder.path().join("victim");
    for name in [".probe", "notes.txt", "approvals.lock", "approvals.new", "trust.new"] {
        symlink(&victim, data.join(name)).unwrap();
    }
    for args in [
        &["doctor"][..],
        &["tools", "call", "take_note", NOTE],
        &["tools", "call", "--approve", "delete_notes", "{}"],
        &["approvals", "clear"],
    ] {
        std::fs::write(&victim, "precious").unwrap();
        cli.run(args).await;
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious", "{args:?}");
    }
}

/// The harness gives a command a minute: one that waits for a pipe does not end.
#[tokio::test]
async fn a_pipe_in_the_data_folder_is_told_and_not_waited_for() {
    for (name, args) in [
        ("notes.txt", &["tools", "call", "take_note", NOTE][..]),
        ("notes.txt", &["tools", "call", "list_notes", "{}"]),
        ("server.token", &["serve", "--addr", "127.0.0.1:0"]),
        ("approvals.json", &["approvals", "list"]),
        ("approvals.json", &["ask", "hello"]),
        ("watch/watch.db", &["watch", "stats"]),
        ("log.key", &["conversations", "list"]),
    ] {
        let cli = Cli::new();
        let path = cli.folder.path().join("data").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let ended = cli.run(args).await;
        assert_ne!(ended.code, Some(0), "{name} {args:?}: {}{}", ended.out, ended.err);
        assert!(ended.err.contains("regular file"), "{name} {args:?}: {}", ended.err);
    }
}

/// Whoever may write to the data folder, or put another in its place, could give rules and keys.
#[tokio::test]
async fn a_data_folder_that_is_somebody_elses_too_is_not_used() {
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for args in [&["ask", "hello"][..], &["tools", "call", "take_note", NOTE], &["doctor"]] {
        for (open, bits) in [("data", 0o777), ("data", 0o1777), ("above", 0o777), ("above", 0o757)]
        {
            let cli = Cli::new();
            let above = cli.folder.path().join("above");
            let data = above.join("data");
            std::fs::create_dir_all(&data).unwrap();
            let cli = cli.env("TOOLWRIGHT_DATA", data.to_str().unwrap());
            let open = if open == "data" { &data } else { &above };
            mode(open, bits);
            let ended = cli.run(args).await;
            assert_ne!(
                ended.code,
                Some(0),
                "{args:?} {open:?} {bits:o}: {}{}",
                ended.out,
                ended.err
            );
            let advice = format!("chmod go-w {}", open.display());
            assert!(ended.err.contains(&advice), "{args:?} {bits:o}: {}", ended.err);
            assert_eq!(std::fs::read_dir(&data).unwrap().count(), 0, "{args:?}: it is as it was");
            mode(open, 0o755);
            let ended = cli.run(args).await;
            assert_eq!(ended.code, Some(0), "{args:?}: {}", ended.err);
        }
    }
}

/// Only root can give a folder away.
#[tokio::test]
async fn a_data_folder_of_another_account_is_not_used() {
    if !is_root() {
        return;
    }
    let cli = Cli::new();
    let data = cli.folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::os::unix::fs::chown(&data, Some(NOBODY), None).unwrap();
    let ended = cli.run(&["ask", "hello"]).await;
    assert!(ended.err.contains("belongs to another account (number 65534)"), "{ended:?}");
    assert_eq!((ended.code == Some(0), std::fs::read_dir(&data).unwrap().count()), (false, 0));
}
