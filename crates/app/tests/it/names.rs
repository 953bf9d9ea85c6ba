//! Who knows packs by name: nobody below the command line.

use std::{collections::BTreeSet, fs, path::Path};

use toolwright_app::{OpenPacks, TaskSetup};

use crate::{config, packs};

/// What only packs speak of.
const NAMES: [&str; 14] = [
    "toolwright_demo",
    "toolwright_market",
    "toolwright_watch",
    "toolwright_workspace",
    "\"demo\"",
    "\"market\"",
    "\"watch\"",
    "\"workspace\"",
    "\"trading\"",
    "\"history\"",
    "access_token",
    "nifty",
    "dhanhq",
    "youtube",
];

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).unwrap();
            // What a module's own tests say is said to nobody.
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_lowercase();
            found.push((path.display().to_string(), code));
        }
    }
}

#[test]
fn no_pack_is_named_below_the_command_line() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for name in ["app", "core", "pack", "runtime", "server", "session"] {
        sources(&crates.join(name).join("src"), &mut found);
    }
    assert!(found.len() > 200, "the sources are read");
    let mut named = Vec::new();
    for (path, text) in &found {
        for (number, line) in (1..).zip(text.lines()) {
            let is_said = !line.trim_start().starts_with("//");
            if let Some(name) = NAMES.iter().find(|it| is_said && line.contains(**it)) {
                named.push(format!("{path}:{number}: {name}"));
            }
        }
    }
    assert!(named.is_empty(), "packs are named:\n{}", named.join("\n"));
}

/// What the config file says of tools is held against the names that packs tell beforehand.
#[test]
fn packs_tell_the_names_of_the_tools_they_have() {
    let data = tempfile::tempdir().unwrap();
    for pack in packs().iter() {
        let info = pack.info();
        assert!(!info.tasks.is_empty(), "{} brings a task", info.name);
        let task = info.tasks[0].name;
        let config = config(data.path(), task);
        let setup = TaskSetup::of(&config, &OpenPacks::default()).unwrap();
        let had: BTreeSet<String> = setup.tools.iter().map(|it| it.spec().name.clone()).collect();
        let told: BTreeSet<String> = info.tools.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(had, told, "{}", info.name);
        for file in info.tasks {
            config.tasks.get(file.name).unwrap();
        }
    }
}
