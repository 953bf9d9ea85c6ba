//! [`Launch`]: one start of bubblewrap, and the pipes to it.

use std::{
    ffi::{OsStr, OsString},
    io::{self, PipeReader, PipeWriter},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    Access, ENTER,
    cgroup::Groups,
    guarded::Before,
    running::Leaving,
    walls::{INSIDE, Memory, Walls, allowance},
};
use crate::{Helper, Limits};

/// What every start needs.
pub(super) struct Parts {
    pub(super) bwrap: PathBuf,
    pub(super) helper: Helper,
    pub(super) root: PathBuf,
    pub(super) limits: Limits,
    pub(super) walls: Walls,
    pub(super) groups: Option<Groups>,
    /// Whose rights commands have, where that is not this process's own user.
    pub(super) user: Option<(u32, u32)>,
    pub(super) leaving: Leaving,
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
        script: &str,
    ) -> io::Result<Launch> {
        let (output, writer) = io::pipe()?;
        let (told, teller) = io::pipe()?;
        let (waiting, go) = io::pipe()?;
        let mut command = Command::new(&self.bwrap);
        command.args(self.walls.arguments(before, folder, access));
        command.args(self.inside(access, script));
        // What bubblewrap has in its environment can be read inside.
        command.env_clear().current_dir("/");
        // A key pressed in the terminal is for the server.
        command.process_group(0);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command.stdin(waiting).stdout(writer).stderr(teller);
        Ok(Launch { command, output, told, go })
    }

    fn inside(&self, access: Access, script: &str) -> Vec<OsString> {
        let memory = match &self.groups {
            Some(groups) if groups.limits_memory() => Memory::Group,
            _ => Memory::EachProcess,
        };
        let mut arguments = vec![OsString::from(INSIDE)];
        if self.helper == Helper::This {
            arguments.push(ENTER.into());
        }
        arguments.extend(allowance(&self.root, access, &self.limits, memory));
        arguments.extend(["--", "bash", "-c", "--", script].map(|it| OsStr::new(it).to_owned()));
        arguments
    }
}
