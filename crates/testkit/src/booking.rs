//! [`BookingPack`]: a tool that asks the user, for tests of whoever puts questions to one.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{
    FnTool, Output, Question, QuestionField, RunContext, Tool, ToolEffect, ToolResult, ToolSpec,
};
use toolwright_pack::{OpenPack, Pack, PackError, PackInfo, PackSetup};

/// One tool, `book`, whose argument `ask` says what it asks the user: `table` (a form with a field of each
/// kind), `twice` (two questions at once), `yes` (no fields), `url`, or `secret`, which is refused. Its result is
/// what it was told.
#[derive(Clone, Copy, Debug, Default)]
pub struct BookingPack;

const INFO: PackInfo = PackInfo::new("booking", "a table, to book").tools(&["book"]);

impl Pack for BookingPack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, _: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        Ok(Some(Arc::new(Booking)))
    }
}

struct Booking;

impl OpenPack for Booking {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let schema = json!({
            "type": "object", "properties": {"ask": {"type": "string"}}, "required": ["ask"],
        });
        let spec = ToolSpec::new("book", "Book a table.", schema).effect(ToolEffect::ReadOnly);
        let book = |arguments: Arc<Value>, context: RunContext| {
            Box::pin(async move { book(&arguments, &context).await }) as _
        };
        vec![Arc::new(FnTool::new(spec, book))]
    }
}

async fn book(arguments: &Value, context: &RunContext) -> ToolResult {
    let question = match arguments.get("ask").and_then(Value::as_str) {
        Some("url") => Question::url("Sign in to go on.", "https://tables.example/sign-in?id=7"),
        Some("secret") => Question::new("Log in.").field(QuestionField::text("password")),
        Some("yes") => Question::new("Shall I book the last table?"),
        Some("twice") => {
            let name = |it: &str| Question::new(it).field(QuestionField::text("name").required());
            let first = context.ask(name("Who comes first?"));
            let both = tokio::try_join!(first, context.ask(name("Who comes second?")))?;
            return told(&json!([both.0, both.1]));
        }
        _ => Question::from_schema("Which table?\nIt is for tonight.", &table())?,
    };
    told(&json!(context.ask(question.asker("Tables & Co")).await?))
}

/// A field of each kind.
fn table() -> Value {
    json!({
        "type": "object",
        "required": ["place", "guests"],
        "properties": {
            "place": {
                "type": "string", "title": "Place",
                "oneOf": [{"const": "in", "title": "Inside"}, {"const": "out", "title": "Outside"}],
            },
            "guests": {
                "type": "integer", "title": "Guests", "minimum": 1, "maximum": 12, "default": 2,
                "description": "Children count, too.",
            },
            "budget": {"type": "number", "title": "Budget", "minimum": 0},
            "email": {"type": "string", "format": "email", "title": "E-mail"},
            "day": {"type": "string", "format": "date", "title": "Day"},
            "quiet": {"type": "boolean", "title": "A quiet table", "default": true},
            "extras": {
                "type": "array", "title": "Extras", "maxItems": 2,
                "items": {"type": "string", "enum": ["candles", "music", "cake"]},
            },
        },
    })
}

fn told(what: &Value) -> ToolResult {
    Ok(Output::Text(what.to_string()))
}
