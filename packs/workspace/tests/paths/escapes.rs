//! Ways out of the workspace, none of which leads anywhere.

use std::{
    fs,
    os::unix::{fs::MetadataExt as _, net::UnixListener},
    time::{Duration, Instant},
};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use toolwright_workspace::{Workspace, WorkspaceError};

use crate::support::{SECRET, Tools, World, runtime, settings};

#[test]
fn p01_dots_do_not_climb_out() {
    let world = World::new();
    world.put("src/main.rs", "one");
    for path in [
        "../../etc/passwd",
        "../outside/file.txt",
        "src/../../outside/file.txt",
        "./../outside/file.txt",
        "..",
    ] {
        world.refuses(path, "outside the workspace");
    }
    // Inside they mean what they mean everywhere.
    assert!(world.show("src/../src/./main.rs").unwrap().contains("one"));
}

#[test]
fn p02_absolute_paths_count_only_below_the_root() {
    let world = World::new();
    world.put("file.txt", "one");
    let evil = world.dir.path().join("ws-evil");
    fs::create_dir(&evil).unwrap();
    fs::write(evil.join("file.txt"), SECRET).unwrap();
    world.refuses("/etc/passwd", "outside the workspace");
    world.refuses("/", "outside the workspace");
    world.refuses(evil.join("file.txt").to_str().unwrap(), "outside the workspace");
    let climbs = format!("{}/../outside/file.txt", world.workspace.path().display());
    world.refuses(&climbs, "outside the workspace");
    let inside = world.workspace.path().join("file.txt");
    assert!(world.show(inside.to_str().unwrap()).unwrap().contains("one"));
    assert_eq!(fs::read_to_string(evil.join("file.txt")).unwrap(), SECRET);
}

#[test]
fn p03_a_link_to_a_file_outside_is_refused() {
    let world = World::new();
    world.link("/etc/passwd", "passwd");
    world.link("../outside/file.txt", "relative");
    world.link(world.outside("not-there-yet"), "dangling");
    for link in ["passwd", "relative", "dangling"] {
        world.refuses(link, "leads out of the workspace");
    }
    assert!(!world.outside("not-there-yet").exists());
}

#[test]
fn p04_a_link_to_a_folder_outside_is_refused() {
    let world = World::new();
    world.link(world.dir.path().join("outside"), "d");
    let before = fs::metadata(world.outside("file.txt")).unwrap();
    world.refuses("d/file.txt", "leads out of the workspace");
    world.refuses("d/new/deep.txt", "leads out of the workspace");
    let after = fs::metadata(world.outside("file.txt")).unwrap();
    assert_eq!((before.ino(), before.mtime_nsec()), (after.ino(), after.mtime_nsec()));
}

#[test]
fn p05_only_the_last_of_a_chain_of_links_leaves_and_links_inside_are_followed() {
    let world = World::new();
    world.put("a/b/file.txt", "one");
    world.link("a/second", "first");
    world.link("b/third", "a/second");
    world.link("../../../outside/file.txt", "a/b/third");
    world.refuses("first", "a/b/third is a link that leads out of the workspace");
    world.link("a/b", "short");
    world.link(world.workspace.path().join("a"), "absolute");
    world.link("../short/file.txt", "a/up");
    for path in ["short/file.txt", "absolute/b/file.txt", "a/up", "short/../b/file.txt"] {
        assert!(world.show(path).unwrap().contains("one"), "{path}");
    }
    let edited = world.edit("short/file.txt", "one", "two").unwrap();
    let real = world.workspace.path().join("a/b/file.txt");
    assert!(edited.starts_with(&format!("File edited successfully: {}\n", real.display())));
    assert_eq!(world.read("a/b/file.txt"), "two");
    assert!(world.at("short").is_symlink());
    world.link("loop", "loop");
    world.refuses("loop", "leads back to itself");
}

#[test]
fn p07_proc_and_dev_are_refused() {
    let world = World::new();
    world.link("/proc/self/root/etc/passwd", "root");
    world.link("/proc/self/fd/0", "fd");
    world.link("/proc/self/cwd", "cwd");
    for path in ["/proc/self/root/etc/passwd", "/proc/self/fd/3", "/dev/stdin", "/dev/null"] {
        world.refuses(path, "outside the workspace");
    }
    for path in ["root", "fd", "cwd/file.txt"] {
        world.refuses(path, "leads out of the workspace");
    }
}

#[test]
fn p08_paths_no_system_takes_are_clean_errors() {
    let world = World::new();
    world.refuses("a\0b", "NUL");
    world.refuses("\0", "NUL");
    world.refuses(&"x".repeat(5000), "too long");
    world.refuses(&"x".repeat(256), "too long");
    world.refuses(&"a/".repeat(300), "too deep");
    world.refuses("", "empty");
    for path in
        ["a/..", "A/../../x", "//", "\u{202e}", "con", "a\nb", "~", "~/.ssh/id_rsa", "$HOME"]
    {
        assert!(world.show(path).is_err(), "{path}");
    }
    // As deep as may be.
    let deep = format!("{}file.txt", "d/".repeat(200));
    world.write(&deep, "one").unwrap();
    assert!(world.show(&deep).unwrap().contains("one"));
}

