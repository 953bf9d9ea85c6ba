//! Tools that are found without being listed by hand.

use serde_json::json;
use toolwright_core::Registration;
use toolwright_macros::tool;
use toolwright_runtime::Toolbox;
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, bodies, play, result_sent, serve};

/// Get the current weather in a given location.
#[tool(read_only)]
fn get_weather(
    /// The city and state, e.g. San Francisco, CA
    location: String,
    /// Celsius or fahrenheit.
    #[tool(default = "celsius")]
    unit: String,
) -> String {
    format!("22 degrees {unit} in {location}")
}

/// Calculate a tip.
#[tool]
async fn calculate_tip(
    amount: f64,
    #[tool(range(min = 0, max = 100))] percentage: Option<f64>,
) -> f64 {
    amount * percentage.unwrap_or(18.0) / 100.0
}

#[test]
fn s2_2_tools_are_found_and_in_an_order_that_means_something() {
    let mut names: Vec<_> = Registration::all().map(|it| (it.make)().spec().name.clone()).collect();
    names.sort_unstable();
    assert_eq!(names, ["calculate_tip", "get_weather"]);
    let toolbox = Toolbox::builder().discover_tools().build().unwrap();
    assert_eq!(toolbox.names().collect::<Vec<_>>(), names);
    assert_eq!(toolbox.verify(), Ok(()));
}

#[tokio::test]
async fn s2_1_a_function_becomes_a_tool_with_types_defaults_and_descriptions() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "get_weather", r#"{"location":"Pune"}"#)]))
        .reply(Reply::text("It is warm."));
    let server = serve(script).await;
    let played = play(agent(&server).discover_tools().build().unwrap().run("Weather?")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "It is warm.");
    assert_eq!(result_sent(&server), "22 degrees celsius in Pune");
    let tools = &bodies(&server)[0]["tools"];
    assert_eq!(
        tools[1],
        json!({"type": "function", "function": {
            "name": "get_weather",
            "description": "Get the current weather in a given location.",
            "parameters": {
                "type": "object",
                "properties": {
                    "location": {
                        "type": "string",
                        "description": "The city and state, e.g. San Francisco, CA",
                    },
                    "unit": {
                        "type": "string",
                        "description": "Celsius or fahrenheit.",
                        "default": "celsius",
                    },
                },
                "required": ["location"],
                "additionalProperties": false,
            },
        }})
    );
    assert_eq!(tools[0]["function"]["parameters"]["required"], json!(["amount"]));
}

#[tokio::test]
async fn s2_1_bounds_are_checked_before_the_function_runs() {
    let script = Script::new()
        .reply(Reply::calls([("a", "calculate_tip", r#"{"amount":50,"percentage":180}"#)]))
        .reply(Reply::calls([("b", "calculate_tip", r#"{"amount":50,"percentage":null}"#)]))
        .reply(Reply::text("Nine."));
    let server = serve(script).await;
    let played = play(agent(&server).discover_tools().build().unwrap().run("Tip?")).await;
    server.assert_clean();
    assert_eq!(
        played.text_of("a"),
        "Error executing calculate_tip: invalid arguments, the tool was not run.\n\
         - `/percentage`: 180 is greater than the maximum of 100"
    );
    assert_eq!(played.text_of("b"), "9.0");
}

/// Whoever has an agent to build does not have to know that there is a toolbox in it.
#[test]
fn an_agents_builder_takes_all_that_a_toolboxs_does() {
    let methods = |source: &'static str| -> Vec<&str> {
        let public = source.split("    pub fn ").skip(1);
        public.filter_map(|it| it.split(['(', '<']).next()).collect()
    };
    let agents = methods(include_str!("../../src/builder.rs"));
    let missing: Vec<_> = methods(include_str!("../../src/toolbox/builder.rs"))
        .into_iter()
        .filter(|method| !agents.contains(method))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}
