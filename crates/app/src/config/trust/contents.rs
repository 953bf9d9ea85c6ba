//! [`FolderContents`]: the files of a folder that would count, read once, and their digest.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use toolwright_files::{Links, Opened, SETTINGS, digest_of};
use toolwright_project::{NestedInstructions, ProjectFiles};

use super::super::file::{NAME, user_folders};

/// Where the tasks of a folder are, in it.
pub const TASKS: &str = ".toolwright/tasks";

/// Where the commands of a folder are, in it.
pub const TOOLS: &str = ".toolwright/tools";

/// More tasks than any folder has, or commands.
const MOST: usize = 256;

/// The files of a folder that would count, as they were read, once: what is trusted, shown and parsed
/// is the same bytes. Cloning is cheap.
#[derive(Clone)]
pub struct FolderContents {
    folder: PathBuf,
    path: PathBuf,
    files: Arc<[(String, Vec<u8>)]>,
    left_out: Arc<[Refusal]>,
    project: Arc<ProjectFiles>,
    /// What lies below it, looked for when it is first asked for.
    nested: Arc<OnceLock<Vec<(String, String)>>>,
    digest: String,
}

/// A file of a folder's that a model is told, or may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderText {
    /// Its path from the folder.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What stands in it. Of a file below the folder it is what a model is told when it works there.
    pub text: String,
}

/// Why a folder cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl FolderContents {
    /// Reads the files of a folder that would count; none where there are none. A task or a command that cannot be
    /// trusted is left out; with it in a form that can be, the contents are others.
    ///
    /// # Errors
    /// Where what is there cannot be trusted, or nothing that is there can be.
    pub fn read(folder: &Path) -> Result<Option<Self>, Refusal> {
        let path = folder.join(NAME);
        let refused = |path: &Path, reason: &io::Error| Refusal {
            path: path.to_owned(),
            reason: reason.to_string(),
        };
        let mut files = Vec::new();
        match read(&path) {
            Ok(bytes) => files.push((NAME.to_owned(), bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(reason) => return Err(refused(&path, &reason)),
        }
        let (mut names, mut left_out) = (Vec::new(), Vec::new());
        for (place, end) in [(TASKS, ".md"), (TOOLS, ".toml")] {
            match self::names(folder, place, end) {
                Ok((found, refused)) => {
                    names.extend(found);
                    left_out.extend(refused);
                }
                Err(refusal) => left_out.push(refusal),
            }
        }
        for name in names {
            let path = folder.join(&name);
            match read(&path) {
                Ok(bytes) => files.push((name, bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(reason) => left_out.push(refused(&path, &reason)),
            }
        }
        let project = ProjectFiles::of_project(folder, &user_folders());
        let of_project = project.refused().iter();
        left_out.extend(
            of_project.map(|it| Refusal { path: it.path.clone(), reason: it.reason.clone() }),
        );
        if files.is_empty() && project.is_empty() {
            return left_out.into_iter().next().map_or(Ok(None), Err);
        }
        let folder = folder.canonicalize().map_err(|error| refused(&path, &error))?;
        let digest = digest(&files, &project);
        let (files, left_out, project) = (files.into(), left_out.into(), Arc::new(project));
        let nested = Arc::default();
        Ok(Some(Self { folder, path, files, left_out, project, nested, digest }))
    }

    /// What is there, by its name: the settings, the tasks, the commands, what the project tells a model.
    pub fn told(&self) -> String {
        let all = self.told_one_by_one();
        match all.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, before)) => format!("{} and {last}", before.join(", ")),
            None => String::new(),
        }
    }

    /// Whether what is there is told as one thing.
    pub(super) fn is_one(&self) -> bool {
        let is_many =
            |it: &str| it.starts_with(|it: char| it.is_ascii_digit()) && !it.starts_with("1 ");
        matches!(self.told_one_by_one().as_slice(), [one] if !is_many(one))
    }

    fn told_one_by_one(&self) -> Vec<String> {
        let folder = self.path.with_file_name("");
        let of = |place: &str| {
            let names = self.files.iter().map(|(name, _)| name);
            let names: Vec<_> = names.filter(|name| name.starts_with(place)).collect();
            match names.as_slice() {
                [] => None,
                [file] => Some(folder.join(file).display().to_string()),
                _ => Some(folder.join(place).display().to_string()),
            }
        };
        let settings = self.files.iter().find(|(name, _)| name == NAME);
        let settings = settings.map(|_| self.path.display().to_string());
        let files = settings.into_iter().chain(of(TASKS)).chain(of(TOOLS));
        files.chain(self.project.told()).collect()
    }

    /// What lies among its tasks and commands and cannot be trusted.
    pub fn left_out(&self) -> &[Refusal] {
        &self.left_out
    }

    /// The folder, its real path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file with its settings, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the project says to a model.
    pub fn project(&self) -> &ProjectFiles {
        &self.project
    }

    /// The files `AGENTS.md` below the folder: the path of each, and its digest.
    pub fn nested(&self) -> &[(String, String)] {
        self.nested.get_or_init(|| NestedInstructions::survey(&self.folder))
    }

    /// Everything that a model is told of it once it is trusted, or may be: what stands in `AGENTS.md`, in skills
    /// and in commands, and in the files `AGENTS.md` below the folder. What is no text is not among it.
    pub fn texts_told(&self) -> Vec<FolderText> {
        let files = self.project.files().filter_map(|file| {
            let text = std::str::from_utf8(&file.bytes).ok()?.to_owned();
            Some(FolderText { name: file.name.clone(), path: file.path.clone(), text })
        });
        let nested = self.nested().iter().filter_map(|(name, digest)| {
            let path = self.folder.join(name);
            // By its digest: what is shown is what is approved.
            let of_digest = NestedInstructions::new(&self.folder, [digest.clone()]);
            let own = format!("path=\"{name}\"");
            let text = of_digest.about(Path::new(name).parent()?, |mark| !mark.contains(&own))?;
            Some(FolderText { name: name.clone(), path, text: text.trim().to_owned() })
        });
        files.chain(nested).collect()
    }

    /// What tells these bytes from all others.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What its settings say.
    pub(super) fn settings(&self) -> &[u8] {
        let found = self.files.iter().find(|(name, _)| name == NAME);
        found.map_or(&[], |(_, bytes)| bytes)
    }

    /// Its tasks: where each is, and what stands in it, or why that is no text.
    pub(super) fn tasks(&self) -> Vec<(PathBuf, Result<String, String>)> {
        self.texts(TASKS)
    }

    /// Its commands, likewise.
    pub(super) fn tools(&self) -> Vec<(PathBuf, Result<String, String>)> {
        self.texts(TOOLS)
    }

    fn texts(&self, place: &str) -> Vec<(PathBuf, Result<String, String>)> {
        let files = self.files.iter().filter(|(name, _)| name.starts_with(place));
        files
            .map(|(name, bytes)| {
                let text = String::from_utf8(bytes.clone());
                let text = text.map_err(|_| "it is no text in UTF-8".to_owned());
                (self.folder.join(name), text)
            })
            .collect()
    }
}

