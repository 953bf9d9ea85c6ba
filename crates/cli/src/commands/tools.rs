//! `toolwright tools`: what there is, and calling one by hand.

#[cfg_attr(not(feature = "openapi"), path = "tools/no_api.rs")]
mod api;
mod approve;

use serde_json::{Value, json};
use toolwright_app::{Config, prompt, toolbox};
use toolwright_core::{
    Call, Outcome, RunContext, Status, ToolEffect, UnavailableTool, printable, truncate_line,
};
use toolwright_runtime::Toolbox;

use crate::{
    args::ToolsCommand,
    error::Result,
    exit::Exit,
    style::{BOLD, DIM, END, NAME, line, out, tame},
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
    let (toolbox, context) = toolbox(config).await?;
    match command {
        ToolsCommand::Approve { .. } => Ok(Exit::Usage),
        ToolsCommand::List { .. } if json => {
            let definitions: Value = serde_json::from_str(toolbox.definitions().json())?;
            out(&format!("{}\n", serde_json::to_string_pretty(&definitions)?))?;
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
                    if approve || !needs_approval(&toolbox, &name, &arguments, &context).await {
                        toolbox.call(&name, arguments, &context).await
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

fn show(outcome: &Outcome, json: bool) -> Result<Exit> {
    if json {
        out(&format!("{}\n", outcome.envelope()))?;
    } else if outcome.status.is_ok() {
        out(&format!("{}\n", outcome.text))?;
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
