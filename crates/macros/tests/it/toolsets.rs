//! Methods as tools.

use std::{
    fmt::Display,
    future,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering::Relaxed},
    },
};

use serde_json::json;
use toolwright_core::{Output, RunContext, ToolEffect, Toolset};
use toolwright_macros::toolset;

use crate::{call, call_in};

#[derive(Default)]
struct Counter {
    total: AtomicI64,
}

#[toolset]
impl Counter {
    fn new(total: i64) -> Self {
        Self { total: AtomicI64::new(total) }
    }

    /// Add to the total.
    #[tool(timeout = "1s")]
    async fn add(
        &self,
        /// How much.
        #[tool(default = 1)]
        amount: i64,
    ) -> i64 {
        future::ready(()).await;
        self.total.fetch_add(amount, Relaxed) + amount
    }

    /// Read the total.
    #[tool(read_only, name = "get_total")]
    fn total(&self, context: &RunContext) -> String {
        format!("{}{}", self.total.load(Relaxed), context.get::<&str>().unwrap_or(&""))
    }

    /// Start over.
    #[toolwright_macros::tool(destructive)]
    fn reset(&self) {
        self.total.store(0, Relaxed);
    }

    /// Never compiled.
    #[tool]
    #[cfg(any())]
    fn never(&self, nothing: NoSuchType) {}
}

#[test]
fn marked_methods_are_tools_on_one_state() {
    let counter = Arc::new(Counter::new(40));
    let tools = counter.clone().tools();
    let specs: Vec<_> = tools.iter().map(|tool| (&*tool.spec().name, tool.spec().effect)).collect();
    assert_eq!(
        specs,
        [
            ("add", ToolEffect::Write),
            ("get_total", ToolEffect::ReadOnly),
            ("reset", ToolEffect::Destructive)
        ]
    );
    assert_eq!(call(&tools[0], json!({})), Ok(Output::Json("41".into())));
    assert_eq!(call(&tools[0], json!({"amount": 1})), Ok(Output::Json("42".into())));
    let context = RunContext::new().with("!");
    assert_eq!(call_in(&tools[1], json!({}), &context), Ok(Output::Text("42!".into())));
    assert_eq!(call(&tools[2], json!({})), Ok(Output::Text("Done.".into())));
    assert_eq!(counter.total(&RunContext::new()), "0");
    assert_eq!(
        tools[0].spec().parameters,
        json!({
            "type": "object",
            "properties": {
                "amount": {"type": "integer", "description": "How much.", "default": 1},
            },
            "additionalProperties": false,
        })
    );
}

struct Shelf<T, const N: usize> {
    things: [T; N],
}

#[toolset]
impl<T: Display, const N: usize> Shelf<T, N>
where
    T: Clone,
{
    /// Look at one thing.
    #[tool(read_only)]
    fn look(&self, index: usize) -> Result<String, String> {
        self.things.get(index).map(|thing| thing.clone().to_string()).ok_or("no such thing".into())
    }
}

#[test]
fn the_type_may_be_generic() {
    let tools = Arc::new(Shelf { things: ['a', 'b'] }).tools();
    assert_eq!(call(&tools[0], json!({"index": 1})), Ok(Output::Text("b".into())));
    assert_eq!(call(&tools[0], json!({"index": 2})).unwrap_err().message(), "no such thing");
}

mod reexport {
    pub(crate) use toolwright_core as library;
}

struct Elsewhere;

#[toolset(crate = crate::toolsets::reexport::library)]
impl Elsewhere {
    /// Through another path.
    #[tool]
    fn through(&self, x: i32) -> i32 {
        x
    }
}

#[test]
fn the_library_may_be_elsewhere() {
    let tools = Arc::new(Elsewhere).tools();
    assert_eq!(call(&tools[0], json!({"x": 2})), Ok(Output::Json("2".into())));
}
