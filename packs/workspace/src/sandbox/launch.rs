//! [`Launch`]: one start of bubblewrap, and the pipes to it.

use std::{
    ffi::{OsStr, OsString},
    io::{self, PipeReader, PipeWriter},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

use rustix::fs::{Gid, Uid};

use super::{
    Access, ENTER,
    cgroup::Groups,
    door::Door,
    enter::TRIAL,
    guarded::Before,
    person::Person,
    running::Leaving,
    walls::{INSIDE, Memory, Walls, allowance},
};
use crate::{Helper, Limits};

/// What every start needs.
pub(super) struct Parts {
    pub(super) bwrap: PathBuf,
    pub(super) helper: Helper,
    pub(super) door: Door,
    pub(super) root: PathBuf,
    /// Which folder the root is: device and number.
    pub(super) identity: (u64, u64),
    pub(super) limits: Limits,
    pub(super) walls: Walls,
    pub(super) groups: Option<Groups>,
    pub(super) person: Person,
    pub(super) leaving: Leaving,
}

/// What is started inside.
#[derive(Clone, Copy)]
pub(super) enum Script<'a> {
    /// A command.
    Command(&'a str),
    /// One that looks around, after the walls were tried.
    Trial(&'a str),
}

/// One start of bubblewrap.
pub(super) struct Launch {
    pub(super) command: Command,
    /// What the command writes, both of its outputs in one.
    pub(super) output: PipeReader,
    /// What bubblewrap and the program inside say before the command begins.
    pub(super) told: PipeReader,
    /// Where the program inside waits for a byte.
    pub(super) go: PipeWriter,
}

impl Parts {
    pub(super) fn launch(
        &self,
        before: &Before,
        folder: &Path,
        access: Access,
        script: Script<'_>,
    ) -> io::Result<Launch> {
        self.door.check()?;
        let (output, writer) = io::pipe()?;
        let (told, teller) = io::pipe()?;
        let (waiting, go) = io::pipe()?;
        let mut command = Command::new(&self.bwrap);
        let mut same = before.same.clone();
        same.push((self.root.clone(), self.identity.0, self.identity.1));
        let beginning = self.walls.guarded().which(folder)?;
        same.push((folder.to_owned(), beginning.0, beginning.1));
        command.args(self.walls.arguments(before, folder, access));
        command.args(self.inside(&same, access, script));
        // What bubblewrap has in its environment can be read inside.
        command.env_clear().current_dir("/");
        // A key pressed in the terminal is for the server.
        command.process_group(0);
        if let Person::Owner(user, group) = self.person {
            // A command opens its outputs by name, as in `> /dev/stderr`.
            rustix::fs::fchown(&writer, Some(Uid::from_raw(user)), Some(Gid::from_raw(group)))?;
            command.uid(user).gid(group);
        }
        command.stdin(waiting).stdout(writer).stderr(teller);
        Ok(Launch { command, output, told, go })
    }

    fn inside(
        &self,
        same: &[(PathBuf, u64, u64)],
        access: Access,
        script: Script<'_>,
    ) -> Vec<OsString> {
        let is_trial = matches!(script, Script::Trial(_));
        let memory = match &self.groups {
            Some(groups) if groups.limits_memory() => Memory::Group,
            _ => Memory::EachProcess,
        };
        let mut arguments = vec![OsString::from(INSIDE)];
        if self.helper == Helper::This {
            arguments.push(ENTER.into());
        }
        arguments.extend(allowance(&self.root, same, access, &self.limits, memory));
        let (Script::Command(script) | Script::Trial(script)) = script;
        if is_trial {
            arguments.push(TRIAL.into());
        }
        arguments.extend(["--", "bash", "-c", "--", script].map(|it| OsStr::new(it).to_owned()));
        arguments
    }
}
