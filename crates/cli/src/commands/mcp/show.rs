//! [`report`]: what there is to see about a server, for people.

use toolwright_core::ToolEffect;
use toolwright_mcp::client::{
    PromptDefinition, PromptReport, ServerReport, ToolDefinition, ToolReport,
};

use crate::{
    commands::looking::{difference, indented, shown},
    style::{BOLD, DIM, END, ERROR, GOOD, NAME, WARN},
};

/// What there is to see about a server. What hides in its words is shown: a person decides by them.
pub(super) fn report(report: &ServerReport) -> String {
    let mut text = String::new();
    if let Some(problem) = &report.problem {
        text.push_str(&format!("  {ERROR}✗{END} {}\n", shown(problem)));
    }
    let software = report.software.iter().chain(&report.protocol).cloned().collect::<Vec<_>>();
    if !software.is_empty() {
        text.push_str(&format!("  {DIM}{}{END}\n", shown(&software.join(", protocol "))));
    }
    if let Some(told) = &report.instructions {
        let told = indented(&shown(told), "    ");
        text.push_str(&format!(
            "  {BOLD}Instructions{END} {DIM}(no model is told them){END}\n{told}"
        ));
    }
    report.tools.iter().for_each(|it| text.push_str(&tool(it)));
    if !report.prompts.is_empty() {
        text.push_str(&format!("  {BOLD}Prompts{END} {DIM}(you call them in a chat){END}\n"));
        report.prompts.iter().for_each(|it| text.push_str(&prompt(it)));
    }
    let resources: Vec<Place<'_>> =
        report.resources.iter().map(|it| (&it.uri, &it.name, &it.description)).collect();
    let templates: Vec<Place<'_>> =
        report.templates.iter().map(|it| (&it.uri_template, &it.name, &it.description)).collect();
    let attached = format!("mcp:{}:URI", report.name);
    text.push_str(&places("Resources", &format!("--attach {attached}"), &resources));
    text.push_str(&places("Templates of resources", "fill them in", &templates));
    for problem in &report.left_out {
        text.push_str(&format!("  {WARN}!{END} {}\n", shown(problem)));
    }
    if report.problem.is_some() && !report.stderr.is_empty() {
        let said = indented(&shown(&report.stderr.join("\n")), "    ");
        text.push_str(&format!("  {BOLD}Its last words{END} {DIM}(standard error){END}\n{said}"));
    }
    text
}

fn sign(state: &str) -> String {
    match state {
        "approved" => format!("{GOOD}✓{END}"),
        "changed" => format!("{ERROR}changed{END}"),
        _ => format!("{WARN}new{END}"),
    }
}

fn tool(report: &ToolReport) -> String {
    let effect = match report.effect {
        ToolEffect::ReadOnly => "read only",
        ToolEffect::Idempotent => "idempotent",
        ToolEffect::Write => "writes",
        ToolEffect::Destructive => "destructive, asks first",
    };
    let (sign, name) = (sign(report.state), shown(&report.name));
    let mut text = format!("  {sign} {NAME}{name}{END} {DIM}({effect}){END}\n");
    if let Some(problem) = &report.problem {
        text.push_str(&format!("    {WARN}cannot be offered: {}{END}\n", shown(problem)));
    }
    let lines = lines(&report.definition);
    match &report.approved {
        None => text.push_str(&indented(&shown(&lines), "    ")),
        Some(approved) => text.push_str(&difference(&self::lines(approved), &lines)),
    }
    text
}

/// How many resources are shown.
const PLACES: usize = 100;

/// An address, what is there, and what that is about.
type Place<'a> = (&'a String, &'a String, &'a Option<String>);

/// Addresses, a line each.
fn places(title: &str, hint: &str, all: &[Place<'_>]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut text = format!("  {BOLD}{title}{END} {DIM}({hint}){END}\n");
    for (address, name, about) in all.iter().take(PLACES) {
        let about = about.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
        let about = shown(&format!("{name}{about}"));
        text.push_str(&format!("    {NAME}{}{END} {DIM}{about}{END}\n", shown(address)));
    }
    if all.len() > PLACES {
        text.push_str(&format!("    {DIM}… and {} more{END}\n", all.len() - PLACES));
    }
    text
}

fn prompt(report: &PromptReport) -> String {
    let mut text = format!("  {} {NAME}/{}{END}\n", sign(report.state), report.name);
    if let Some(problem) = &report.problem {
        text.push_str(&format!("    {WARN}cannot be called: {problem}{END}\n"));
    }
    let lines = prompt_lines(&report.definition);
    match &report.approved {
        None => text.push_str(&indented(&shown(&lines), "    ")),
        Some(approved) => text.push_str(&difference(&prompt_lines(approved), &lines)),
    }
    text
}

/// All that a prompt says of itself, in lines.
fn prompt_lines(definition: &PromptDefinition) -> String {
    let said = [&definition.title, &definition.description].into_iter().flatten();
    let mut lines = said.cloned().collect::<Vec<_>>();
    for it in &definition.arguments {
        let required = if it.required { " (required)" } else { "" };
        let about = it.description.as_deref().map(|it| format!(": {it}")).unwrap_or_default();
        lines.push(format!("{}{required}{about}", it.name));
    }
    lines.join("\n")
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
