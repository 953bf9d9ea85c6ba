//! [`Person`]: whose rights programs have.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use nix::unistd::{Uid, User, getgrouplist};

use crate::{NoSandbox, RootCommands, SandboxProfile};

/// Nobody, by number.
const NOBODY: u32 = 65_534;

/// The group of nobody, for who has none of their own.
const NO_GROUP: u32 = 65_534;

/// Whose rights programs have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Person {
    /// This process's own user, who is not root.
    Own,
    /// The owner of a folder, by number, and a group of theirs. Root becomes them.
    Owner(u32, u32),
    /// Nobody: root becomes them, where there is nothing to write to.
    Nobody,
    /// Root, because a person allowed it.
    Root,
}

impl Person {
    /// Who runs a program inside these walls.
    ///
    /// Root's number is enough to change settings of the kernel and the files of the system; that
    /// there is no capability beside it does not matter. So no program has it, unless a person said
    /// so.
    pub(super) fn of(
        profile: &SandboxProfile,
        root_commands: RootCommands,
    ) -> Result<Self, NoSandbox> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self::Own);
        }
        let Some(folder) = &profile.owner else {
            return Ok(match root_commands {
                RootCommands::Allowed => Self::Root,
                RootCommands::Refused => Self::Nobody,
            });
        };
        let found = fs::metadata(folder).map_err(|error| {
            NoSandbox::new(
                format!("{} cannot be looked at: {error}", folder.display()),
                "check its path",
            )
        })?;
        match (found.uid(), root_commands) {
            (0, RootCommands::Allowed) => Ok(Self::Root),
            (0, RootCommands::Refused) => Err(of_root(folder)),
            (user, _) => Ok(Self::Owner(user, group(user, found.gid()))),
        }
    }

    pub(super) fn is_root(self) -> bool {
        self == Self::Root
    }

    /// The user and the group to become.
    pub(super) fn becomes(self) -> Option<(u32, u32)> {
        match self {
            Self::Own | Self::Root => None,
            Self::Owner(user, group) => Some((user, group)),
            Self::Nobody => Some((NOBODY, NO_GROUP)),
        }
    }

    /// What this user is called inside.
    pub(super) fn name(self) -> String {
        let number = match self {
            Self::Own => rustix::process::geteuid().as_raw(),
            Self::Owner(user, _) => user,
            Self::Nobody => return "nobody".to_owned(),
            Self::Root => return "root".to_owned(),
        };
        let known = User::from_uid(Uid::from_raw(number)).ok().flatten().map(|it| it.name);
        let is_plain = |it: &String| {
            !it.is_empty()
                && it.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it))
        };
        known.filter(is_plain).unwrap_or_else(|| "user".to_owned())
    }

    pub(super) fn words(self) -> String {
        match self {
            Self::Own => "you, with no capability".to_owned(),
            Self::Owner(user, _) => format!("user {user}, who owns the folder"),
            Self::Nobody => "nobody".to_owned(),
            Self::Root => "root, with no capability, as allowed".to_owned(),
        }
    }
}

fn of_root(folder: &Path) -> NoSandbox {
    let shown = folder.display();
    NoSandbox::new(
        format!("this is root, and {shown} belongs to root: commands would run as root"),
        format!(
            "give the folder to an ordinary user (chown -R USER {shown}), start Toolwright as one, or \
             allow it: `allow_root = true` under `[sandbox]` in your toolwright.toml, or \
             TOOLWRIGHT_ALLOW_ROOT=true (--allow-root)"
        ),
    )
}

/// The group a command has: the folder's, where its owner is in it, or else their own. Somebody else
/// may have given the folder to a group that its owner has nothing to do with.
fn group(user: u32, of_folder: u32) -> u32 {
    let known = User::from_uid(Uid::from_raw(user)).ok().flatten();
    let own = known.as_ref().map(|it| it.gid.as_raw());
    let is_in = known.and_then(|it| {
        let name = std::ffi::CString::new(it.name).ok()?;
        let groups = getgrouplist(&name, it.gid).ok()?;
        Some(groups.iter().any(|group| group.as_raw() == of_folder))
    });
    let groups = [(is_in != Some(false)).then_some(of_folder), own];
    // The group of root is no ordinary user's.
    groups.into_iter().flatten().find(|group| *group != 0).unwrap_or(NO_GROUP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_has_the_group_of_root() {
        assert_ne!(group(4242, 0), 0);
        assert_ne!(group(65_534, 0), 0);
        // Nobody is not in the group of the daemon.
        assert_ne!(group(65_534, 1), 1);
        assert_eq!(group(4242, 4343), 4343);
    }
}
