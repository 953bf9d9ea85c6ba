//! [`AgentSource`]: another agent, which is one tool.

use std::sync::Arc;

use toolwright_core::{SourceTools, Tool, ToolSource};
use toolwright_runtime::{AgentTool, DenyAll};

use super::{SourceKind, withheld::WithheldSource};
use crate::{
    AppError, Config, OpenPacks, ToolPattern,
    assemble::{Made, context, make},
    task_setup::TaskSetup,
};

/// Another agent, which is one tool.
struct AgentSource {
    name: String,
    tools: Arc<SourceTools>,
}

impl ToolSource for AgentSource {
    fn name(&self) -> &str {
        &self.name
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.tools.clone()
    }
}

/// The agent of this name, with the tools of its task.
///
/// # Errors
/// When its task or its model cannot be used, or it would have itself as a tool.
pub(super) fn opened(
    config: &Config,
    packs: &OpenPacks,
    name: &str,
) -> Result<Arc<dyn ToolSource>, AppError> {
    let missing = || AppError::NoSource { name: name.to_owned(), kind: SourceKind::Agent.name() };
    check(config, &mut vec![name.to_owned()])?;
    let agent = config.agents.get(name).ok_or_else(missing)?;
    let own = config.of_agent(agent)?;
    let setup = TaskSetup::of(&own, packs)?;
    let context = setup.packs.grant(context(&own), None);
    // Whoever decides about the calls of the run that it is a part of decides about its calls; outside of a run,
    // nobody does. Whoever watches that run watches it, too.
    let made = match make(&own, packs, setup, DenyAll, Vec::new()) {
        Ok(Made { agent, .. }) => agent,
        // A model that is not set up, say: that hurts no other tool.
        Err(error) => {
            return Ok(Arc::new(WithheldSource::new(name, name.to_owned(), error.to_string())));
        }
    };
    let mut tool = AgentTool::new(&made, name, &agent.description).context(context);
    if let Some(rounds) = agent.max_rounds {
        tool = tool.rounds(rounds);
    }
    let tools = vec![Arc::new(tool) as Arc<dyn Tool>];
    let tools = Arc::new(SourceTools { tools, withheld: Vec::new() });
    Ok(Arc::new(AgentSource { name: name.to_owned(), tools }))
}

/// Whether the last of these agents leads back to one before it, by the tools of its task.
fn check(config: &Config, path: &mut Vec<String>) -> Result<(), AppError> {
    let Some(agent) = path.last().and_then(|name| config.agents.get(name)) else { return Ok(()) };
    let task = config.of_agent(agent)?.task.value;
    let has = |name: &&String| {
        let admits = |patterns: &Vec<ToolPattern>| ToolPattern::admit(patterns, name);
        task.has_source(name) && task.tools.as_ref().is_none_or(admits)
    };
    for name in config.agents.keys().filter(has) {
        if let Some(at) = path.iter().position(|it| it == name) {
            let way: Vec<_> = path.iter().skip(at).chain([name]).map(String::as_str).collect();
            return Err(AppError::BadSource {
                section: format!("agents.{name}"),
                reason: format!(
                    "it would have itself as a tool ({}): give it a task that names its sources, as \
                     `{}` has `{name}` among its tools",
                    way.join(" → "),
                    task.name
                ),
            });
        }
        path.push(name.clone());
        check(config, path)?;
        path.pop();
    }
    Ok(())
}
