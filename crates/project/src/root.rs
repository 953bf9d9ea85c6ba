//! [`project_root`]: where a project begins, and the folders from there to the one that is worked in.

use std::path::{Path, PathBuf};

/// More folders above one another than any project has.
const DEEPEST: usize = 64;

/// The nearest folder at or above this one that has a `.git`; the folder itself where none has.
pub fn project_root(folder: &Path) -> PathBuf {
    let above = folder.ancestors().take(DEEPEST);
    let found = above.into_iter().find(|it| it.join(".git").symlink_metadata().is_ok());
    found.unwrap_or(folder).to_owned()
}

/// The folders from the root of the project to this one, both with it: the root first. The folder must be a
/// real path.
pub fn chain(folder: &Path) -> Vec<PathBuf> {
    let root = project_root(folder);
    let mut folders: Vec<_> =
        folder.ancestors().take_while(|it| it.starts_with(&root)).map(Path::to_owned).collect();
    folders.reverse();
    folders
}

#[cfg(test)]
mod tests {
    use super::{chain, project_root};

    #[test]
    fn a_project_begins_at_the_nearest_repository() {
        let temp = tempfile::TempDir::new().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let inner = top.join("a/b/c");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(project_root(&inner), inner, "without one it is the folder alone");
        assert_eq!(chain(&inner), std::slice::from_ref(&inner));
        std::fs::create_dir(top.join(".git")).unwrap();
        assert_eq!(chain(&inner), [top.clone(), top.join("a"), top.join("a/b"), inner.clone()]);
        // A worktree has a file of that name.
        std::fs::write(top.join("a/b/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(chain(&inner), [top.join("a/b"), inner]);
    }
}
