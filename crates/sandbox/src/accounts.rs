//! [`write`]: the users and groups that a program finds, which are not this machine's.

use std::{env, fs, io, path::Path};

/// Nobody, by number: whoever is not there inside.
const NOBODY: u32 = 65_534;

/// Writes who there is: root, nobody, and who the program runs as, by this name.
pub(super) fn write(name: &str, folder: &Path) -> io::Result<()> {
    let (user, group) = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    let home = env::var("HOME").unwrap_or_else(|_| "/tmp".to_owned());
    // A folder may be called anything; a line has its bounds.
    let home = if home.contains([':', '\n']) { "/tmp" } else { &home };
    let mut users = "root:x:0:0:root:/root:/usr/sbin/nologin\n".to_owned();
    let mut groups = "root:x:0:\n".to_owned();
    if user == 0 {
        users = format!("root:x:0:0:root:{home}:/bin/bash\n");
    } else if user != NOBODY {
        users += &format!("{name}:x:{user}:{group}:{name}:{home}:/bin/bash\n");
    }
    if group != 0 && group != NOBODY {
        groups += &format!("{name}:x:{group}:\n");
    }
    users += &format!("nobody:x:{NOBODY}:{NOBODY}:nobody:/nonexistent:/usr/sbin/nologin\n");
    groups += &format!("nogroup:x:{NOBODY}:\n");
    fs::write(folder.join("passwd"), users)?;
    fs::write(folder.join("group"), groups)
}
