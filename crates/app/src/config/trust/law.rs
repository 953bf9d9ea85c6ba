//! [`check_folder_settings`]: what holds of the settings of every folder, for tests and fuzz targets.

use std::path::Path;

use super::{super::file::File, keys::sift};

/// Reads a text as the settings of a trusted folder.
///
/// # Errors
/// When something is left of it that a folder may never set.
pub fn check_folder_settings(text: &str) -> Result<(), String> {
    // Not being settings at all is no fault.
    let Ok((file, _)) = sift(text, Path::new("/")) else { return Ok(()) };
    let File { data, database, log, model, workspace, server, rules, tools, .. } = &file;
    let usual = File::default();
    let whole = [
        ("telemetry", format!("{:?}", file.telemetry), format!("{:?}", usual.telemetry)),
        ("market", format!("{:?}", file.market), format!("{:?}", usual.market)),
        ("history", format!("{:?}", file.history), format!("{:?}", usual.history)),
        ("http", format!("{:?}", file.http), format!("{:?}", usual.http)),
    ];
    let left = [
        ("data", data.is_some()),
        ("database", database.is_some()),
        ("log", log.is_some()),
        ("model.judge", model.judge.is_some()),
        ("model.offline_folder", model.offline_folder.is_some()),
        ("model.package_index", model.package_index.is_some()),
        ("workspace.env", workspace.env.is_some()),
        ("workspace.readable", workspace.readable.is_some()),
        ("workspace.allow_root", workspace.allow_root.is_some()),
        ("server.addr", server.addr.is_some()),
        ("server.hosts", server.hosts.is_some()),
        ("tools", !tools.is_empty()),
        ("a rule that allows", format!("{rules:?}").contains("Allow")),
    ];
    let whole = whole.iter().find(|(_, left, none)| left != none).map(|(name, ..)| *name);
    let left = left.iter().find(|(_, is_left)| *is_left).map(|(name, _)| *name);
    match whole.or(left) {
        Some(name) => Err(format!("a folder set `{name}`: {text:?}")),
        None => Ok(()),
    }
}
