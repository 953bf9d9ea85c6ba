//! "Tool Calling Integration Guide": the document's own functions, clients and tests, as programs against
//! the library. Each test quotes the lines it holds.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{model::ModelResponse, prelude::*, run::Call, testing::Scripted, tool::Status};

/// > class WeatherSchema(BaseModel):
/// >     location: str = Field(description="City and state, e.g. San Francisco, CA")
#[derive(Deserialize, JsonSchema)]
struct WeatherSchema {
    /// City and state, e.g. San Francisco, CA
    location: String,
}

/// Get current weather conditions
#[tool]
fn get_weather(#[tool(args)] asked: WeatherSchema) -> String {
    format!("Weather in {}: 72°F, sunny", asked.location)
}

/// Calculate tip amount
#[tool]
fn calculate_tip(amount: f64, #[tool(default = 18.0)] percentage: f64) -> Value {
    let tip = amount * percentage / 100.0;
    let cents = |it: f64| (it * 100.0).round() / 100.0;
    json!({"tip": cents(tip), "total": cents(amount + tip)})
}

/// Search company database
#[tool]
fn search_database(query: String) -> Value {
    json!({"results": [format!("Result for: {query}")], "count": 1})
}

#[allow(deprecated, reason = "the compiler warns that it has no doc comment, as in the document")]
mod undescribed {
    // > @tool
    // > def my_tool(param: str) -> str:
    // >     return f"Processed: {param}"
    #[super::tool]
    fn my_tool(param: String) -> String {
        format!("Processed: {param}")
    }
}

/// Get the time
#[tool(manual)]
fn get_time() -> String {
    "12:00 PM".to_owned()
}

fn registry() -> Toolbox {
    Toolbox::builder().discover_tools().build().unwrap()
}

fn asked(content: &str) -> Vec<Message> {
    vec![Message::user(content)]
}

fn call(id: &str, name: &str, arguments: &Value) -> Call {
    Call::new(id, name, arguments.to_string())
}

/// What the model was told by tools before its last reply.
fn results(model: &Scripted) -> Vec<String> {
    let told = model.asked();
    let messages = json!(told.last().unwrap().conversation.messages());
    let messages = messages.as_array().unwrap();
    let results = messages.iter().filter(|it| it["role"] == "tool");
    results.map(|it| it["content"].as_str().unwrap().to_owned()).collect()
}

