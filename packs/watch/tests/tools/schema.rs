//! The tools as a model is told about them: the documented names, parameters and defaults.

use serde_json::{Value, json};
use toolwright_core::{ResultFormat, ToolEffect};

use crate::support::Desk;

/// A parameter: its name, its type, its default, and whether it is required.
type Parameter = (&'static str, &'static str, Option<u64>, bool);

const DOCUMENTED: [(&str, &[Parameter]); 6] = [
    (
        "get_recent_videos",
        &[("limit", "integer", Some(10), false), ("channel_id", "string", None, false)],
    ),
    ("get_video_details", &[("video_id", "string", None, true)]),
    ("get_statistics", &[]),
    (
        "get_channel_info",
        &[("channel_id", "string", None, false), ("channel_name", "string", None, false)],
    ),
    (
        "search_videos_by_topic",
        &[
            ("query", "string", None, true),
            ("n_results", "integer", Some(10), false),
            ("date_from", "string", None, false),
            ("date_to", "string", None, false),
            ("channel_id", "string", None, false),
            ("channel_name", "string", None, false),
        ],
    ),
    (
        "find_similar_videos",
        &[("video_id", "string", None, true), ("n_results", "integer", Some(5), false)],
    ),
];

#[test]
fn the_tools_are_the_documented_ones() {
    let tools = Desk::of(&[]).history.tools();
    let names: Vec<_> = tools.iter().map(|it| it.spec().name.as_str()).collect();
    assert_eq!(names, DOCUMENTED.map(|(name, _)| name));
    for (tool, (name, parameters)) in tools.iter().zip(DOCUMENTED) {
        let spec = tool.spec();
        assert_eq!(
            (spec.effect, spec.render),
            (ToolEffect::ReadOnly, ResultFormat::Plain),
            "{name}"
        );
        let fields = spec.parameters["properties"].as_object().cloned().unwrap_or_default();
        assert_eq!(fields.len(), parameters.len(), "{name}: {fields:?}");
        for (parameter, kind, default, required) in parameters {
            let field = &fields[*parameter];
            let is_kind = field["type"] == *kind || field["type"][0] == *kind;
            assert!(is_kind, "{name} {parameter}: {field}");
            let default = default.map_or(Value::Null, |it| json!(it));
            assert_eq!(field["default"], default, "{name} {parameter}");
            assert_eq!(spec.is_required(parameter), *required, "{name} {parameter}");
            assert!(
                field["description"].as_str().is_some_and(|it| !it.is_empty()),
                "{name} {parameter}"
            );
            if *kind == "integer" {
                // However many are asked for, no more than 50 are given, and that is told.
                assert_eq!(
                    (&field["minimum"], &field["maximum"]),
                    (&json!(1), &Value::Null),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn descriptions_begin_as_documented() {
    for (tool, begin) in Desk::of(&[]).history.tools().iter().zip([
        "Get a summary of recently watched videos. Use this when the user asks about recent viewing history, \
         what they watched lately, or videos from a specific time period",
        "Get detailed information about a specific video",
        "Get overall statistics about watch history",
        "Get information about a specific channel",
        "Search for videos by topic, subject, or theme using semantic search. This finds videos by meaning, \
         not just keywords.",
        "Find videos similar to a specific video based on semantic similarity.",
    ]) {
        let description = &tool.spec().description;
        assert!(description.starts_with(begin), "{description}");
        assert!(description.contains("Use this when the user"), "{description}");
    }
}
