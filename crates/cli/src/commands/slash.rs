//! What a project brings into a conversation at the terminal: its commands, and what the model is told of it.

use toolwright_app::{ContextLevel, ContextSource, ContextState, TaskContext};
use toolwright_core::{UserMessage, truncate_line};

use crate::{
    error::{CommandError, Result},
    style::{BOLD, DIM, END, NAME, WARN, line},
};

/// The question that a line is: what it says, or what becomes of the command that it calls, which is shown.
///
/// # Errors
/// Where nothing becomes of the command.
pub(super) fn question(project: &TaskContext, typed: String) -> Result<UserMessage> {
    let Some(expansion) = project.expand(&typed) else { return Ok(UserMessage::new(typed)) };
    let unusable =
        |error: toolwright_app::ExpansionError| CommandError::unusable(error.to_string());
    let expansion = expansion.map_err(unusable)?;
    line(&format!("{DIM}/{} is {}:{END}", expansion.name, expansion.place));
    line(&format!("{DIM}{}{END}", expansion.prompt));
    for notice in &expansion.notices {
        line(&format!("{WARN}{notice}{END}"));
    }
    if let Some(model) = &expansion.model {
        let model = truncate_line(model, 100);
        line(&format!("{DIM}It names the model {model}: start with --model to ask that one.{END}"));
    }
    Ok(expansion.into_message().map_err(unusable)?)
}

/// Whether a line calls a command of the project's or of the user's.
pub(super) fn is_known(project: &TaskContext, typed: &str) -> bool {
    let name = typed.trim().strip_prefix('/').and_then(|it| it.split_whitespace().next());
    name.is_some_and(|name| project.commands().iter().any(|it| it.name == name))
}

/// The command that a line calls and that there is not. What begins with `//`, with a blank behind the slash or with a
/// path is no call.
pub(super) fn unknown<'a>(project: &TaskContext, typed: &'a str) -> Option<&'a str> {
    let name = typed.trim_start().strip_prefix('/')?.split(char::is_whitespace).next()?;
    let is_name = name.starts_with(char::is_alphanumeric) && !name.contains('/');
    (is_name && !is_known(project, typed)).then_some(name)
}

/// The commands, a line each.
pub(super) fn list_commands(project: &TaskContext) {
    if project.commands().is_empty() {
        return;
    }
    line("Commands and skills of this project, and yours:");
    for it in project.commands() {
        let hint = it.argument_hint.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
        let description = truncate_line(&it.description, 100);
        line(&format!("  {NAME}/{}{END}{hint}   {description} {DIM}({}){END}", it.name, it.place));
    }
}

/// `/context`: everything that is told, or could be, and what it costs.
pub(super) fn show_context(project: &TaskContext) {
    let sources = project.sources();
    if sources.is_empty() {
        line(&format!("{DIM}There is no AGENTS.md, no skill and no command here.{END}"));
        return;
    }
    if !project.is_told() {
        line(&format!(
            "{WARN}The model is told none of it:{END} this task is about no folder, or the model is small."
        ));
    }
    for source in &sources {
        line(&row(source));
    }
    let tokens: u64 = sources.iter().map(|it| it.tokens).sum();
    if project.is_told() {
        line(&format!("{BOLD}About {tokens} tokens{END} with every request."));
    }
    project.notices().iter().for_each(|it| line(&format!("{WARN}{it}{END}")));
}

fn row(source: &ContextSource) -> String {
    let whose = match source.level {
        ContextLevel::User => "yours",
        ContextLevel::Project => "project",
    };
    let (kind, name) = (source.kind.name(), truncate_line(&source.name, 60));
    let tokens = match source.tokens {
        0 => String::new(),
        tokens => format!(", about {tokens} tokens"),
    };
    let cut = match source.cut {
        0 => String::new(),
        cut => format!(", {cut} of them cut"),
    };
    let state = match source.state {
        ContextState::Used => String::new(),
        state => format!(" {WARN}{}{END}", state.says()),
    };
    let about = truncate_line(&source.about, 100);
    let path = truncate_line(&source.path, 200);
    format!(
        "  {kind:<12} {NAME}{name}{END}{state} {DIM}{whose}, {} bytes{cut}{tokens}; {path} {about}{END}",
        source.bytes
    )
}
