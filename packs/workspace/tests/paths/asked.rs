//! The words by which people ask for files to be changed.

use crate::support::World;

#[test]
fn people_ask_for_changes_in_many_ways() {
    let world = World::new();
    let fair: [(&str, &[&str]); 2] = [
        (
            "write",
            &[
                "create notes.md with: milk",
                "I'd like a file notes.md that has milk in it",
                "milk into notes.md please",
                "echo milk >> notes.md",
                "notes.md += milk",
                "one more line for notes.md: milk",
                "start notes.md off with milk",
                "the whole content of notes.md should be: milk",
            ],
        ),
        (
            "edit",
            &[
                "chnage the port to 80 in app.toml",
                "app.toml: 8080 -> 80",
                "app.toml: port = 80",
                "in app.toml 8080 → 80",
                "old: 8080 new: 80 file: app.toml",
                "the port in app.toml is supposed to be 80",
                "get rid of the port line in app.toml",
                "debug off in app.toml",
            ],
        ),
    ];
    for (tool, all) in fair {
        let spec = world.tools.get(tool).spec();
        for said in all {
            assert!(spec.is_asked_by(said), "{tool}: {said}");
        }
        for said in ["asdfgh", "thanks!", "hello there", "what time is it", "ok then", "lol"] {
            assert!(!spec.is_asked_by(said), "{tool}: {said}");
        }
    }
}

#[test]
fn who_wants_a_file_replaced_says_so_in_many_ways_and_who_adds_to_it_in_none() {
    let world = World::new();
    let spec = world.tools.get("write").spec();
    for said in [
        "overwrite notes.md with milk",
        "clear notes.md out and write just this: milk",
        "notes.md should only say milk",
        "forget what's in notes.md, it should say: milk",
        "replace the lot in notes.md by milk",
        "save milk as notes.md, the old one can go",
    ] {
        assert!(spec.is_asked_for("overwrite", said), "{said}");
    }
    for said in [
        "add milk to notes.md",
        "append milk to the end of notes.md, keep the rest",
        "keep everything in notes.md and add milk below it",
        "write milk into notes.md",
        "create notes.md with milk",
        "without touching the rest of notes.md, append milk",
    ] {
        assert!(!spec.is_asked_for("overwrite", said), "{said}");
    }
    // What lets a file be replaced that nobody has seen asks for both, as far as that is seen without its name.
    for said in spec.even_unseen.iter().flat_map(|(_, words)| words) {
        assert!(spec.is_asked_by(said), "{said}");
        assert!(said.contains("{}") || spec.is_asked_for("overwrite", said), "{said}");
    }
}
