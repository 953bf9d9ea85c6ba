//! [`steers`]: which files and folders decide what other programs run or what agents do.
//!
//! This is the one rule, at any depth: for the tools that change files, which ask a person first, and
//! for commands, which cannot change what is there and of which nothing new is left.

const OURS: &str = "decides what Toolwright may do";
const AGENTS: &str = "tells agents what to do";
const EDITOR: &str = "decides what the editor runs";
const STARTED: &str = "decides which programs are started for tools";
const SHELL: &str = "decides what the shell runs in its folder";
const DEBUGGER: &str = "decides what the debugger runs";
const GIT_RUNS: &str = "is what git runs as hooks";
const HG: &str = "decides what Mercurial runs";
const JJ: &str = "decides what Jujutsu runs";
const GIT: &str = "is git's own: it decides what git runs";

/// Files, and folders with all that is in them, wherever they are. All in small letters.
const NAMES: &[(&str, &str)] = &[
    (".git", GIT),
    // What old Windows calls it.
    ("git~1", GIT),
    (".toolwright", OURS),
    ("toolwright.toml", OURS),
    (".mcp.json", STARTED),
    (".envrc", SHELL),
    (".direnv", SHELL),
    (".githooks", GIT_RUNS),
    (".husky", GIT_RUNS),
    (".vscode", EDITOR),
    (".idea", EDITOR),
    (".zed", EDITOR),
    (".helix", EDITOR),
    (".fleet", EDITOR),
    (".devcontainer", EDITOR),
    (".devcontainer.json", EDITOR),
    (".agents", AGENTS),
    (".claude", AGENTS),
    (".codex", AGENTS),
    (".cursor", AGENTS),
    (".gemini", AGENTS),
    (".windsurf", AGENTS),
    (".continue", AGENTS),
    (".roo", AGENTS),
    (".kiro", AGENTS),
    (".junie", AGENTS),
    (".clinerules", AGENTS),
    (".cursorrules", AGENTS),
    (".windsurfrules", AGENTS),
    (".aider.conf.yml", AGENTS),
    (".opencode", AGENTS),
    (".goosehints", AGENTS),
    (".amazonq", AGENTS),
    (".augment", AGENTS),
    (".trae", AGENTS),
    ("agent.md", AGENTS),
    ("agents.md", AGENTS),
    ("agents.override.md", AGENTS),
    ("claude.md", AGENTS),
    ("claude.local.md", AGENTS),
    ("gemini.md", AGENTS),
    ("qwen.md", AGENTS),
    ("skill.md", AGENTS),
    ("opencode.json", AGENTS),
    (".exrc", EDITOR),
    (".nvimrc", EDITOR),
    (".nvim.lua", EDITOR),
    (".vimrc", EDITOR),
    (".dir-locals.el", EDITOR),
    (".sublime-project", EDITOR),
    (".gdbinit", DEBUGGER),
    (".lldbinit", DEBUGGER),
    ("mise.toml", SHELL),
    (".mise.toml", SHELL),
    (".pre-commit-config.yaml", GIT_RUNS),
    ("lefthook.yml", GIT_RUNS),
];

/// The same, in a folder of this name.
const BELOW: &[(&str, &str, &str)] = &[
    (".github", "copilot-instructions.md", AGENTS),
    (".github", "instructions", AGENTS),
    (".github", "prompts", AGENTS),
    (".github", "agents", AGENTS),
    (".hg", "hgrc", HG),
    (".jj", "repo", JJ),
];

/// What a command may write in a repository: what git keeps there of the work itself. Everything else
/// there decides what git runs, or which other repository it reads: also the steps of a rebase
/// (`rebase-merge`, `rebase-apply`) or of several picks (`sequencer`), which whoever goes on with it
/// carries out.
const WORK: &[&str] = &[
    "objects",
    "refs",
    "logs",
    "packed-refs",
    "index",
    "head",
    "orig_head",
    "fetch_head",
    "cherry_pick_head",
    "revert_head",
    "rebase_head",
    "auto_merge",
    "commit_editmsg",
    "tag_editmsg",
    "squash_msg",
    "description",
    "shallow",
    "rr-cache",
    "gc.pid",
    "gc.log",
];

/// Why a thing of this name, in a folder of that name, steers other programs, if it does. Both names
/// are [plain](plain).
pub(crate) fn steers(folder: &str, name: &str) -> Option<&'static str> {
    let everywhere = NAMES.iter().find(|(known, _)| *known == name).map(|(_, why)| *why);
    let below = || BELOW.iter().find(|it| (it.0, it.1) == (folder, name)).map(|it| it.2);
    let editors = || name.ends_with(".code-workspace").then_some(EDITOR);
    everywhere.or_else(below).or_else(editors)
}

/// The folder of this plain name, where other names count in it.
pub(crate) fn known_folder(name: &str) -> Option<&'static str> {
    BELOW.iter().find(|it| it.0 == name).map(|it| it.0)
}

/// Whether git takes a folder that has these plain names for a repository, whatever it is called.
pub(crate) fn is_repository(has: impl Fn(&str) -> bool) -> bool {
    has("head") && (has("commondir") || (has("objects") && has("refs")))
}

/// Whether a folder or file of this plain name is a repository's.
pub(crate) fn is_git(name: &str) -> bool {
    matches!(name, ".git" | "git~1")
}

/// Whether git writes a thing of this plain name into a repository while it works.
pub(crate) fn is_gits_work(name: &str) -> bool {
    let name = name.strip_suffix(".lock").unwrap_or(name);
    WORK.contains(&name)
        || ["merge_", "bisect_", "index.stash.", "next-index-"]
            .iter()
            .any(|it| name.starts_with(it))
}

/// Whether a thing of this plain name, in a repository's folder itself, was put aside: git uses none
/// that is called so.
pub(crate) fn is_held(name: &str) -> bool {
    name.contains(".held")
}

/// A name as a file system would compare it that ignores case, spaces at the end and characters that
/// cannot be seen.
pub(crate) fn plain(name: &str) -> String {
    let seen = name.chars().filter(|it| !matches!(it, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'));
    let name: String = seen.flat_map(char::to_lowercase).collect();
    match name.trim_end_matches(['.', ' ']) {
        "" => name,
        trimmed => trimmed.to_owned(),
    }
}
