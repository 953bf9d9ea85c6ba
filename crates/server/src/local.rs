//! [`LocalSocket`]: where programs of the same user ask without a token.
//!
//! It lies in a folder that no other user may enter, and the kernel says of everybody who connects
//! which user they are. No browser and no other machine comes here.

use std::{
    fs::{self, DirBuilder, Permissions},
    io,
    os::unix::{
        fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt},
        net::UnixStream as Blocking,
    },
    path::{Path, PathBuf},
};

use tokio::net::{UnixListener, UnixStream};

use crate::auth::Peer;

/// Where programs of the same user ask without a token.
pub(crate) struct LocalSocket {
    listener: UnixListener,
    path: PathBuf,
    /// Which file it is: another server may have put its own there.
    inode: u64,
}

impl LocalSocket {
    /// Listens at a path, in a folder that is closed to everybody else.
    pub(crate) fn bind(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            close_to_others(folder)?;
        }
        clear(path)?;
        let listener = UnixListener::bind(path)?;
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        let inode = fs::symlink_metadata(path)?.ino();
        Ok(Self { listener, path: path.to_owned(), inode })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The next who connects and is this process's own user.
    pub(crate) async fn accept(&self) -> io::Result<(UnixStream, Peer)> {
        let us = rustix::process::geteuid().as_raw();
        loop {
            let (stream, _) = self.listener.accept().await?;
            if stream.peer_cred().is_ok_and(|it| it.uid() == us) {
                return Ok((stream, Peer::Socket));
            }
        }
    }
}

impl Drop for LocalSocket {
    fn drop(&mut self) {
        if fs::symlink_metadata(&self.path).is_ok_and(|it| it.ino() == self.inode) {
            // It is only a name that leads nowhere from now on.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Makes a folder, or makes it ours alone.
fn close_to_others(folder: &Path) -> io::Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made?;
    let found = fs::symlink_metadata(folder)?;
    let us = rustix::process::geteuid().as_raw();
    if !found.is_dir() || found.uid() != us {
        return Err(io::Error::other("its folder belongs to somebody else"));
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Clears away the socket of a server that is gone.
fn clear(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if !found.file_type().is_socket() => {
            Err(io::Error::other("another file is in its place"))
        }
        Ok(_) if Blocking::connect(path).is_ok() => Err(io::ErrorKind::AddrInUse.into()),
        Ok(_) => fs::remove_file(path),
    }
}
