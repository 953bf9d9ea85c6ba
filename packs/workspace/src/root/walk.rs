//! [`Root::walk`]: everything in the workspace that git does not ignore.
//!
//! Files that say what is ignored are read through the handle: one that is a pipe, or a link to
//! something endless, would otherwise hold up whoever walks.

use std::{
    collections::HashMap,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ignore::{
    DirEntry, Match, WalkBuilder,
    gitignore::{Gitignore, GitignoreBuilder},
};

use super::{Folder, Root};

/// The most bytes of a file that says what is ignored; more of it is not read.
const MOST: u64 = 1 << 20;

impl Root {
    /// Walks a folder of the workspace, the root where `relative` is empty: without `.git` and
    /// without what is ignored. No link is followed, and nothing is looked at but by its name.
    pub(crate) fn walk(&self, relative: &Path) -> WalkBuilder {
        let ignored = Ignored {
            root: self.path.clone(),
            folder: self.folder.clone(),
            known: Mutex::default(),
        };
        let mut walk = WalkBuilder::new(self.path.join(relative));
        walk.standard_filters(false)
            .follow_links(false)
            .filter_entry(move |entry| entry.file_name() != ".git" && !ignored.is_ignored(entry));
        walk
    }
}

/// What the files in a workspace say is to be ignored.
struct Ignored {
    root: PathBuf,
    folder: Arc<Folder>,
    known: Mutex<HashMap<PathBuf, Arc<Gitignore>>>,
}

impl Ignored {
    /// Whether it is ignored, given that the folders it is in are not.
    fn is_ignored(&self, entry: &DirEntry) -> bool {
        let path = entry.path();
        let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
        let folders = path.ancestors().skip(1).take_while(|it| it.starts_with(&self.root));
        for folder in folders {
            match self.rules(folder).matched(path, is_folder) {
                Match::None => {}
                found => return found.is_ignore(),
            }
        }
        false
    }

    fn rules(&self, folder: &Path) -> Arc<Gitignore> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(folder) {
            return rules.clone();
        }
        let rules = Arc::new(self.read(folder));
        known.insert(folder.to_owned(), rules.clone());
        rules
    }

    fn read(&self, folder: &Path) -> Gitignore {
        let mut rules = GitignoreBuilder::new(folder);
        let below = folder.strip_prefix(&self.root).unwrap_or(Path::new(""));
        let mut files = vec![below.join(".gitignore"), below.join(".ignore")];
        if below.as_os_str().is_empty() {
            // The weakest come first.
            files.insert(0, ".git/info/exclude".into());
        }
        for file in files {
            let Ok(opened) = self.folder.open_file(&file) else { continue };
            let mut text = Vec::new();
            let _ = opened.take(MOST).read_to_end(&mut text);
            for line in String::from_utf8_lossy(&text).lines() {
                // A pattern that means nothing ignores nothing.
                let _ = rules.add_line(None, line);
            }
        }
        rules.build().unwrap_or_else(|_| Gitignore::empty())
    }
}
