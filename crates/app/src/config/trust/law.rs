//! [`check_folder_settings`]: what holds of the settings of every folder, for tests and fuzz targets.

use std::path::Path;

use toolwright_pack::{PackInfo, ProjectRule};

use super::{
    super::{agents::AgentSection, file::File, mcp::McpSection},
    keys::sift,
};
use crate::PackRegistry;

/// Reads a text as the settings of a trusted folder.
///
/// # Errors
/// When something is left of it that a folder may never set.
pub fn check_folder_settings(packs: &PackRegistry, text: &str) -> Result<(), String> {
    // Not being settings at all is no fault.
    let Ok((file, _)) = sift(packs, text, Path::new("/")) else { return Ok(()) };
    let File { data, database, log, model, server, rules, tools, mcp, .. } = &file;
    let usual = File::default();
    let whole = [
        ("telemetry", format!("{:?}", file.telemetry), format!("{:?}", usual.telemetry)),
        ("embeddings", format!("{:?}", file.embeddings), format!("{:?}", usual.embeddings)),
        ("http", format!("{:?}", file.http), format!("{:?}", usual.http)),
    ];
    let left = [
        ("data", data.is_some()),
        ("database", database.is_some()),
        ("log", log.is_some()),
        ("model.judge", model.judge.is_some()),
        ("model.options", !model.options.is_empty()),
        ("model.accepts", model.accepts.is_some()),
        ("model.offline_folder", model.offline_folder.is_some()),
        ("model.package_index", model.package_index.is_some()),
        ("time_zone", file.time_zone.is_some()),
        ("a task of its own", file.tasks.values().any(|it| it.prompt.is_some())),
        ("a setting of a pack", packs.iter().any(|pack| sets(pack.info(), &file))),
        ("server.addr", server.addr.is_some()),
        ("server.hosts", server.hosts.is_some()),
        ("agents", !file.agents.values().all(AgentSection::is_empty)),
        ("tools", !tools.is_empty()),
        ("commands", !file.commands.is_empty()),
        ("sandbox.allow_root", file.sandbox.allow_root.is_some()),
        // A name is left of a section without anything in it.
        ("openapi", file.openapi.values().any(|it| *it != Default::default())),
        ("an MCP server", mcp.values().any(|it| *it != McpSection::default())),
        ("a rule that allows", format!("{rules:?}").contains("Allow")),
    ];
    let whole = whole.iter().find(|(_, left, none)| left != none).map(|(name, ..)| *name);
    let left = left.iter().find(|(_, is_left)| *is_left).map(|(name, _)| *name);
    match whole.or(left) {
        Some(name) => Err(format!("a folder set `{name}`: {text:?}")),
        None => Ok(()),
    }
}

/// Whether a file sets something of a pack that no folder may.
fn sets(info: &PackInfo, file: &File) -> bool {
    let never = info.settings.iter().filter(|key| key.project == ProjectRule::Never);
    let section = file.packs.get(info.name);
    section.is_some_and(|section| never.into_iter().any(|key| section.contains_key(key.name)))
}
