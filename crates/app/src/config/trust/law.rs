//! [`check_folder_settings`]: what holds of the settings of every folder, for tests and fuzz targets.

use std::path::Path;

use toml::Value;
use toolwright_pack::ProjectRule;

use super::keys::{Folder, KEYS, kept};
use crate::PackRegistry;

/// Reads a text as the settings of a trusted folder.
///
/// # Errors
/// When something is left of it that a folder may never set, or that no key is for.
pub fn check_folder_settings(packs: &PackRegistry, text: &str) -> Result<(), String> {
    // Not being settings at all is no fault.
    let Ok((kept, _)) = kept(packs, text, Path::new("/")) else { return Ok(()) };
    let kept = Value::Table(kept);
    let (never, others) = keys(packs);
    if let Some(key) = never.iter().find(|key| is_set(&kept, key)) {
        return Err(format!("a folder set `{}`: {text:?}", key.join(".")));
    }
    // What every key that a folder may set takes away leaves only names of sections.
    let mut left = kept.clone();
    others.iter().for_each(|key| remove(&mut left, key));
    if has_values(&left) {
        return Err(format!("a folder set what no key is for ({left:?}): {text:?}"));
    }
    let rules = kept.get("rules").and_then(Value::as_array);
    let verdict = |rule: &Value| rule.get("verdict").and_then(Value::as_str).map(str::to_owned);
    let narrows = |rule: &Value| matches!(verdict(rule).as_deref(), Some("deny" | "ask"));
    match rules.is_none_or(|rules| rules.iter().all(narrows)) {
        true => Ok(()),
        false => Err(format!("a folder set a rule that allows: {text:?}")),
    }
}

/// The names of a key, one in another; `*` stands for any.
type KeyPath = Vec<String>;

/// The keys that no folder may set, and all others.
fn keys(packs: &PackRegistry) -> (Vec<KeyPath>, Vec<KeyPath>) {
    let own = KEYS.iter().map(|key| {
        let path = key.name.split('.').map(str::to_owned).collect();
        (path, key.folder == Folder::Never)
    });
    let of_packs = packs.iter().flat_map(|pack| {
        let info = pack.info();
        info.settings.iter().map(|key| {
            let path = vec![info.name.to_owned(), key.name.to_owned()];
            (path, key.project == ProjectRule::Never)
        })
    });
    let (never, others): (Vec<_>, Vec<_>) =
        own.chain(of_packs).partition(|(_, is_never)| *is_never);
    let paths = |keys: Vec<(KeyPath, bool)>| keys.into_iter().map(|(path, _)| path).collect();
    (paths(never), paths(others))
}

fn is_set(value: &Value, path: &[String]) -> bool {
    let Some((name, rest)) = path.split_first() else { return true };
    let Some(table) = value.as_table() else { return false };
    table.iter().filter(|(key, _)| name == "*" || *key == name).any(|(_, it)| is_set(it, rest))
}

fn remove(value: &mut Value, path: &[String]) {
    let (Some((name, rest)), Some(table)) = (path.split_first(), value.as_table_mut()) else {
        return;
    };
    if rest.is_empty() {
        table.retain(|key, _| name != "*" && key != name);
        return;
    }
    let within = table.iter_mut().filter(|(key, _)| name == "*" || *key == name);
    within.for_each(|(_, it)| remove(it, rest));
}

fn has_values(value: &Value) -> bool {
    value.as_table().is_none_or(|table| table.values().any(has_values))
}
