//! [`report`]: what there is to see about a server, for people.

use toolwright_core::{ToolEffect, printable, revealed};
use toolwright_mcp::client::{ServerReport, ToolDefinition, ToolReport};

use crate::style::{BOLD, DIM, END, ERROR, GOOD, NAME, WARN};

/// What there is to see about a server. What hides in its words is shown: a person decides by them.
pub(super) fn report(report: &ServerReport) -> String {
    let mut text = String::new();
    if let Some(problem) = &report.problem {
        text.push_str(&format!("  {ERROR}✗{END} {}\n", safe(problem)));
    }
    let software = report.software.iter().chain(&report.protocol).cloned().collect::<Vec<_>>();
    if !software.is_empty() {
        text.push_str(&format!("  {DIM}{}{END}\n", safe(&software.join(", protocol "))));
    }
    if let Some(told) = &report.instructions {
        let told = indented(&safe(told), "    ");
        text.push_str(&format!(
            "  {BOLD}Instructions{END} {DIM}(no model is told them){END}\n{told}"
        ));
    }
    report.tools.iter().for_each(|it| text.push_str(&tool(it)));
    if !report.resources.is_empty() {
        text.push_str(&format!("  {BOLD}Resources{END}\n"));
        for it in &report.resources {
            text.push_str(&format!("    {} {DIM}{}{END}\n", safe(&it.name), safe(&it.uri)));
        }
    }
    if !report.prompts.is_empty() {
        text.push_str(&format!("  {BOLD}Prompts{END}\n"));
        for it in &report.prompts {
            let arguments = safe(&it.arguments.join(", "));
            let about = it.description.as_deref().unwrap_or_default();
            let (name, about) = (safe(&it.name), safe(about));
            text.push_str(&format!("    {name}({arguments}) {DIM}{about}{END}\n"));
        }
    }
    if report.problem.is_some() && !report.stderr.is_empty() {
        let said = indented(&safe(&report.stderr.join("\n")), "    ");
        text.push_str(&format!("  {BOLD}Its last words{END} {DIM}(standard error){END}\n{said}"));
    }
    text
}

fn tool(report: &ToolReport) -> String {
    let effect = match report.effect {
        ToolEffect::ReadOnly => "read only",
        ToolEffect::Idempotent => "idempotent",
        ToolEffect::Write => "writes",
        ToolEffect::Destructive => "destructive, asks first",
    };
    let sign = match report.state {
        "approved" => format!("{GOOD}✓{END}"),
        "changed" => format!("{ERROR}changed{END}"),
        _ => format!("{WARN}new{END}"),
    };
    let name = safe(&report.name);
    let mut text = format!("  {sign} {NAME}{name}{END} {DIM}({effect}){END}\n");
    if let Some(problem) = &report.problem {
        text.push_str(&format!("    {WARN}cannot be offered: {}{END}\n", safe(problem)));
    }
    let lines = lines(&report.definition);
    match &report.approved {
        None => text.push_str(&indented(&safe(&lines), "    ")),
        Some(approved) => text.push_str(&difference(&self::lines(approved), &lines)),
    }
    text
}

/// All that a definition says, in lines.
fn lines(definition: &ToolDefinition) -> String {
    let mut lines = definition.description.clone().unwrap_or_default();
    let parameters = definition.input_schema.get("properties").and_then(|it| it.as_object());
    for (name, schema) in parameters.into_iter().flatten() {
        lines.push_str(&format!("\n{name}: {schema}"));
    }
    let mut others = definition.input_schema.clone();
    if let Some(others) = others.as_object_mut() {
        ["properties", "type", "$schema"].iter().for_each(|it| _ = others.remove(*it));
        if !others.is_empty() {
            lines.push_str(&format!("\n{}", serde_json::json!(others)));
        }
    }
    if let Some(hints) = &definition.annotations {
        lines.push_str(&format!("\nhints: {hints}"));
    }
    if let Some(returns) = &definition.output_schema {
        lines.push_str(&format!("\nreturns: {returns}"));
    }
    lines
}

/// Lines that went, and lines that came.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut text = String::new();
    for line in old.iter().filter(|it| !new.contains(it)) {
        text.push_str(&format!("    {ERROR}- {}{END}\n", safe(line)));
    }
    for line in &new {
        let line_text = safe(line);
        match old.contains(line) {
            true => text.push_str(&format!("      {line_text}\n")),
            false => text.push_str(&format!("    {GOOD}+ {line_text}{END}\n")),
        }
    }
    text
}

fn indented(text: &str, by: &str) -> String {
    text.lines().filter(|it| !it.trim().is_empty()).map(|it| format!("{by}{it}\n")).collect()
}

/// A server's words as they can be shown, whatever they go through on their way to a terminal: what hides in them is
/// told, and nothing is obeyed.
fn safe(text: &str) -> String {
    printable(&revealed(text)).into_owned()
}
