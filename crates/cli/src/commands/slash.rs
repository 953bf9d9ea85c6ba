//! What a project brings into a conversation at the terminal: its commands, and what the model is told of it.

use toolwright_app::{ContextLevel, ContextSource, ContextState, ServerPrompt, TaskContext};
use toolwright_core::{UserMessage, truncate_line};

use crate::{
    error::{CommandError, Result},
    style::{BOLD, DIM, END, NAME, WARN, line},
};

/// The question that a line is: what it says, or what becomes of the command that it calls, which is shown.
///
/// # Errors
/// Where nothing becomes of the command.
pub(super) async fn question(project: &TaskContext, typed: String) -> Result<UserMessage> {
    let Some(expansion) = project.call(&typed).await else { return Ok(UserMessage::new(typed)) };
    let expansion = expansion.map_err(|error| CommandError::unusable(error.to_string()))?;
    line(&format!("{DIM}/{} is {}:{END}", expansion.name, expansion.place));
    line(&format!("{DIM}{}{END}", expansion.prompt));
    for notice in &expansion.notices {
        line(&format!("{WARN}{notice}{END}"));
    }
    if let Some(model) = &expansion.model {
        let model = truncate_line(model, 100);
        line(&format!("{DIM}It names the model {model}: start with --model to ask that one.{END}"));
    }
    let message = expansion.into_message();
    Ok(message.map_err(|error| CommandError::unusable(error.to_string()))?)
}

/// The command that a line calls and that there is not. What begins with `//`, with a blank behind the slash or with a
/// path is no call.
pub(super) fn unknown<'a>(project: &TaskContext, typed: &'a str) -> Option<&'a str> {
    let name = typed.trim_start().strip_prefix('/')?.split(char::is_whitespace).next()?;
    let is_name = name.starts_with(char::is_alphanumeric) && !name.contains('/');
    (is_name && !project.is_call(typed)).then_some(name)
}

/// The commands, a line each.
pub(super) async fn list_commands(project: &TaskContext) {
    list_prompts(&project.prompts().await);
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

/// The prompts of servers, a line each.
fn list_prompts(prompts: &[ServerPrompt]) {
    if prompts.is_empty() {
        return;
    }
    line("Prompts of MCP servers:");
    for it in prompts {
        let hint = it.argument_hint.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
        line(&match &it.withheld {
            None => {
                let description = truncate_line(&it.description, 100);
                format!("  {NAME}/{}{END}{hint}   {description} {DIM}({}){END}", it.name, it.server)
            }
            Some(reason) => format!("  {DIM}/{}{END}   {WARN}{reason}{END}", it.name),
        });
    }
}

/// What can be typed behind a `/` besides the terminal's own commands.
pub(super) async fn completions(project: &TaskContext) -> Vec<String> {
    let files = project.commands().iter().map(|it| format!("/{}", it.name));
    let prompts = project.prompts().await.into_iter().filter(|it| it.withheld.is_none());
    let prompts = prompts.map(|it| format!("/{}", it.name));
    files.chain(prompts).collect()
}

/// `/context`: everything that is told, or could be, and what it costs.
pub(super) async fn show_context(project: &TaskContext) {
    let mut sources = project.sources();
    sources.extend(project.prompts().await.iter().map(ContextSource::from));
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
        ContextLevel::Server => "server",
    };
    let (kind, name) = (source.kind.name(), truncate_line(&source.name, 60));
    let tokens = match source.tokens {
        0 => String::new(),
        tokens => format!(", about {tokens} tokens"),
    };
    let size = match source.bytes {
        0 => String::new(),
        bytes => format!(", {bytes} bytes"),
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
        "  {kind:<12} {NAME}{name}{END}{state} {DIM}{whose}{size}{cut}{tokens}; {path} {about}{END}"
    )
}
