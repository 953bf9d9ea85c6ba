//! [`harmless`]: the settings of a git repository that name no program.

/// The settings that git gets whatever a repository says.
#[cfg(target_os = "linux")]
pub(super) const OURS: [(&str, &str); 9] = [
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.attributesFile", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.pager", "cat"),
    ("diff.autoRefreshIndex", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("protocol.allow", "never"),
    ("gc.auto", "0"),
];

/// How many settings are handed over: a repository may have thousands of branches.
const MOST: usize = 512;

/// The settings in a repository's file that say how it is kept and where it came from: `remote.*.url`
/// and the like. `None` where the file says that the repository is kept in another way than usual.
///
/// git may read the file differently. That does no harm: no setting on the list names a program.
pub(super) fn harmless(file: &str) -> Option<Vec<(String, String)>> {
    let mut settings = Vec::new();
    let mut section = None;
    for line in file.lines().map(str::trim) {
        if line.starts_with('[') {
            section = Section::read(line);
            if is_unusual(line) {
                return None;
            }
            continue;
        }
        let Some((name, value)) = line.split_once('=') else { continue };
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        let is_told = value.chars().all(|c| !c.is_control() && !"\"\\#;".contains(c));
        match &section {
            Some(it) if it.name == "core" && changes_the_place(&name, value) => return None,
            Some(it) if is_told && it.has(&name) && settings.len() < MOST => {
                settings.push((it.full(&name), value.to_owned()));
            }
            _ => {}
        }
    }
    Some(settings)
}

/// Whether a section says that the repository is kept in another way than usual.
fn is_unusual(line: &str) -> bool {
    line.to_ascii_lowercase().starts_with("[extensions")
}

/// Whether a setting says that the files are elsewhere.
fn changes_the_place(name: &str, value: &str) -> bool {
    name == "worktree" || (name == "bare" && !value.eq_ignore_ascii_case("false"))
}

/// The head of some settings: `[remote "origin"]`.
struct Section {
    name: String,
    of: Option<String>,
}

impl Section {
    fn read(line: &str) -> Option<Self> {
        let inside = line.strip_prefix('[')?.strip_suffix(']')?;
        let (name, of) = match inside.split_once(' ') {
            None => (inside, None),
            Some((name, of)) => (name, Some(of.trim().strip_prefix('"')?.strip_suffix('"')?)),
        };
        let is_plain = |it: &str| it.chars().all(|c| !c.is_control() && !"\"\\]=\n".contains(c));
        let is_read = name.bytes().all(|it| it.is_ascii_alphabetic()) && of.is_none_or(is_plain);
        is_read.then(|| Self { name: name.to_ascii_lowercase(), of: of.map(str::to_owned) })
    }

    /// Whether a setting in it is one of those that are handed over.
    fn has(&self, name: &str) -> bool {
        match (self.name.as_str(), &self.of) {
            ("core", None) => matches!(
                name,
                "filemode" | "ignorecase" | "precomposeunicode" | "symlinks" | "autocrlf" | "eol"
            ),
            ("user", None) => matches!(name, "name" | "email"),
            ("remote", Some(_)) => matches!(name, "url" | "pushurl" | "fetch"),
            ("branch", Some(_)) => matches!(name, "remote" | "merge"),
            _ => false,
        }
    }

    fn full(&self, name: &str) -> String {
        match &self.of {
            Some(of) => format!("{}.{of}.{name}", self.name),
            None => format!("{}.{name}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn only_what_names_no_program_is_handed_over() {
        let file = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
                    \tfsmonitor = ./evil\n\tsshCommand = evil\n\thooksPath = evil\n\
                    [remote \"origin\"]\n\turl = https://example.com/a.git\n\tuploadpack = evil\n\
                    \tfetch = +refs/heads/*:refs/remotes/origin/*\n\
                    [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n\
                    [diff \"x\"]\n\ttextconv = evil\n[filter \"x\"]\n\tclean = evil\n\
                    [alias]\n\tst = !evil\n[include]\n\tpath = evil\n[gpg]\n\tprogram = evil\n\
                    [remote \"a\\\"b\"]\n\turl = x\n[user]\n\tname = \"a\n";
        let names: Vec<_> = harmless(file).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "core.filemode",
                "remote.origin.url",
                "remote.origin.fetch",
                "branch.main.remote",
                "branch.main.merge"
            ]
        );
    }

    #[test]
    fn a_repository_that_is_kept_elsewhere_is_not_plain() {
        for file in [
            "[extensions]\n\tworktreeConfig = true",
            "[ExtenSions]\n\tobjectFormat = sha256",
            "[core]\n\tworktree = ../x",
            "[core]\n\tbare = true",
            "[core]\n\tbare = yes",
        ] {
            assert_eq!(harmless(file), None, "{file}");
        }
    }
}
