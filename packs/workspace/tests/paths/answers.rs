//! What the tools answer, word for word.

use std::{fs, os::unix::fs::MetadataExt as _};

use serde_json::json;
use toolwright_core::{RuleTargets, ToolEffect};

use crate::support::World;

#[test]
fn a_file_that_is_not_there_is_told_with_its_full_path() {
    let world = World::new();
    let arguments = json!({"file_path": "testing.md", "old_string": "a", "new_string": "b"});
    let error = world.try_call("edit", arguments).unwrap_err();
    let path = world.workspace.path().join("testing.md").display().to_string();
    assert_eq!(error.message(), format!("Invalid input: File does not exist: {path}"));
    let input = json!({"file_path": path, "old_string": "a", "new_string": "b"});
    assert_eq!(error.input(), Some(&input));
}

#[test]
fn files_of_that_name_are_told_and_none_is_opened() {
    let world = World::new();
    world.put("crates/a/src/lib.rs", "one");
    world.put("crates/b/src/lib.rs", "one");
    world.put("target/lib.rs", "one");
    world.put(".git/lib.rs", "one");
    world.put(".gitignore", "target/\n");
    world.link("/etc/passwd", "crates/passwd");
    let root = world.workspace.path().display().to_string();
    let told = "Files of that name: crates/a/src/lib.rs, crates/b/src/lib.rs. Use the full path from \
                the workspace root.";
    for path in ["lib.rs", "src/lib.rs", "crates/LIB.rs"] {
        let expected = format!("Invalid input: File does not exist: {root}/{path}\n{told}");
        assert_eq!(world.show(path).unwrap_err(), expected);
        assert_eq!(world.edit(path, "one", "two").unwrap_err(), expected);
    }
    assert!(!world.show("passwd").unwrap_err().contains("Files of that name"));
    for number in 0..30 {
        world.put(&format!("many/{number:02}/same.txt"), "");
    }
    assert_eq!(world.show("same.txt").unwrap_err().matches("same.txt").count(), 11);
}

#[test]
fn an_edit_answers_with_the_path_and_the_difference() {
    let world = World::new();
    world.put("a/b.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    let told = world.edit("a/b.txt", "5", "five").unwrap();
    let path = world.workspace.path().join("a/b.txt");
    assert_eq!(
        told,
        format!(
            "File edited successfully: {}\n\n--- a/a/b.txt\n+++ b/a/b.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n \
             4\n-5\n+five\n 6\n 7\n 8\n",
            path.display()
        )
    );
    world.is_clean();
}

#[test]
fn write_makes_files_and_folders_and_replaces_only_when_told() {
    let world = World::new();
    let write = |content: &str, more: serde_json::Value| {
        let mut arguments = json!({"file_path": "new/deep/file.txt", "content": content});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.call("write", arguments)
    };
    let path = world.workspace.path().join("new/deep/file.txt");
    let head = format!("File written successfully: {}", path.display());
    assert_eq!(write("one\ntwo\n", json!({})).unwrap(), format!("{head}\n\n2 lines"));
    assert_eq!(world.read("new/deep/file.txt"), "one\ntwo\n");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7022, 0);
    let error = write("three\n", json!({})).unwrap_err();
    assert!(error.ends_with("already exists: use edit, or write with overwrite: true"), "{error}");
    assert_eq!(world.read("new/deep/file.txt"), "one\ntwo\n");
    let told = write("three\n", json!({"overwrite": true})).unwrap();
    assert!(told.starts_with(&format!("{head}\n\n1 line\n\n--- a/new")), "{told}");
    assert!(told.ends_with("-one\n-two\n+three\n"), "{told}");
    assert!(world.write("new/deep", "x").unwrap_err().contains("is a folder"));
    assert!(
        world.write("new/deep/file.txt/x", "x").unwrap_err().contains("is a file, not a folder")
    );
    assert!(world.write("none/../x", "x").unwrap_err().contains("write the path without .."));
    world.is_clean();
}

