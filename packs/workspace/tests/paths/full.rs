//! A disk that is full.

use std::{fs, path::Path, process::Command};

use serde_json::json;
use toolwright_workspace::Workspace;

use crate::support::{Tools, only, passes, runtime, settings, strays, tree};

const FOLDER: &str = "TOOLWRIGHT_FULL_FOLDER";

/// Runs where `ws` is a disk of 2 MiB.
#[test]
#[ignore = "started by p15, on a small disk"]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let (workspace, runtime) = (Workspace::open(settings(folder)).unwrap(), runtime());
    let tools = Tools::new(&workspace);
    let file = workspace.path().join("file.txt");
    let content = format!("one\n{}", "x".repeat(1_200_000));
    fs::write(&file, &content).unwrap();
    let before = fs::metadata(&file).unwrap().modified().unwrap();
    let calls = [
        ("edit", json!({"file_path": "file.txt", "old_string": "one", "new_string": "two"})),
        (
            "write",
            json!({"file_path": "file.txt", "content": "y".repeat(1_200_000), "overwrite": true}),
        ),
        ("write", json!({"file_path": "new/file.txt", "content": "y".repeat(1_200_000)})),
    ];
    for (name, arguments) in calls {
        let error = tools.call(&runtime, name, arguments).unwrap_err();
        let told = error.message();
        assert!(told.contains("was not changed: No space left on device"), "{told}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), content);
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), before);
    assert!(!workspace.path().join("new/file.txt").exists());
    assert!(strays(workspace.path()).is_empty());
    assert!(tree(&folder.join("notes")).is_empty());
    // With room again, it works.
    fs::write(&file, "one\n").unwrap();
    let small = json!({"file_path": "file.txt", "old_string": "one", "new_string": "two"});
    tools.call(&runtime, "edit", small).unwrap();
}

#[test]
fn p15_a_full_disk_is_an_error_and_the_file_is_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let ws = dir.path().join("ws");
    fs::create_dir(&ws).unwrap();
    let script = "mount -t tmpfs -o size=2m none \"$1\" && shift && exec \"$@\"";
    passes(
        Command::new("unshare")
            .args(["-rm", "sh", "-c", script, "sh"])
            .arg(&ws)
            .arg(std::env::current_exe().unwrap())
            .args(only("full::child"))
            .env(FOLDER, dir.path()),
    );
}

#[test]
fn p15_notes_that_cannot_be_written_change_nothing() {
    let world = crate::support::World::new();
    world.put("file.txt", "one");
    fs::remove_dir(world.dir.path().join("notes")).unwrap();
    let error = world.edit("file.txt", "one", "two").unwrap_err();
    assert!(error.contains("was not changed"), "{error}");
    assert_eq!(world.read("file.txt"), "one");
    assert!(strays(&world.at("")).is_empty());
}