#[test]
fn p09_pipes_sockets_and_devices_are_refused_at_once() {
    let world = World::new();
    mknodat(CWD, world.at("pipe"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    let _socket = UnixListener::bind(world.at("socket")).unwrap();
    let null = rustix::fs::makedev(1, 3);
    mknodat(CWD, world.at("null"), FileType::CharacterDevice, Mode::from_raw_mode(0o666), null)
        .unwrap();
    world.link("pipe", "link");
    let started = Instant::now();
    for (path, kind) in
        [("pipe", "a pipe"), ("link", "a pipe"), ("socket", "a socket"), ("null", "a device")]
    {
        world.refuses(path, &format!("is {kind}, not a file"));
        world.refuses(&format!("{path}/x"), &format!("is {kind}, not a folder"));
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn p09_a_pipe_where_ignored_files_are_listed_holds_nobody_up() {
    let world = World::new();
    world.put("sub/lib.rs", "one");
    world.put("sub/deep/lib.rs", "one");
    mknodat(CWD, world.at(".gitignore"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    world.link("/dev/zero", "sub/.gitignore");
    assert!(
        world
            .show("lib.rs")
            .unwrap_err()
            .contains("Files of that name: sub/deep/lib.rs, sub/lib.rs.")
    );
}

#[test]
fn p10_a_hard_link_is_written_to_a_file_of_its_own() {
    let world = World::new();
    fs::hard_link(world.outside("file.txt"), world.at("hard")).unwrap();
    world.edit("hard", "one", "two").unwrap();
    assert_eq!(fs::read_to_string(world.outside("file.txt")).unwrap(), SECRET);
    assert!(world.read("hard").starts_with("two"));
    assert_ne!(
        fs::metadata(world.at("hard")).unwrap().ino(),
        fs::metadata(world.outside("file.txt")).unwrap().ino()
    );
    fs::remove_file(world.at("hard")).unwrap();
    fs::hard_link(world.outside("file.txt"), world.at("hard")).unwrap();
    world.write("hard", "three").unwrap();
    assert_eq!(fs::read_to_string(world.outside("file.txt")).unwrap(), SECRET);
}

#[test]
fn p19_a_root_that_is_a_link_is_followed_once() {
    let world = World::new();
    world.put("file.txt", "one");
    let dir = world.dir.path();
    std::os::unix::fs::symlink(dir.join("ws"), dir.join("link")).unwrap();
    let mut through = settings(dir);
    through.root = dir.join("link");
    let workspace = Workspace::open(through).unwrap();
    assert_eq!(workspace.path(), world.workspace.path());
    // Where the link leads from now on does not matter.
    fs::remove_file(dir.join("link")).unwrap();
    std::os::unix::fs::symlink(dir.join("outside"), dir.join("link")).unwrap();
    let edit = |old: &str, new: &str| {
        let arguments =
            serde_json::json!({"file_path": "file.txt", "old_string": old, "new_string": new});
        Tools::new(&workspace).call(&runtime(), "edit", arguments)
    };
    edit("one", "two").unwrap();
    assert_eq!(world.read("file.txt"), "two");
    // What the folder's own name means from now on is never followed, and said.
    fs::rename(dir.join("ws"), dir.join("moved")).unwrap();
    std::os::unix::fs::symlink(dir.join("outside"), dir.join("ws")).unwrap();
    let told = edit("two", "three").unwrap_err();
    assert!(told.message().contains("is not the folder any more"), "{told}");
    assert_eq!(fs::read_to_string(dir.join("moved/file.txt")).unwrap(), "two");
    assert_eq!(fs::read_to_string(world.outside("file.txt")).unwrap(), SECRET);
}

#[test]
fn p19_a_root_that_holds_more_than_work_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let home = std::env::home_dir().unwrap().canonicalize().unwrap();
    std::os::unix::fs::symlink(&home, dir.path().join("ws")).unwrap();
    let open = |root: &std::path::Path| {
        let mut settings = settings(dir.path());
        settings.root = root.to_owned();
        Workspace::open(settings).err()
    };
    for root in home.ancestors().chain([dir.path().join("ws").as_path()]) {
        assert!(matches!(open(root), Some(WorkspaceError::TooWide { .. })), "{}", root.display());
    }
    assert!(matches!(open(&dir.path().join("none")), Some(WorkspaceError::Unusable { .. })));
    fs::write(dir.path().join("file"), "").unwrap();
    assert!(matches!(open(&dir.path().join("file")), Some(WorkspaceError::Unusable { .. })));
}
