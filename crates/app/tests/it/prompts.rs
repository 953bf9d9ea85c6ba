//! What a model is told before it is asked anything: a task's prompt, filled in.

use toolwright_app::{OpenPacks, TaskSetup};

use crate::{at_home, config};

/// The prompt of a task, and its tools.
fn told(task: &str) -> (String, TaskSetup) {
    let data = tempfile::tempdir().unwrap();
    let setup = TaskSetup::of(&config(data.path(), task), &OpenPacks::default()).unwrap();
    assert!(!data.path().join("watch").exists(), "nothing is opened for it");
    (setup.system.clone(), setup)
}

#[test]
fn a_prompt_is_made_of_what_the_tools_say_themselves() {
    let (text, setup) = told("trading");
    for tool in &setup.tools {
        let spec = tool.spec();
        let about = spec.description.split("\n\n").next().unwrap().replace('\n', " ");
        assert!(text.contains(&format!("- {}: {about}", spec.name)), "{}", spec.name);
        assert!(spec.effect.is_read_only(), "{} only looks", spec.name);
    }
    insta::assert_snapshot!("trading", text);
}

#[test]
fn a_prompt_tells_parameters_and_the_day() {
    let (text, setup) = told("history");
    for (number, tool) in (1..).zip(&setup.tools) {
        let spec = tool.spec();
        let line = format!("\n{number}. {}: {}", spec.name, spec.description);
        assert!(text.contains(&line), "{line}");
    }
    for part in [
        " Parameters: query (required), ",
        "n_results (optional, default 10).",
        " Parameters: channel_id (optional), limit (optional, default 10).",
        "\n\nThe tools:\n1. get_recent_videos: Get a summary of recently watched videos.",
        "; the time zone is Europe/Berlin, UTC+0",
        " As dates, both ends included:\n- yesterday: ",
        "Never make up videos",
        "call several tools in one turn",
        "No tool is needed for thanks",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_task_that_has_everything_says_what_every_pack_says() {
    let (text, setup) = told("general");
    assert_eq!(setup.tools.len(), 22);
    assert!(text.contains("Today is "), "{text}");
    assert!(text.contains("security_id and the exchange_segment"), "{text}");
    assert!(text.contains("What the user watched"), "{text}");
}

/// What the user keeps for models is that of the home that was named, and of no other: whoever runs this has one.
#[test]
fn skills_are_those_of_the_home_that_was_named() {
    let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let skill = home.path().join(".claude/skills/bake");
    std::fs::create_dir_all(&skill).unwrap();
    std::fs::write(skill.join("SKILL.md"), "---\nname: bake\ndescription: Bakes.\n---\nBake.\n")
        .unwrap();
    let tools = |home| {
        let config = at_home(data.path(), "general", home);
        let setup = TaskSetup::of(&config, &OpenPacks::default()).unwrap();
        let found = setup.tools.iter().find(|it| it.spec().name == "load_skill");
        found.map(|it| it.spec().parameters["properties"]["name"]["enum"].clone())
    };
    assert_eq!(tools(Some(home.path())), Some(serde_json::json!(["bake"])));
    assert_eq!(tools(None), None);
}

/// Whatever is read for a user lies in the home that was named: tasks, tools and the file itself.
#[test]
fn nothing_is_read_in_another_home_than_the_one_that_was_named() {
    let (data, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = home.path().join(".config/toolwright");
    for (name, text) in [
        ("tasks/baking.md", "---\ndescription: Bakes.\n---\nBake.\n"),
        ("tools/now.toml", "description = \"Now.\"\ncommand = [\"date\"]\n"),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let own = |home| {
        let config = at_home(data.path(), "general", home);
        let tasks = config.tasks.entries().iter().any(|it| it.name == "baking");
        (tasks, config.commands().iter().any(|it| it.name == "now"), config.user_folder.clone())
    };
    assert_eq!(own(Some(home.path())), (true, true, Some(folder)));
    assert_eq!(own(None), (false, false, None));
}