/// Without what was read: it may hold anything.
impl fmt::Debug for FolderContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path.display(), self.digest)
    }
}

/// The files in a place of a folder that count, once it is trusted, and those that cannot.
fn names(folder: &Path, place: &str, end: &str) -> Result<(Vec<String>, Vec<Refusal>), Refusal> {
    let Some(tasks) = check_folder(folder, place)? else { return Ok(Default::default()) };
    let refused = |reason: String| Refusal { path: tasks.clone(), reason };
    let listed = std::fs::read_dir(&tasks).map_err(|error| refused(error.to_string()))?;
    let (mut names, mut left_out) = (Vec::new(), Vec::new());
    for file in listed {
        let name = file.map_err(|error| refused(error.to_string()))?.file_name();
        if !name.as_encoded_bytes().ends_with(end.as_bytes()) {
            continue;
        }
        match name.to_str() {
            Some(name) => names.push(format!("{place}/{name}")),
            None => left_out.push(Refusal {
                path: tasks.join(&name),
                reason: "its name is no text in UTF-8: rename the file".to_owned(),
            }),
        }
        if names.len() + left_out.len() > MOST {
            return Err(refused(format!("there are more than {MOST} files in it")));
        }
    }
    // In an order of their own: the digest is of all of them.
    names.sort();
    Ok((names, left_out))
}

/// Where the tasks of a folder are: in the folder itself, and nowhere that a link leads to. None where there
/// are none.
///
/// # Errors
/// Where something else is in its place.
pub fn check_tasks_folder(folder: &Path) -> Result<Option<PathBuf>, Refusal> {
    check_folder(folder, TASKS)
}

fn check_folder(folder: &Path, place: &str) -> Result<Option<PathBuf>, Refusal> {
    let mut path = folder.to_owned();
    for part in place.split('/') {
        path.push(part);
        let reason = match std::fs::symlink_metadata(&path) {
            Ok(about) if about.is_dir() => continue,
            Ok(about) if about.is_symlink() => "it is a link".to_owned(),
            Ok(_) => "it is no folder".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => error.to_string(),
        };
        return Err(Refusal { path, reason });
    }
    Ok(Some(path))
}

/// A file that lies in the folder itself, and belongs to the user or to the system.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let opened = Opened::new(path, Links::Refused)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let owner = opened.about().uid();
        if owner != 0 && owner != rustix::process::geteuid().as_raw() {
            return Err(io::Error::other(format!(
                "it belongs to another account (number {owner}); copy it to trust it"
            )));
        }
    }
    opened.read(SETTINGS)
}

/// A digest of names and contents, each told from the next by its length.
fn digest(files: &[(String, Vec<u8>)], project: &ProjectFiles) -> String {
    let own = files.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes.as_slice()]);
    let projects = project.files().flat_map(|it| [it.name.as_bytes(), &*it.bytes]);
    digest_of(own.chain(projects))
}
