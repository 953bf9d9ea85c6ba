//! [`Tool`]: the program that the user's Python fetches packages with, for where this crate's own way ends.
//!
//! It may know more: a folder of packages, a keyring, certificates of its own.

use std::{
    fs::File,
    io,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use toolwright_files::{SETTINGS, read_bounded};

use crate::staging::weight;

/// How often to look how far it is.
const PACE: Duration = Duration::from_millis(100);
/// A tool that brings nothing for so long has stopped.
const PATIENCE: Duration = Duration::from_secs(180);
/// Longer words of the tool's are cut.
const MOST_WORDS: usize = 300;
const COMPLAINTS: &str = "complaints.txt";

/// A program that fetches packages, and the words it begins with.
#[derive(Debug)]
pub(crate) struct Tool {
    program: &'static str,
    words: &'static [&'static str],
}

/// The usual ones, the usual one first.
pub(crate) const TOOLS: [Tool; 5] = [
    Tool { program: "python3", words: &["-m", "pip"] },
    Tool { program: "pip3", words: &[] },
    Tool { program: "python", words: &["-m", "pip"] },
    Tool { program: "py", words: &["-m", "pip"] },
    Tool { program: "uv", words: &["tool", "run", "pip"] },
];

/// Why a tool brought nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It is not on this machine.
    Absent,
    /// It does not reach the place where packages are.
    Unreached(String),
    /// Something else, in its own words.
    Other(String),
}

impl Tool {
    /// Fetches packages into an absolute folder that is there for nothing else. `progress` hears how many
    /// bytes lie in it.
    pub(crate) fn fetch(
        &self,
        requirements: &[String],
        staging: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Failure> {
        let other = |error: io::Error| Failure::Other(error.to_string());
        let complaints = File::create(staging.join(COMPLAINTS)).map_err(other)?;
        let child = Command::new(self.program)
            .args(self.words)
            .args(["download", "--no-deps", "--only-binary=:all:", "-d"])
            .arg(staging)
            .args(requirements)
            // So that what is half there is in the staging folder too, and goes with it.
            .envs(["TMPDIR", "TEMP", "TMP"].map(|name| (name, staging)))
            // Python would run a `pip.py` that lies in the folder it is started in.
            .current_dir(staging)
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .env("PIP_NO_INPUT", "1")
            // Newer ones go on where a connection broke; older ones do not know this word.
            .env("PIP_RESUME_RETRIES", "8")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(complaints)
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Failure::Absent),
            Err(error) => return Err(other(error)),
        };
        let status = watch(&mut child, staging, progress).map_err(other)?;
        match status {
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                let said = read_bounded(staging.join(COMPLAINTS), SETTINGS).unwrap_or_default();
                Err(meaning(status, &String::from_utf8_lossy(&said)))
            }
            None => Err(Failure::Unreached("it brought nothing for three minutes".to_owned())),
        }
    }
}

/// Waits for the tool; none when it had to be stopped.
fn watch(
    child: &mut Child,
    staging: &Path,
    progress: &mut dyn FnMut(u64),
) -> io::Result<Option<ExitStatus>> {
    let (mut bytes, mut moved) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let now = weight(staging);
        if now != bytes {
            (bytes, moved) = (now, Instant::now());
            progress(bytes);
        }
        if moved.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(PACE);
    }
}

/// What it means that a tool ended like this and said that.
fn meaning(status: ExitStatus, said: &str) -> Failure {
    // What shells, version switchers and Windows end with in place of a program that is not there.
    if matches!(status.code(), Some(127 | 9009)) || said.contains("No module named pip") {
        return Failure::Absent;
    }
    let signs = ["NewConnectionError", "name resolution", "ProxyError", "timed out", "SSLError"];
    let unreached = signs.iter().any(|sign| said.contains(sign));
    let line = |start: &str| said.lines().rev().find(|line| line.trim_start().starts_with(start));
    let first = said.lines().rev().find(|line| !line.trim().is_empty());
    let line = line("ERROR").or_else(|| line("error")).or(first).unwrap_or_default().trim();
    let words = line.strip_prefix("ERROR: ").unwrap_or(line);
    let words: String = words.chars().filter(|it| !it.is_control()).take(MOST_WORDS).collect();
    let words = if words.is_empty() { format!("it ended with {status}") } else { words };
    if unreached { Failure::Unreached(words) } else { Failure::Other(words) }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn what_a_tool_says_is_understood() {
        let ended = |code: i32, said: &str| meaning(ExitStatus::from_raw(code << 8), said);
        assert_eq!(ended(1, "/usr/bin/python3: No module named pip\n"), Failure::Absent);
        assert_eq!(ended(127, "pyenv: python3: command not found\n"), Failure::Absent);
        let unreached = "WARNING: Retrying after connection broken by 'NewConnectionError(…)'\n\
                         ERROR: Could not find a version that satisfies it\n\
                         ERROR: No matching distribution found for x==1\n";
        let words = "No matching distribution found for x==1".to_owned();
        assert_eq!(ended(1, unreached), Failure::Unreached(words.clone()));
        let other = "ERROR: No matching distribution found for x==1\n\n[notice] new pip\n";
        assert_eq!(ended(1, other), Failure::Other(words));
        assert_eq!(ended(3, " \n"), Failure::Other("it ended with exit status: 3".to_owned()));
    }

    #[test]
    fn a_program_that_is_not_there_is_absent() {
        let staging = tempfile::tempdir().unwrap();
        let tool = Tool { program: "toolwright-has-no-such-program", words: &[] };
        assert_eq!(tool.fetch(&[], staging.path(), &mut |_| {}), Err(Failure::Absent));
    }
}
