//! [`PipSettings`]: where the package tool of the user's Python is told to look.
//!
//! People who need a mirror have set it there, and should not have to say it twice. Read as that tool reads
//! it: later files and the environment win.

use std::path::PathBuf;

use toolwright_files::{SETTINGS, read_text};

/// What is set for the package tool of Python.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PipSettings {
    pub(crate) index: Option<String>,
    pub(crate) extra: Vec<String>,
    pub(crate) is_without_index: bool,
}

type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

impl PipSettings {
    pub(crate) fn read(env: Env<'_>) -> Self {
        let mut settings = Self::default();
        for path in files(env) {
            // What cannot be read counts as not there, as it does for the tool itself.
            if let Ok(text) = read_text(path, SETTINGS) {
                settings.add(&text);
            }
        }
        let said = |name: &str| env(name).filter(|it| !it.trim().is_empty());
        for (key, name) in [
            ("index-url", "PIP_INDEX_URL"),
            ("extra-index-url", "PIP_EXTRA_INDEX_URL"),
            ("no-index", "PIP_NO_INDEX"),
        ] {
            if let Some(value) = said(name) {
                settings.set(key, &value);
            }
        }
        settings
    }

    /// What a file says for every command, and then for the one that downloads.
    fn add(&mut self, text: &str) {
        let said = entries(text);
        for wanted in ["global", "download"] {
            for (section, key, value) in &said {
                if section == wanted {
                    self.set(key, value);
                }
            }
        }
    }

    fn set(&mut self, key: &str, value: &str) {
        match key {
            "index-url" => self.index = Some(value.trim().to_owned()),
            "extra-index-url" => {
                self.extra = value.split_whitespace().map(str::to_owned).collect();
            }
            "no-index" => {
                let word = value.trim().to_ascii_lowercase();
                self.is_without_index =
                    matches!(word.as_str(), "1" | "true" | "yes" | "on" | "y" | "t");
            }
            _ => {}
        }
    }
}

/// The files, the least first.
fn files(env: Env<'_>) -> Vec<PathBuf> {
    let folder = |name: &str| env(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let named = folder("PIP_CONFIG_FILE");
    if named.as_ref().is_some_and(|it| it.as_os_str() == "/dev/null" || it.as_os_str() == "nul") {
        return Vec::new();
    }
    let mut files = Vec::new();
    if cfg!(windows) {
        files.extend(folder("PROGRAMDATA").map(|it| it.join("pip/pip.ini")));
        files.extend(folder("USERPROFILE").map(|it| it.join("pip/pip.ini")));
        files.extend(folder("APPDATA").map(|it| it.join("pip/pip.ini")));
        files.extend(folder("VIRTUAL_ENV").map(|it| it.join("pip.ini")));
    } else {
        if cfg!(target_os = "macos") {
            files.push("/Library/Application Support/pip/pip.conf".into());
        }
        files.extend(["/etc/xdg/pip/pip.conf", "/etc/pip.conf"].map(PathBuf::from));
        let home = folder("HOME");
        files.extend(home.as_ref().map(|it| it.join(".pip/pip.conf")));
        let settings = folder("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
        files.extend(settings.map(|it| it.join("pip/pip.conf")));
        if cfg!(target_os = "macos") {
            files.extend(home.map(|it| it.join("Library/Application Support/pip/pip.conf")));
        }
        files.extend(folder("VIRTUAL_ENV").map(|it| it.join("pip.conf")));
    }
    files.extend(named);
    files
}

/// Section, key and value, in the order of the file. A line that is set in belongs to the value before it.
fn entries(text: &str) -> Vec<(String, String, String)> {
    let (mut entries, mut section) = (Vec::<(String, String, String)>::new(), String::new());
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((.., value)) = entries.last_mut() {
                value.push('\n');
                value.push_str(bare);
            }
        } else if let Some(name) = bare.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            section = name.trim().to_owned();
        } else if let Some((key, value)) = bare.split_once(['=', ':']) {
            let key = key.trim().to_ascii_lowercase().replace('_', "-");
            entries.push((section.clone(), key, value.trim().to_owned()));
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_read_as_the_tool_reads_them_and_the_environment_wins() {
        let home = tempfile::tempdir().unwrap();
        let (old, new) = (home.path().join(".pip"), home.path().join("xdg/pip"));
        fs::create_dir_all(&old).unwrap();
        fs::create_dir_all(&new).unwrap();
        fs::write(
            old.join("pip.conf"),
            "[global]\nindex-url = https://old/simple\nno_index: yes\n",
        )
        .unwrap();
        let text = "# a mirror\n[install]\nindex-url=https://other\n[global]\nindex_url = https://new/simple\n\
                    extra-index-url =\n    https://one/simple\n    https://two/simple\n; end\nno-index = false\n\
                    [download]\ntimeout = 3\n";
        fs::write(new.join("pip.conf"), text).unwrap();
        let home_folder = home.path().to_str().unwrap().to_owned();
        let xdg = home.path().join("xdg").to_str().unwrap().to_owned();
        let vars = |more: &'static [(&str, &str)]| {
            let (home, xdg) = (home_folder.clone(), xdg.clone());
            move |name: &str| match name {
                "HOME" => Some(home.clone()),
                "XDG_CONFIG_HOME" => Some(xdg.clone()),
                _ => more.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned()),
            }
        };
        let read = PipSettings::read(&vars(&[]));
        assert_eq!(read.index.as_deref(), Some("https://new/simple"));
        assert_eq!(read.extra, ["https://one/simple", "https://two/simple"]);
        assert!(!read.is_without_index);
        let read = PipSettings::read(&vars(&[
            ("PIP_INDEX_URL", "https://env/simple"),
            ("PIP_EXTRA_INDEX_URL", ""),
            ("PIP_NO_INDEX", "1"),
        ]));
        assert_eq!(read.index.as_deref(), Some("https://env/simple"));
        assert_eq!((read.extra.len(), read.is_without_index), (2, true));
        let read = PipSettings::read(&vars(&[("PIP_CONFIG_FILE", "/dev/null")]));
        assert_eq!(read, PipSettings::default());
    }

    proptest::proptest! {
        #[test]
        fn no_file_is_too_odd(text in "[\\[\\]=: \\t\\n#;a-z\u{e9}-]{0,80}") {
            let _ = entries(&text);
        }
    }
}
