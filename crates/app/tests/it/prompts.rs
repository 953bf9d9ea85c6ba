//! What a model is told before it is asked anything: a task's prompt, filled in.

use toolwright_app::{OpenPacks, TaskSetup};

use crate::config;

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
