//! [`ProjectCommands`]: what can be typed behind a `/` in an editor: what a project and the user have in files, and
//! the prompts of servers.

use futures_core::future::BoxFuture;
use toolwright_acp::{CalledCommand, HostError, SessionCommand, SessionCommands};
use toolwright_app::{Expansion, TaskContext};
use toolwright_core::truncate_line;

/// The commands of a session.
pub(super) struct ProjectCommands(pub(super) TaskContext);

impl SessionCommands for ProjectCommands {
    fn known(&self) -> Vec<SessionCommand> {
        let commands = self.0.commands().iter().map(|it| SessionCommand {
            name: it.name.clone(),
            description: it.description.clone(),
            hint: it.argument_hint.clone(),
        });
        commands.collect()
    }

    fn all(&self) -> BoxFuture<'_, Vec<SessionCommand>> {
        Box::pin(async move {
            let mut all = self.known();
            let prompts = self.0.prompts().await.into_iter().filter(|it| it.withheld.is_none());
            all.extend(prompts.map(|it| SessionCommand {
                name: it.name,
                description: it.description,
                hint: it.argument_hint,
            }));
            all
        })
    }

    fn call<'a>(
        &'a self,
        line: &'a str,
    ) -> BoxFuture<'a, Option<Result<CalledCommand, HostError>>> {
        Box::pin(async move {
            let expansion = self.0.call(line).await?;
            Some(expansion.map_err(|error| failed(error.to_string())).and_then(called))
        })
    }
}

/// What becomes of a command, and what is shown of it: whose words the model is asked with.
fn called(expansion: Expansion) -> Result<CalledCommand, HostError> {
    let Expansion { name, place, prompt, .. } = &expansion;
    let mut shown = vec![format!("/{name} is {place}:\n{prompt}")];
    shown.extend(expansion.notices.iter().cloned());
    if let Some(model) = &expansion.model {
        let model = truncate_line(model, 100);
        shown.push(format!("It names the model {model}: choose that one to ask it."));
    }
    let message = expansion.into_message().map_err(|error| failed(error.to_string()))?;
    Ok(CalledCommand { message, shown })
}

fn failed(message: String) -> HostError {
    HostError { message, advice: None }
}
