//! [`Launch`]: one start of bubblewrap, and the pipes to it.

use std::{
    ffi::OsString,
    io::{self, PipeReader, PipeWriter},
    os::unix::process::CommandExt,
    path::PathBuf,
    process::Command,
};

use rustix::fs::{Gid, Uid};

use crate::{
    ENTER, Helper, RootCommands, SandboxProfile,
    arguments::{INSIDE, inner, outer},
    cgroup::Groups,
    door::Door,
    person::Person,
    running::Leaving,
};

/// What every start needs.
pub(super) struct Parts {
    pub(super) bwrap: PathBuf,
    pub(super) helper: Helper,
    pub(super) door: Door,
    /// The arguments of bubblewrap that are the same for every program.
    pub(super) fixed: Vec<OsString>,
    pub(super) groups: Option<Groups>,
    pub(super) root_commands: RootCommands,
    /// What no program sees.
    pub(super) hidden: Vec<PathBuf>,
    pub(super) leaving: Leaving,
}

/// How a program is started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// It reads nothing, and both of its outputs are one.
    Joined,
    /// It has an input, and its outputs are kept apart.
    Separate,
    /// As the first, after the walls were tried.
    Trial,
}

/// Who sees to the limit of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// A control group, for all processes together.
    Group,
    /// Each process by itself.
    EachProcess,
}

/// One start of bubblewrap.
pub(super) struct Launch {
    pub(super) command: Command,
    pub(super) pipes: Pipes,
}

/// What leads to a program.
pub(super) struct Pipes {
    /// Where the program inside waits for a byte. What the program reads follows it, where it reads.
    pub(super) input: PipeWriter,
    /// What the program writes; both of its outputs, where they are one.
    pub(super) output: PipeReader,
    /// What bubblewrap and the program inside say before the program begins. What it writes as errors
    /// follows, where that is kept apart.
    pub(super) told: PipeReader,
}

impl Parts {
    pub(super) fn launch(
        &self,
        profile: &SandboxProfile,
        person: Person,
        program: &[OsString],
        start: Start,
    ) -> io::Result<Launch> {
        self.door.check()?;
        let (output, writer) = io::pipe()?;
        let (told, teller) = io::pipe()?;
        let (waiting, input) = io::pipe()?;
        let mut command = Command::new(&self.bwrap);
        command.args(outer(&self.fixed, profile, person)).arg(INSIDE);
        if self.helper == Helper::This {
            command.arg(ENTER);
        }
        let memory = match &self.groups {
            Some(groups) if groups.limits_memory() => Memory::Group,
            _ => Memory::EachProcess,
        };
        command.args(inner(profile, person, start, memory)).args(program);
        // What bubblewrap has in its environment can be read inside.
        command.env_clear().current_dir("/");
        // A key pressed in the terminal is for the server.
        command.process_group(0);
        if let Some((user, group)) = person.becomes() {
            let (owner, of) = (Some(Uid::from_raw(user)), Some(Gid::from_raw(group)));
            // A program opens its outputs by name, as in `> /dev/stderr`.
            rustix::fs::fchown(&writer, owner, of)?;
            if start == Start::Separate {
                rustix::fs::fchown(&teller, owner, of)?;
                rustix::fs::fchown(&waiting, owner, of)?;
            }
            command.uid(user).gid(group);
        }
        command.stdin(waiting).stdout(writer).stderr(teller);
        Ok(Launch { command, pipes: Pipes { input, output, told } })
    }
}
