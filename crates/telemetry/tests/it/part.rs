//! A part that this binary plays in a process of its own, because what it installs is installed for
//! the whole process.

use std::{
    process::{Command, Output, Stdio},
    time::Duration,
};

use toolwright_telemetry::{Config, LogFormat, Otlp, init};

use crate::story;

/// What tells a process that it is one.
const PART: &str = "TOOLWRIGHT_TEST_PART";
const LEVEL: &str = "TOOLWRIGHT_TEST_LEVEL";
const FORMAT: &str = "TOOLWRIGHT_TEST_FORMAT";
/// Longer than anything here takes, and shorter than what a hanging collector would.
const HANGS: Duration = Duration::from_secs(90);

/// What a process did.
#[derive(Debug)]
pub(crate) struct Played {
    /// What it printed.
    pub(crate) said: String,
    /// What it logged.
    pub(crate) log: String,
}

/// Lets a process with these variables watch all runs of the story.
#[track_caller]
pub(crate) fn play(level: &str, format: &str, variables: &[(&str, &str)]) -> Played {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let inherited = std::env::vars().map(|(name, _)| name).filter(|it| it.starts_with("OTEL_"));
    inherited.for_each(|name| _ = command.env_remove(name));
    let child = command
        .args(["--exact", "part::watches_the_story", "--ignored", "--nocapture"])
        .env(PART, "1")
        .envs([(LEVEL, level), (FORMAT, format)])
        .envs(variables.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(child.wait_with_output()));
    let Output { status, stdout, stderr } = match ended.recv_timeout(HANGS) {
        Ok(output) => output.unwrap(),
        Err(_) => {
            _ = Command::new("kill").arg(id.to_string()).status();
            panic!("the process does not come to its end");
        }
    };
    let (said, log) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert!(status.success(), "{status}: {said}\n{log}");
    Played { said, log }
}

/// One thread, as the program has.
#[tokio::test(flavor = "current_thread")]
#[ignore = "a part that other tests start"]
async fn watches_the_story() {
    if std::env::var(PART).is_err() {
        return;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let config = Config {
        level: std::env::var(LEVEL).unwrap(),
        format: match std::env::var(FORMAT).unwrap().as_str() {
            "json" => LogFormat::Json,
            _ => LogFormat::Pretty,
        },
        otlp: Otlp::from_env().unwrap(),
    };
    let telemetry = init(&config).unwrap();
    let observers: Vec<_> = telemetry.observer().into_iter().collect();
    println!("answered: {}", story::answered(&observers).await.response);
    println!("refused: {}", story::refused(&observers).await.message);
    println!("stopped: {}", story::stopped(&observers).await.message);
    telemetry.shutdown();
}