/// > # Tool should be auto-registered
/// > definitions = registry.get_openai_tool_definitions()
/// > assert definitions[0]["function"]["name"] == "test_tool"
#[test]
fn tool_registry() {
    let registry = registry();
    let mut names: Vec<_> = registry.names().collect();
    names.sort_unstable();
    assert_eq!(names, ["calculate_tip", "get_weather", "my_tool", "search_database"]);
    let definitions: Vec<Value> = serde_json::from_str(registry.definitions().json()).unwrap();
    let definition = |name: &str| {
        definitions
            .iter()
            .find(|it| it["function"]["name"] == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let weather = definition("get_weather");
    assert_eq!(weather["type"], "function");
    assert_eq!(weather["function"]["description"], "Get current weather conditions");
    let location = &weather["function"]["parameters"]["properties"]["location"];
    assert_eq!(location["type"], "string");
    assert_eq!(location["description"], "City and state, e.g. San Francisco, CA");
    let tip = &definition("calculate_tip")["function"]["parameters"];
    assert_eq!(tip["required"], json!(["amount"]));
    assert_eq!(tip["properties"]["percentage"]["default"], 18.0);
    assert_eq!(definition("my_tool")["function"]["description"], "my_tool");
}

/// > result = registry.execute_tool("test_tool", {"input": "hello"})
/// > raise ValueError(f"Tool '{tool_name}' not found")
#[tokio::test]
async fn tool_execution() {
    let (registry, context) = (registry(), RunContext::new());
    let ran = registry.call("my_tool", json!({"param": "hello"}), &context).await;
    assert_eq!((ran.status, ran.text.as_str()), (Status::Ok, "Processed: hello"));
    let unknown = registry.call("your_tool", json!({}), &context).await;
    assert_eq!(unknown.status, Status::Failed);
    assert!(unknown.text.contains("your_tool"), "{}", unknown.text);
}

/// > What's the weather in San Francisco and calculate a 20% tip on $45.60?
/// > content=json.dumps(result) if not isinstance(result, str) else result
/// > "content": …, "finish_reason": …, "tool_calls_executed": len(tool_calls)
#[tokio::test]
async fn simple_tool_calling() {
    let model = Scripted::new([
        ModelResponse::calls([
            call("1", "get_weather", &json!({"location": "San Francisco, CA"})),
            call("2", "calculate_tip", &json!({"amount": 45.6, "percentage": 20})),
        ]),
        ModelResponse::text("72°F and sunny; the tip is $9.12, $54.72 in all."),
    ]);
    let client = Agent::builder(model.clone()).discover_tools().build().unwrap();
    let question = "What's the weather in San Francisco and calculate a 20% tip on $45.60?";
    let response = client.generate(asked(question), []).unwrap().finish().await.unwrap();
    assert_eq!(response.response, "72°F and sunny; the tip is $9.12, $54.72 in all.");
    assert_eq!(json!(response.finish_reason), "stop");
    assert_eq!(response.tools_executed, 2);
    assert_eq!(
        results(&model),
        ["Weather in San Francisco, CA: 72°F, sunny", r#"{"tip":9.12,"total":54.72}"#]
    );
    model.assert_complete();
}

/// > content=f"Error executing {function_name}: {str(e)}"
/// > **Handle errors gracefully** - tools should not crash the conversation
#[tokio::test]
async fn a_failure_goes_to_the_model() {
    /// Look a customer up
    #[tool(manual)]
    fn look_up(name: String) -> Result<String, ToolError> {
        Err(format!("no customer is called {name}").into())
    }
    let model = Scripted::new([
        ModelResponse::calls([
            call("1", "look_up", &json!({"name": "Nobody"})),
            Call::new("2", "look_up", "{"),
        ]),
        ModelResponse::text("There is no such customer."),
    ]);
    let client = Agent::builder(model.clone()).build().unwrap();
    let mut response = client.generate(asked("Who is it?"), [look_up::tool()]).unwrap();
    assert_eq!(response.finish().await.unwrap().response, "There is no such customer.");
    let told = results(&model);
    assert_eq!(told[0], "Error executing look_up: no customer is called Nobody");
    assert!(told[1].starts_with("Error executing look_up: "), "{}", told[1]);
}

/// > for chunk in client.generate(messages=messages, stream=True):
/// >     if chunk.get("type") == "content":
/// >     elif chunk.get("type") == "tool_execution_complete":
/// >         print(f"\n[Tools executed: {chunk['data'].get('tool_calls_executed', 0)}]")
#[tokio::test]
async fn streaming_with_tool_calls() {
    let model = Scripted::new([
        ModelResponse::calls([call("1", "search_database", &json!({"query": "overdue invoices"}))]),
        ModelResponse::text("There is one result."),
    ]);
    let client = Agent::builder(model).discover_tools().build().unwrap();
    let question = "Search for overdue invoices and write a summary";
    let mut stream = client.generate(asked(question), []).unwrap();
    let mut printed = String::new();
    while let Some(chunk) = stream.next().await {
        let chunk = json!(chunk);
        match chunk["type"].as_str() {
            Some("content") => printed += chunk["data"].as_str().unwrap(),
            Some("tool_execution_complete") => {
                printed += &format!("[Tools executed: {}]", chunk["data"]["tool_calls_executed"]);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(printed, "[Tools executed: 1]There is one result.");
}

/// > # Register any additional tools passed in
/// > assert "12:00 PM" in response["content"]
#[tokio::test]
async fn end_to_end_tool_calling() {
    let model = Scripted::new([
        ModelResponse::calls([call("1", "get_time", &json!({}))]),
        ModelResponse::text("It is 12:00 PM."),
    ]);
    let client = Agent::builder(model.clone()).discover_tools().build().unwrap();
    let mut response = client.generate(asked("What time is it?"), [get_time::tool()]).unwrap();
    assert!(response.finish().await.unwrap().response.contains("12:00 PM"));
    assert_eq!(results(&model), ["12:00 PM"]);
    assert!(model.asked()[0].tools.contains(&"get_time".to_owned()));
}
