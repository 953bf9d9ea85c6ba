//! [`put_up`]: Landlock, which holds even where a mount does not.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, BitFlags, LandlockStatus, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};

/// The newest version this knows; older kernels get as much of it as they have.
const NEWEST: ABI = ABI::V9;

/// Allows this process, and whatever it becomes or starts, to read everything that is there to be
/// read, and to change only what is its own and what is in `writable`. Nothing is changed through
/// `/proc`: some of it is the machine's own, and asks only who somebody is. Returns the version that
/// the kernel has.
pub(super) fn put_up(writable: &[PathBuf]) -> Result<String, String> {
    let handled = AccessFs::from_all(NEWEST);
    // Sockets of other programs are not reached, whatever folder they are in.
    let all = handled & !AccessFs::ResolveUnix;
    // Nobody could talk to one that a command left behind; it would only be in the way.
    let lasting = all & !AccessFs::MakeSock;
    // What is in these is there already; nothing is made or removed there.
    let devices =
        AccessFs::from_read(NEWEST) | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let own: [(&Path, BitFlags<AccessFs>); 4] = [
        (Path::new("/"), AccessFs::from_read(NEWEST)),
        (Path::new("/tmp"), all),
        (Path::new("/dev"), devices),
        (Path::new("/dev/shm"), all),
    ];
    let told = |error: &dyn std::fmt::Display| error.to_string();
    let mut rules = Ruleset::default()
        .handle_access(handled)
        .and_then(|it| it.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(|error| told(&error))?;
    let files = AccessFs::from_file(NEWEST);
    let given = writable
        .iter()
        .map(|it| (it.as_path(), if it.is_dir() { lasting } else { lasting & files }));
    for (path, access) in own.into_iter().chain(given) {
        let folder = PathFd::new(path).map_err(|error| told(&error))?;
        rules = rules.add_rule(PathBeneath::new(folder, access)).map_err(|error| told(&error))?;
    }
    let status = rules.restrict_self().map_err(|error| told(&error))?;
    match (status.ruleset, status.landlock) {
        (RulesetStatus::NotEnforced, _) => Err("the kernel does not have it".to_owned()),
        (_, LandlockStatus::Available { effective_abi, kernel_abi, .. }) => {
            Ok(kernel_abi.unwrap_or(effective_abi as i32).to_string())
        }
        _ => Ok("?".to_owned()),
    }
}
