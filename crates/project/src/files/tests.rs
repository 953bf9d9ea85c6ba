use std::{
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::{ProjectFiles, UserFolders};
use crate::Level;

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A repository with a folder `a/b` in it.
fn project() -> (TempDir, PathBuf, PathBuf) {
    let temp = TempDir::new().unwrap();
    let root = temp.path().canonicalize().unwrap().join("project");
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    std::fs::create_dir(root.join(".git")).unwrap();
    let inner = root.join("a/b");
    (temp, root, inner)
}

fn read(folder: &Path) -> ProjectFiles {
    ProjectFiles::of_project(folder, &UserFolders::default())
}

fn names(files: &ProjectFiles) -> Vec<&str> {
    files.files().map(|it| it.name.as_str()).collect()
}

#[test]
fn one_file_of_each_folder_counts_from_the_root_on() {
    let (_temp, root, inner) = project();
    put(&root, "../AGENTS.md", "above");
    put(&root, "AGENTS.md", "root");
    put(&root, "CLAUDE.md", "not this");
    put(&root, "a/CLAUDE.md", "a");
    put(&root, "a/AGENTS.md", " \n");
    put(&inner, "AGENTS.override.md", "b");
    put(&inner, "AGENTS.md", "not this");
    put(&inner, "below/AGENTS.md", "not yet");
    assert_eq!(names(&read(&inner)), ["AGENTS.md", "a/CLAUDE.md", "a/b/AGENTS.override.md"]);
    assert_eq!(names(&read(&root)), ["AGENTS.md"]);
}

#[test]
fn a_link_leads_no_further_than_the_root() {
    let (_temp, root, inner) = project();
    put(&root, "../secret.md", "secret");
    put(&root, "docs/rules.md", "rules");
    symlink(root.join("../secret.md"), root.join("AGENTS.md")).unwrap();
    symlink(root.join("docs/rules.md"), inner.join("AGENTS.md")).unwrap();
    put(&root, "../evil/SKILL.md", "---\ndescription: x\n---\n");
    std::fs::create_dir_all(root.join(".agents/skills/good")).unwrap();
    symlink(root.join("../evil"), root.join(".agents/skills/evil")).unwrap();
    put(&root, ".agents/skills/good/SKILL.md", "---\ndescription: x\n---\n");
    symlink(root.join("../secret.md"), root.join(".agents/skills/good/notes.md")).unwrap();
    let files = read(&inner);
    assert_eq!(names(&files)[0], "a/b/AGENTS.md");
    assert!(files.files().all(|it| !it.bytes.starts_with(b"secret")), "{files:?}");
    assert!(files.skills.iter().all(|it| it.error.is_some()), "{files:?}");
    assert!(files.refused().iter().any(|it| it.reason.contains("leads out of")), "{files:?}");
    // A loop ends.
    symlink(&root, root.join(".toolwright")).unwrap();
    std::fs::create_dir_all(root.join("skills")).unwrap();
    symlink(root.join("skills"), root.join("skills/skills")).unwrap();
    read(&inner);
}

#[test]
fn pipes_and_giants_are_no_files() {
    let (_temp, root, _) = project();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root.join("AGENTS.md"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    put(&root, ".toolwright/commands/big.md", &"x".repeat(100_000));
    put(&root, "CLAUDE.md", &"x".repeat(2 << 20));
    let files = read(&root);
    assert!(files.is_empty(), "{:?}", names(&files));
    assert_eq!(files.refused().len(), 3, "{:?}", files.refused());
}

#[test]
fn skills_and_commands_are_found_up_to_the_root_and_the_nearest_come_first() {
    let (_temp, root, inner) = project();
    put(&root, ".claude/skills/far/SKILL.md", "---\ndescription: x\n---\n");
    put(&root, ".claude/skills/far/scripts/run.py", "print()");
    put(&root, ".claude/skills/far/__pycache__/run.pyc", "left behind");
    put(&inner, ".agents/skills/group/near/SKILL.md", "---\ndescription: x\n---\n");
    put(&inner, ".toolwright/commands/git/commit.md", "Commit.");
    put(&inner, ".toolwright/commands/notes.txt", "none");
    put(&root, ".claude/commands/review.md", "Review.");
    let files = read(&inner);
    let skills: Vec<_> = files.skills.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(skills, ["a/b/.agents/skills/group/near", ".claude/skills/far"]);
    assert_eq!(files.skills[1].files.len(), 2);
    let commands: Vec<_> = files.commands.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(commands, ["git:commit", "review"]);
    assert_eq!(files.told(), ["2 skills", "2 commands"]);
}

#[test]
fn what_is_the_users_own_is_not_the_projects() {
    let temp = TempDir::new().unwrap();
    let home = temp.path().canonicalize().unwrap();
    let user =
        UserFolders { config: Some(home.join(".config/toolwright")), home: Some(home.clone()) };
    put(&home, ".claude/skills/mine/SKILL.md", "---\ndescription: x\n---\n");
    put(&home, ".claude/commands/mine.md", "Mine.");
    put(&home, ".config/toolwright/AGENTS.md", "Mine.");
    assert!(ProjectFiles::of_project(&home, &user).is_empty());
    let own = ProjectFiles::of_user(&user);
    assert!(own.files().all(|it| it.level == Level::User));
    assert_eq!(
        names(&own),
        [
            "~/.config/toolwright/AGENTS.md",
            "~/.claude/skills/mine/SKILL.md",
            "~/.claude/commands/mine.md"
        ]
    );
}
