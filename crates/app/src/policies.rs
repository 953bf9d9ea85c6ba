//! [`with_policies`]: tools, each with what was configured about its calls; and [`check`]: whether all
//! of that can be kept.

use std::{collections::HashSet, sync::Arc};

use toolwright_core::{Tool, ToolGroup, ToolSource};
use toolwright_pack::Pack;
use toolwright_project::LOAD_SKILL;
use toolwright_runtime::{Toolbox, ToolboxBuilder};

use crate::{AppError, Config, PackRegistry, config::SettingSource, words::nearest};

/// Stands for every tool.
const ALL: &str = "*";

/// Chooses among very many tools. The runtime adds it.
const FINDER: &str = "find_tools";

/// The tools, each with its policy. What is said of a tool that only other tasks have is not about
/// these.
pub(crate) fn with_policies(
    config: &Config,
    tools: Vec<Arc<dyn Tool>>,
    sources: Vec<Arc<dyn ToolSource>>,
    builder: ToolboxBuilder,
) -> Result<Arc<Toolbox>, AppError> {
    let names: HashSet<_> = tools.iter().map(|tool| tool.spec().name.clone()).collect();
    let mut builder = builder.tools(tools).log(config.telemetry.content.value);
    let entries = config.sources();
    let open = entries.iter().filter(|it| sources.iter().any(|source| source.name() == it.name));
    let open: Vec<_> = open.collect();
    let is_foreign = |name: &str| open.iter().any(|it| it.may_have(name));
    for (name, policy) in &config.policies {
        if name == ALL || names.contains(name) || is_foreign(name) {
            builder = builder.policy(name.clone(), policy.clone());
        }
    }
    for (name, declaration) in config.declarations.iter().filter(|(name, _)| is_foreign(name)) {
        builder = builder.declare(name.clone(), declaration.clone());
    }
    for info in config.packs().iter().map(Pack::info) {
        let group = ToolGroup::new(info.name, info.summary);
        builder = builder.group(group, info.tools.iter().copied());
    }
    builder = sources.into_iter().fold(builder, ToolboxBuilder::source);
    let timeout = &config.limits.tool_timeout;
    // What nobody set is for tools that say nothing themselves.
    if timeout.place != SettingSource::Default {
        builder = builder.call_timeout(timeout.value);
    }
    Ok(Arc::new(builder.build()?))
}

/// Whether everything that the config file says of tools is about one that there is, in this task or
/// another, and can be kept: what is misspelled would otherwise hold for nothing, in silence.
pub(crate) fn check(config: &Config) -> Result<(), AppError> {
    if config.policies.is_empty() && config.rules.is_empty() {
        return Ok(());
    }
    let known = known_tools(config.packs());
    let policies = config.policies.iter().map(|(name, _)| ("tools", name));
    let rules = config.rules.iter().map(|rule| ("rules", &rule.tool));
    for (section, name) in policies.chain(rules) {
        if !known.contains(name.as_str()) && !config.may_come_from_source(name) {
            let nearest = nearest(name, known.iter().copied());
            return Err(AppError::NoSuchTool { section, name: name.clone(), nearest });
        }
    }
    let declared = config.declarations.iter().map(|(name, _)| name);
    if let Some(name) = declared.into_iter().find(|name| !config.may_come_from_source(name)) {
        return Err(AppError::DeclaredElsewhere { name: name.clone() });
    }
    let tools = tools_spoken_of(config);
    with_policies(config, tools, Vec::new(), Toolbox::builder()).map(|_| ())
}

/// The names by which something can be said of tools: those that any task has, and that of all.
pub(crate) fn known_tools(packs: &PackRegistry) -> HashSet<&'static str> {
    let names = packs.iter().flat_map(|pack| pack.info().tools.iter().copied());
    names.chain([FINDER, LOAD_SKILL, ALL]).collect()
}

/// The tools that policies are about, of whatever pack: whether a policy can be kept is told by every
/// command, and not only by the task that has the tool. A pack that cannot be opened tells so where it
/// is used.
fn tools_spoken_of(config: &Config) -> Vec<Arc<dyn Tool>> {
    let is_spoken_of = |name: &str| config.policies.iter().any(|(it, _)| it == name);
    let packs = config.packs().iter();
    let packs = packs.filter(|pack| pack.info().tools.iter().any(|name| is_spoken_of(name)));
    let open = packs.filter_map(|pack| {
        config.open_pack(pack, false, &toolwright_pack::Services::new()).ok().flatten()
    });
    open.flat_map(|pack| pack.tools()).filter(|tool| is_spoken_of(&tool.spec().name)).collect()
}
