//! Paths nobody thought of.

use std::{collections::BTreeMap, path::PathBuf};

use proptest::{prelude::*, strategy::ValueTree as _};

use crate::support::{SECRET, World, tree};

/// A tree with links of every kind.
fn world() -> World {
    let world = World::new();
    world.put("a/b/c.txt", "inside");
    world.put("a/file", "inside");
    world.put("file", "inside");
    let outside = world.dir.path().join("outside");
    world.link(&outside, "out");
    world.link("../outside", "up");
    world.link("../../outside/file.txt", "a/out.txt");
    world.link("b", "a/in");
    world.link("../a", "a/self");
    world.link("..", "a/b/parent");
    world.link("../../..", "a/b/far");
    world.link("/", "top");
    world.link("/proc/self/root", "proc");
    world.link(".", "dot");
    world.link("loop", "loop");
    world.link(world.at("a/b"), "absolute");
    world
}

/// A path of parts that matter.
fn typed(world: &World) -> impl Strategy<Value = String> + use<> {
    let root = world.workspace.path().display().to_string();
    let outside = world.dir.path().join("outside/file.txt").display().to_string();
    let part = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just(String::new()),
        prop::sample::select(vec![
            "a", "b", "c.txt", "file", "file.txt", "out", "up", "out.txt", "in", "self", "parent",
            "far", "top", "proc", "dot", "loop", "absolute", "outside", "ws", "etc", "passwd",
            "tmp", "new",
        ])
        .prop_map(str::to_owned),
        Just(root),
        Just(outside),
        "\\PC{0,3}",
    ];
    prop::collection::vec(part, 1..9).prop_map(|parts| parts.join("/"))
}

#[test]
fn no_typed_path_shows_or_changes_anything_outside() {
    let world = world();
    let outside = world.dir.path().join("outside");
    let before: BTreeMap<PathBuf, Vec<u8>> = tree(&outside);
    let beside = || {
        let names = std::fs::read_dir(world.dir.path()).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let names = beside();
    let (mut shown, mut refused) = (0, 0);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(3000));
    let paths = typed(&world);
    for _ in 0..3000 {
        let path = paths.new_tree(&mut runner).unwrap().current();
        for result in [
            world.show(&path),
            world.edit(&path, "one", "two"),
            world.call("write", serde_json::json!({"file_path": path, "content": "inside"})),
        ] {
            match result {
                Ok(_) => shown += 1,
                Err(_) => refused += 1,
            }
            assert!(!result.unwrap_or_else(|error| error).contains(SECRET.trim()), "{path}");
        }
    }
    assert_eq!(tree(&outside), before);
    assert_eq!(beside(), names);
    assert!(shown > 100 && refused > 100, "{shown} {refused}");
    world.is_clean();
}
