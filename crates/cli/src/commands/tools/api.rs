//! What an API's document offers, beside what was approved of it.

use serde_json::{Value, json};
use toolwright_app::{ApiApproval, Config, SpecOperation, SpecReport};
use toolwright_core::{ToolEffect, plural, revealed};

use crate::{
    commands::looking::{asked, difference, indented},
    error::{CommandError, Result},
    exit::Exit,
    style::{DIM, END, ERROR, GOOD, NAME, WARN, line, out},
};

/// Shows what the document offers, asks, and approves it as it is.
pub(super) async fn approve(config: &Config, name: &str, yes: bool, json: bool) -> Result<Exit> {
    let api = ApiApproval::of(config, name)?;
    let failed = |reason: String| CommandError::failed(format!("{name}: {reason}"));
    let (offered, known) = api.look().await.map_err(failed)?;
    let known = known.unwrap_or_default();
    let is_open = offered != known;
    if json {
        let told = told(&offered, &known);
        out(&format!("{}\n", serde_json::to_string_pretty(&told)?))?;
    } else {
        out(&shown(&offered, &known))?;
    }
    if !is_open {
        if !json {
            line(&format!("{GOOD}✓{END} all of it is approved as it is"));
        }
        return Ok(Exit::Answered);
    }
    let open = states(&offered, &known).filter(|(_, _, state)| *state != "approved").count();
    let question = match open {
        0 => "Approve where the API is?".to_owned(),
        _ => {
            let operations = plural(open as u64, "this operation", "these operations");
            format!("Approve {operations} as now described?")
        }
    };
    let is_approved = match (yes, json) {
        (true, _) => true,
        (false, true) => false,
        (false, false) => asked(&question, "--yes")?,
    };
    if is_approved {
        api.approve(&offered).map_err(failed)?;
    }
    match (is_approved, json) {
        (true, false) => line(&format!("{GOOD}✓{END} approved, until one of them changes")),
        (false, false) => {
            line(&format!("{DIM}Not approved: what is new or changed is not offered.{END}"));
        }
        _ => {}
    }
    Ok(if is_approved { Exit::Answered } else { Exit::Failed })
}

/// Every operation that is there or was, and what became of it.
fn states<'a>(
    offered: &'a SpecReport,
    known: &'a SpecReport,
) -> impl Iterator<Item = (&'a String, &'a SpecOperation, &'static str)> {
    let now = offered.operations.iter().map(|(name, it)| {
        let state = match known.operations.get(name) {
            Some(known) if known.digest == it.digest => "approved",
            Some(_) => "changed",
            None => "new",
        };
        (name, it, state)
    });
    let gone = known.operations.iter().filter(|(name, _)| !offered.operations.contains_key(*name));
    now.chain(gone.map(|(name, it)| (name, it, "gone")))
}

fn told(offered: &SpecReport, known: &SpecReport) -> Value {
    let operations: Vec<_> = states(offered, known)
        .map(|(name, it, state)| {
            json!({
                "name": name, "state": state, "place": it.place, "effect": it.effect,
                "description": it.description, "schema": it.schema,
            })
        })
        .collect();
    json!({"server": offered.server, "approved_server": known.server, "operations": operations})
}

/// What a person decides by. What hides in a document's words is shown.
fn shown(offered: &SpecReport, known: &SpecReport) -> String {
    let mut text = String::new();
    if !offered.server.is_empty() {
        let sign = if offered.server == known.server { DIM } else { WARN };
        text.push_str(&format!("  {sign}{}{END}\n", revealed(&offered.server)));
    }
    for (name, it, state) in states(offered, known) {
        let sign = match state {
            "approved" => format!("{GOOD}✓{END}"),
            "changed" => format!("{ERROR}changed{END}"),
            "gone" => format!("{DIM}gone{END}"),
            _ => format!("{WARN}new{END}"),
        };
        let effect = match it.effect {
            ToolEffect::ReadOnly => "read only",
            _ => "asks first",
        };
        let (name_shown, place) = (revealed(name), revealed(&it.place));
        text.push_str(&format!("  {sign} {NAME}{name_shown}{END} {DIM}{place} ({effect}){END}\n"));
        match (state, known.operations.get(name)) {
            ("changed", Some(before)) => text.push_str(&difference(&lines(before), &lines(it))),
            ("new", _) => text.push_str(&indented(&revealed(&lines(it)), "    ")),
            _ => {}
        }
    }
    text
}

/// All that a document says of an operation, in lines.
fn lines(operation: &SpecOperation) -> String {
    let mut lines = format!("{}\n{}", operation.place, operation.description);
    let properties = operation.schema.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        lines.push_str(&format!("\n{name}: {schema}"));
    }
    lines
}