#[test]
fn what_is_added_leaves_what_was_there() {
    let world = World::new();
    let write = |path: &str, content: &str, more: serde_json::Value| {
        let mut arguments = json!({"file_path": path, "content": content, "append": true});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.call("write", arguments)
    };
    world.put("notes.txt", "one\ntwo");
    let told = write("notes.txt", "three", json!({})).unwrap();
    assert_eq!(world.read("notes.txt"), "one\ntwo\nthree");
    assert!(told.contains("\n\n1 line added\n\n--- a/notes.txt"), "{told}");
    assert!(told.contains("+three") && !told.contains("-one"), "{told}");
    let told = write("new/log.txt", "first\n", json!({})).unwrap();
    assert!(told.ends_with("1 line; there was no such file before"), "{told}");
    assert_eq!(world.read("new/log.txt"), "first\n");
    let error = write("notes.txt", "x", json!({"overwrite": true})).unwrap_err();
    assert!(error.contains("give only one of them"), "{error}");
    assert!(write("notes.txt", "", json!({})).unwrap_err().contains("nothing to add"));
    assert_eq!(world.read("notes.txt"), "one\ntwo\nthree");
    world.is_clean();
}

#[test]
fn what_is_added_goes_to_the_file_that_is_meant() {
    let world = World::new();
    world.put("data/entries.csv", "date,what\n");
    let add = |path: &str| json!({"file_path": path, "content": "x,y", "append": true});
    let target = |path: &str| {
        let targets = world.propose("write", &add(path)).targets;
        let RuleTargets::These(targets) = targets else { panic!("{targets:?}") };
        targets.into_iter().map(|it| it.text).collect::<Vec<_>>()
    };
    // A rule is held against the file that is written.
    for path in ["entries.csv", "Entries.csv", "entries"] {
        assert_eq!(target(path), ["data/entries.csv"]);
    }
    let told = world.call("write", add("entries.csv")).unwrap();
    assert!(told.contains("/data/entries.csv\n\n1 line added"), "{told}");
    assert_eq!(world.read("data/entries.csv"), "date,what\nx,y\n");
    assert!(!world.at("entries.csv").exists());
    // A new file, where it is not to be added to, and where the path is another one.
    assert_eq!(target("logs/entries.csv"), ["logs/entries.csv"]);
    world.write("entries.txt", "x").unwrap();
    assert!(world.at("entries.txt").exists());
    // Of several files none is taken.
    world.put("old/entries.csv", "date,what\n");
    let error = world.call("write", add("entries.csv")).unwrap_err();
    assert!(error.contains("data/entries.csv") && error.contains("old/entries.csv"), "{error}");
    assert!(!world.at("entries.csv").exists());
    fs::remove_dir_all(world.at("old")).unwrap();
    // A new file is made of the same name where somebody says that it is another one.
    for more in [json!({}), json!({"overwrite": true})] {
        let mut arguments = json!({"file_path": "entries.csv", "content": "x"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let error = world.call("write", arguments).unwrap_err();
        assert!(error.contains("data/entries.csv is called so already"), "{error}");
    }
    assert!(!world.at("entries.csv").exists());
    world.write("./entries.csv", "a,b\n").unwrap();
    // One that is there is meant, whatever is called so elsewhere.
    world.call("write", add("entries.csv")).unwrap();
    assert_eq!(world.read("entries.csv"), "a,b\nx,y\n");
    world.is_clean();
}

#[test]
fn what_would_be_lost_is_told_beforehand() {
    let world = World::new();
    world.put("a.txt", "one\r\ntwo\n");
    let replaces = |more: serde_json::Value| {
        let mut arguments = json!({"file_path": "a.txt", "content": "x"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.propose("write", &arguments).replaces
    };
    let lost = replaces(json!({"overwrite": true})).unwrap();
    assert_eq!((lost.name.as_str(), lost.text.as_str()), ("a.txt", "one\ntwo\n"));
    assert_eq!(replaces(json!({"append": true})), None);
    assert_eq!(replaces(json!({})), None, "it fails");
    assert_eq!(replaces(json!({"overwrite": true, "content": "one\r\ntwo\n"})), None);
    world.put("a.txt", "");
    assert_eq!(replaces(json!({"overwrite": true})), None);
}

#[test]
fn a_folder_is_shown_as_what_is_in_it() {
    let world = World::new();
    world.put("src/main.rs", "");
    world.put("src/deep/lib.rs", "");
    let told = world.show("src").unwrap();
    let listed = "src/deep/\nsrc/main.rs (0 bytes)\n\n[folders 1 deep were not looked into";
    assert!(told.starts_with(listed), "{told}");
    assert!(told.ends_with("[src is a folder: this is what is in it]"), "{told}");
    assert!(world.show(".").unwrap().starts_with("src/\n"));
    assert!(world.edit("src", "a", "b").unwrap_err().contains("is a folder: use list"));
    assert_eq!(world.show("src/main.rs").unwrap(), "The file is empty.");
}

#[test]
fn a_path_in_other_letters_or_without_its_folder_is_found_where_only_one_fits() {
    let world = World::new();
    world.put("README.md", "Hello\n");
    world.put("Docs/Guide.md", "one\n");
    for path in ["readme.md", "ReadMe.MD", "./readme.md"] {
        let told = world.show(path).unwrap();
        assert_eq!(told, format!("     1\tHello\n\n[this is README.md: there is no {path}]"));
    }
    assert!(
        world
            .show("docs/guide.md")
            .unwrap()
            .ends_with("[this is Docs/Guide.md: there is no docs/guide.md]")
    );
    assert!(
        world.show("guide.md").unwrap().ends_with("[this is Docs/Guide.md: there is no guide.md]")
    );
    // Without its ending, too.
    let told = world.show("readme").unwrap();
    assert_eq!(told, "     1\tHello\n\n[this is README.md: there is no readme]");
    for path in ["Guide", "docs/guide"] {
        assert!(world.show(path).unwrap().contains("[this is Docs/Guide.md:"), "{path}");
    }
    assert!(world.show("guid").is_err() && world.show("guide.txt").is_err());
    // What is changed is told by its path.
    let told = world.edit("guide.md", "one", "two").unwrap();
    assert!(told.starts_with(&format!(
        "File edited successfully: {}/Docs/Guide.md",
        world.workspace.path().display()
    )));
    assert_eq!(world.read("Docs/Guide.md"), "two\n");
    // Rules are about the file that is meant, and so is what somebody has to look at.
    let arguments = json!({"file_path": "guide.md", "old_string": "two", "new_string": "x"});
    let targets = world.propose("edit", &arguments).targets;
    assert!(format!("{targets:?}").contains("\"Docs/Guide.md\""), "{targets:?}");
    let targets = world.propose("show", &json!({"file_path": "readme.md"})).targets;
    assert!(format!("{targets:?}").contains("\"README.md\""), "{targets:?}");
    world.put(".vscode/settings.json", "{}");
    let arguments = json!({"file_path": "settings.json", "old_string": "{}", "new_string": "[]"});
    assert!(world.propose("edit", &arguments).review_reason.is_some());
    // Where two fit, they are told; where none does, nothing is taken for it.
    world.put("docs/guide.md", "other\n");
    assert!(world.show("DOCS/GUIDE.MD").unwrap_err().contains("Docs/Guide.md, docs/guide.md"));
    assert!(world.show("other/readme.md").unwrap_err().contains("Files of that name: README.md"));
    // A new file beside one that differs only in its letters is not made.
    let error = world.call("write", json!({"file_path": "readme.MD", "content": "x"})).unwrap_err();
    assert!(error.contains("README.md already exists"), "{error}");
    let added = json!({"file_path": "readme.md", "content": "more", "append": true});
    assert!(world.call("write", added).unwrap().contains("/README.md\n"));
    assert_eq!(world.read("README.md"), "Hello\nmore\n");
    world.is_clean();
}

#[test]
fn the_tools_say_what_they_do() {
    let world = World::new();
    let effect = |name| world.tools.get(name).spec().effect;
    assert_eq!(
        ["show", "edit", "write"].map(effect),
        [ToolEffect::ReadOnly, ToolEffect::Destructive, ToolEffect::Destructive]
    );
    let edit = world.tools.get("edit").spec().clone();
    assert_eq!(edit.free_text, ["old_string", "new_string"]);
    assert_eq!(edit.parameters["required"], json!(["file_path", "old_string", "new_string"]));
}
