//! `toolwright tools`: what there is, and calling one by hand.

#[cfg_attr(not(feature = "openapi"), path = "tools/no_api.rs")]
mod api;
mod approve;

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_app::{Config, prompt, unready_toolbox};
use toolwright_core::{
    Call, Outcome, Question, QuestionAnswer, RunContext, Status, ToolEffect, UnavailableTool,
    printable, revealed, truncate_line,
};
use toolwright_runtime::Toolbox;

use super::{
    approving::{dialogue, read},
    questions::answer,
    waiting,
};
use crate::{
    args::ToolsCommand,
    error::Result,
    exit::Exit,
    reading::is_person,
    screen::Screen,
    style::{BOLD, DIM, END, NAME, WARN, line, out, tame},
    watch::Watch,
};

pub(crate) async fn run(
    config: &Config,
    watch: &Watch,
    command: ToolsCommand,
    json: bool,
) -> Result<Exit> {
    if let ToolsCommand::Approve { name, yes } = command {
        return approve::run(config, watch, name, yes, json).await;
    }
    // Whoever calls one tool waits for its source alone.
    let called = match &command {
        ToolsCommand::Call { name, .. } => Some(name.as_str()),
        _ => None,
    };
    let (toolbox, context) = unready_toolbox(config, called)?;
    let toolbox = waiting::ready(&toolbox).await;
    match command {
        ToolsCommand::Approve { .. } => Ok(Exit::Usage),
        ToolsCommand::List { .. } if json => {
            let definitions: Value = serde_json::from_str(toolbox.definitions().json())?;
            out(&format!("{}\n", serde_json::to_string_pretty(&definitions)?))?;
            for UnavailableTool { tool, reason } in toolbox.withheld() {
                line(&format!("{WARN}!{END} {} is not offered: {}", tame(tool), tame(reason)));
            }
            Ok(Exit::Answered)
        }
        ToolsCommand::List { .. } => {
            for spec in toolbox.definitions().specs() {
                out(&describe(spec, config))?;
            }
            for UnavailableTool { tool, reason } in toolbox.withheld() {
                let (tool, reason) = (truncate_line(tool, 100), truncate_line(reason, 1_000));
                let (tool, reason) = (printable(&tool), printable(&reason));
                out(&format!("{NAME}{tool}{END} {DIM}(not offered){END}\n  {reason}\n"))?;
            }
            Ok(Exit::Answered)
        }
        ToolsCommand::Prompt { .. } => {
            let told = prompt(config).await?;
            let told = if json {
                json!({"dialect": config.model.dialect(), "prompt": told}).to_string()
            } else {
                told
            };
            out(&format!("{told}\n"))?;
            Ok(Exit::Answered)
        }
        ToolsCommand::Call { name, arguments, approve, .. } => {
            let outcome = match Call::new("", &name, &arguments).parse() {
                Err(error) => Outcome::failed(error.to_string()),
                Ok(arguments) => {
                    let context = asking(&name, context);
                    if approve
                        || !needs_approval(&toolbox, &name, &arguments, &context).await
                        || is_approved(&name, &arguments).await
                    {
                        let limit = Some(config.limits.tool_timeout.value);
                        toolbox.call_within(limit, &name, arguments, &context).await
                    } else {
                        let told = format!("{name} cannot be taken back: give --approve to run it");
                        Outcome::new(Status::Denied, told)
                    }
                }
            };
            show(&outcome, json)
        }
    }
}

/// Whether a call may change something that cannot be taken back. A tool that can tell is asked about
/// this very call, as it is when a model makes it: `bash` with a command that only looks is none.
async fn needs_approval(
    toolbox: &Toolbox,
    name: &str,
    arguments: &Value,
    context: &RunContext,
) -> bool {
    match toolbox.get(name).filter(|tool| tool.spec().effect == ToolEffect::Destructive) {
        Some(tool) => !tool.preview(arguments, context).await.read_only,
        None => false,
    }
}

/// What a call is given, with the person at the terminal to be asked, if there is one.
fn asking(tool: &str, context: RunContext) -> RunContext {
    if !is_person() {
        return context;
    }
    let tool: Arc<str> = tool.into();
    context.with_asker(Arc::new(move |question: Question| -> BoxFuture<'static, QuestionAnswer> {
        let tool = tool.clone();
        Box::pin(async move {
            let Some(_dialogue) = dialogue().await else { return QuestionAnswer::Cancel };
            Screen::still().question(&tool, &question);
            answer(&question).await
        })
    }))
}

/// Whether the person at the terminal says that it is to run. Where nobody is there, nobody does.
async fn is_approved(tool: &str, arguments: &Value) -> bool {
    if !is_person() {
        return false;
    }
    let Some(_dialogue) = dialogue().await else { return false };
    line(&format!(
        "{WARN}?{END} {BOLD}{}{END} {}",
        revealed(tool),
        revealed(&arguments.to_string())
    ));
    let answer = read("Run it? [y]es / [N]o: ").await;
    matches!(answer.as_deref().map(str::trim), Some("y" | "Y" | "yes"))
}

fn show(outcome: &Outcome, json: bool) -> Result<Exit> {
    if json {
        out(&format!("{}\n", outcome.envelope()))?;
    } else if outcome.status.is_ok() {
        // It is read by people, whatever it goes through on its way: `--json` has it as it is.
        out(&format!("{}\n", printable(&outcome.text)))?;
    } else {
        // What a tool has to say besides is for whoever looks closer. Others may have written it: it is no advice.
        crate::exit::say(&outcome.text, None);
        if let Some(detail) = &outcome.detail {
            line(&format!("{DIM}details:{END} {}", tame(detail)));
        }
    }
    Ok(if outcome.status.is_ok() { Exit::Answered } else { Exit::Failed })
}

/// A tool and its parameters, for people.
fn describe(spec: &toolwright_core::ToolSpec, config: &Config) -> String {
    let effect = match spec.effect {
        ToolEffect::ReadOnly => "read only",
        ToolEffect::Idempotent => "idempotent",
        ToolEffect::Write => "writes",
        ToolEffect::Destructive => "destructive, asks first",
    };
    // Where it comes from, if it is not compiled in.
    let source = config.sources().iter().find(|it| it.may_have(&spec.name));
    let source = source.map(|it| format!(", from {}.{}", it.kind.name(), it.name));
    let mut text = format!(
        "{NAME}{}{END} {DIM}({effect}{}){END}\n  {}\n",
        spec.name,
        source.unwrap_or_default(),
        // What comes from elsewhere may be written for the terminal and not for whoever reads it.
        printable(&spec.description)
    );
    let properties = spec.parameters.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let kind = match &schema["type"] {
            Value::String(kind) => kind.clone(),
            Value::Array(kinds) => {
                kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
            }
            _ => "value".to_owned(),
        };
        let default = match &schema["default"] {
            Value::Null if spec.is_required(name) => String::new(),
            Value::Null => ", optional".to_owned(),
            value => format!(", default {value}"),
        };
        let about = printable(schema["description"].as_str().unwrap_or_default());
        let name = printable(name);
        text.push_str(&format!("  {BOLD}{name}{END} {DIM}{kind}{default}{END}  {about}\n"));
    }
    text
}
