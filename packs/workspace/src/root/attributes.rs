//! [`keep`]: the owner, the rights, the access lists and the attributes of a file, for the one that
//! takes its place.

use std::{fs::File, io};

use rustix::{
    fs::{
        Gid, Mode, Uid, XattrFlags, fchmod, fchown, fgetxattr, flistxattr, fremovexattr, fsetxattr,
    },
    io::Errno,
};

use super::entry::Access;

/// No value and no list of names is longer than this.
const MOST: usize = 64 << 10;

/// What the system itself takes from a file whose content changes, or works out anew.
const OF_THE_CONTENT: [&[u8]; 3] = [b"security.capability", b"security.ima", b"security.evm"];

/// Gives `new` what `old` has. An error where something of it cannot be kept.
pub(super) fn keep(old: &File, new: &File, access: Access) -> io::Result<()> {
    let (user, group) = (Uid::from_raw(access.user), Gid::from_raw(access.group));
    fchown(new, Some(user), Some(group)).map_err(|error| lost("its owner and group", error))?;
    let (before, after) = (names(old)?, names(new)?);
    // What a folder gives to every new file in it may open this one to more people.
    let kernels = |name: &&Vec<u8>| name.starts_with(b"security.");
    for name in after.iter().filter(|it| !before.contains(it) && !kernels(it)) {
        fremovexattr(new, name.as_slice()).map_err(|error| lost(&told(name), error))?;
    }
    for name in before.iter().filter(|it| !OF_THE_CONTENT.contains(&it.as_slice())) {
        let value = value(old, name).map_err(|error| lost(&told(name), error))?;
        if value.is_some() && value == self::value(new, name).unwrap_or_default() {
            continue;
        }
        let Some(value) = value else { continue };
        fsetxattr(new, name.as_slice(), &value, XattrFlags::empty())
            .map_err(|error| lost(&told(name), error))?;
    }
    fchmod(new, Mode::from_raw_mode(access.mode)).map_err(|error| lost("its rights", error))
}

/// The names of the attributes of a file, where its file system has any.
fn names(file: &File) -> io::Result<Vec<Vec<u8>>> {
    let mut list = vec![0; MOST];
    let len = match flistxattr(file, list.as_mut_slice()) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => 0,
        found => found.map_err(|error| lost("its attributes", error))?,
    };
    let list = list.get(..len).unwrap_or_default();
    let names = list.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(<[u8]>::to_vec).collect())
}

/// The value of an attribute, where it is still there.
fn value(file: &File, name: &[u8]) -> Result<Option<Vec<u8>>, Errno> {
    let mut value = vec![0; MOST];
    match fgetxattr(file, name, value.as_mut_slice()) {
        Err(Errno::NODATA) => Ok(None),
        found => {
            value.truncate(found?);
            Ok(Some(value))
        }
    }
}

fn told(name: &[u8]) -> String {
    match name {
        b"system.posix_acl_access" => "its access list (ACL)".to_owned(),
        name => format!("its attribute {}", String::from_utf8_lossy(name).escape_debug()),
    }
}

fn lost(what: &str, error: Errno) -> io::Error {
    let kind = io::Error::from(error).kind();
    io::Error::new(kind, format!("{what} could not be kept ({error})"))
}
