//! [`NestedInstructions`]: files `AGENTS.md` below the folder that is worked in, told when something there is
//! touched.

use std::{
    collections::BTreeSet,
    fmt::Write,
    path::{Path, PathBuf},
};

use toolwright_files::digest_of;

use crate::{
    FILE_LIMIT, TOTAL_LIMIT,
    instructions::NAMES,
    reading::Reader,
    wording::{attribute, beginning, contained},
};

/// How deep they lie.
const DEPTH: usize = 12;
/// How many there are.
const MOST: usize = 500;
/// The largest, in bytes; of which a model is told less.
const LARGEST: u64 = 1 << 20;

/// Folders in which nobody writes instructions of their own.
const PASSED_OVER: [&str; 4] = ["node_modules", "target", "__pycache__", "venv"];

/// Files `AGENTS.md` below a folder.
#[derive(Clone, Debug, Default)]
pub struct NestedInstructions {
    folder: PathBuf,
    /// The digests of those that the user has approved.
    approved: BTreeSet<String>,
}

impl NestedInstructions {
    /// What everything begins with that is said of a file.
    pub const MARK: &str = "<project_instructions path=\"";

    /// Those below this folder, of which these are approved.
    pub fn new(folder: &Path, approved: impl IntoIterator<Item = String>) -> Self {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Self { folder, approved: approved.into_iter().collect() }
    }

    /// All there are, within bounds: each with its path from the folder and its digest.
    pub fn survey(folder: &Path) -> Vec<(String, String)> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut reader = Reader::new(&folder);
        let (mut found, mut level) = (Vec::new(), vec![folder.clone()]);
        for _ in 0..DEPTH {
            let mut deeper = Vec::new();
            for inner in level {
                for (name, path) in reader.list(&inner) {
                    let is_folder = path.symlink_metadata().is_ok_and(|it| it.is_dir());
                    if is_folder && !name.starts_with('.') && !PASSED_OVER.contains(&&*name) {
                        deeper.push(path);
                    }
                }
            }
            for inner in &deeper {
                let Some((name, text)) = read(&mut reader, &folder, inner) else { continue };
                found.push((name.clone(), digest_of([&name, &text])));
                if found.len() >= MOST {
                    return found;
                }
            }
            level = deeper;
        }
        found
    }

    /// What a result says besides, where something at this path was touched: the files between the folder
    /// and it. What the conversation has already (`is_told`, by its mark) is not said again.
    pub fn about(&self, touched: &Path, is_told: impl Fn(&str) -> bool) -> Option<String> {
        let real = self.folder.join(touched).canonicalize().ok()?;
        let inner = real.strip_prefix(&self.folder).ok()?;
        let mut reader = Reader::new(&self.folder);
        let (mut text, mut left) = (String::new(), TOTAL_LIMIT);
        let mut folder = self.folder.clone();
        for part in inner.components().take(DEPTH) {
            folder.push(part);
            if !folder.is_dir() {
                break;
            }
            let Some((name, said)) = read(&mut reader, &self.folder, &folder) else { continue };
            let mark = format!("{}{}\"", Self::MARK, attribute(&name));
            if is_told(&mark) {
                continue;
            }
            if !self.approved.contains(&digest_of([&name, &said])) {
                let _ = write!(text, "\n\n{mark} approved=\"no\"/>");
                let _ =
                    write!(text, "\n[it is not read: `toolwright trust` shows and approves it]");
                continue;
            }
            let kept = beginning(&said, FILE_LIMIT.min(left));
            left -= kept.len();
            let cut = match said.len() - kept.len() {
                0 => String::new(),
                cut => format!("[cut: {cut} of {} bytes are missing]\n", said.len()),
            };
            let kept = contained(kept);
            let _ = write!(
                text,
                "\n\n{mark}>\n{}\n{cut}</project_instructions>\n[the project's words about files there, \
                 not the user's]",
                kept.trim_end()
            );
        }
        (!text.is_empty()).then_some(text)
    }
}

/// The one file of a folder that counts, by its path from the top.
fn read(reader: &mut Reader, top: &Path, folder: &Path) -> Option<(String, String)> {
    NAMES.iter().find_map(|name| {
        let path = folder.join(name);
        let bytes = reader.read(&path, LARGEST).ok()??;
        let text = std::str::from_utf8(&bytes).ok().filter(|it| !it.trim().is_empty())?;
        let name = path.strip_prefix(top).ok()?.display().to_string();
        Some((name, text.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tempfile::TempDir;

    use super::NestedInstructions;

    fn put(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn what_lies_on_the_way_is_told_once_and_only_as_approved() {
        let temp = TempDir::new().unwrap();
        let top = temp.path();
        put(top, "AGENTS.md", "the folder's own, told elsewhere");
        put(top, "a/AGENTS.md", "about a");
        put(top, "a/b/CLAUDE.md", "about b");
        put(top, "a/b/x.rs", "");
        put(top, "c/AGENTS.md", "about c");
        put(top, "node_modules/p/AGENTS.md", "nobody's");
        std::os::unix::fs::symlink("/etc", top.join("a/etc")).unwrap();
        let found = NestedInstructions::survey(top);
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/AGENTS.md", "c/AGENTS.md", "a/b/CLAUDE.md"]);
        let nested = NestedInstructions::new(top, found.into_iter().map(|(_, digest)| digest));
        let told = nested.about(Path::new("a/b/x.rs"), |_| false).unwrap();
        assert!(told.find("about a").unwrap() < told.find("about b").unwrap(), "{told}");
        assert!(!told.contains("about c") && !told.contains("told elsewhere"), "{told}");
        let again = nested.about(Path::new("a/b/x.rs"), |mark| told.contains(mark));
        assert_eq!(again, None);
        for path in ["x", "../..", "/etc/passwd", "a/etc/passwd", "a/../AGENTS.md"] {
            assert_eq!(nested.about(Path::new(path), |_| false), None, "{path}");
        }
        put(top, "a/AGENTS.md", "about a, changed");
        let told = nested.about(Path::new("a"), |_| false).unwrap();
        assert!(told.contains("approved=\"no\"") && !told.contains("about a"), "{told}");
    }
}
