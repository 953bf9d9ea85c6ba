//! What the packs of the task look at, and what was set about them.

use std::borrow::Cow;

use toolwright_app::{Config, OpenPacks, config::SettingSource, without_password};
use toolwright_core::ActionableError;
use toolwright_pack::{Check, Pack, SettingKind, shown};
use toolwright_redact::Secrets;

use super::exposed;

/// What the packs of the task look at. One that cannot be opened does not keep the others from it.
pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let (open, task) = (OpenPacks::default(), &config.task.value);
    let mut checks: Vec<Check> = exposed_keys(config);
    for pack in config.packs().iter().filter(|it| task.packs.has(it.info().name)) {
        let info = pack.info();
        match open.open(config, pack, task.packs.names(info.name)) {
            Ok(Some(open)) => checks.extend(open.checks().await),
            Ok(None) => {}
            Err(error) => {
                let advice = error.advice().map(Cow::into_owned);
                checks.push(Check { advice, ..Check::bad(info.name, error.to_string()) });
            }
        }
    }
    let secrets = toolwright_app::context(config);
    let secrets = Secrets::new(secrets.secrets().iter().map(|it| &**it));
    let clean = |text: String| secrets.clean(&text).map_or(text, |(cleaned, _)| cleaned);
    let shown = |it: Check| Check { says: clean(it.says), advice: it.advice.map(clean), ..it };
    checks.into_iter().map(shown).collect()
}

/// Files with a key of a pack in them that others can read.
fn exposed_keys(config: &Config) -> Vec<Check> {
    let secrets = config.packs().iter().map(Pack::info).flat_map(|info| {
        let keys = info.settings.iter().filter(|key| key.secret);
        keys.filter_map(|key| config.section(info.name)?.setting(key.name))
    });
    let mut files: Vec<_> = secrets
        .filter_map(|setting| match &setting.place {
            SettingSource::File(path) => Some(path.clone()),
            _ => None,
        })
        .collect();
    files.dedup();
    files.iter().filter_map(|path| exposed(path)).collect()
}

/// Every setting of every pack: its name, its value, where that came from.
pub(super) fn settings(config: &Config) -> Vec<(String, String, String)> {
    let keys = config
        .packs()
        .iter()
        .map(Pack::info)
        .flat_map(|info| info.settings.iter().map(|key| (info.name, key)));
    keys.map(|(pack, key)| {
        let setting = config.section(pack).and_then(|section| section.setting(key.name));
        let (value, place) = match setting {
            // Not even its first letters: all tokens of a service may begin alike.
            Some(setting) if key.secret => ("set".to_owned(), setting.place.to_string()),
            Some(setting) => {
                let text = shown(&setting.value);
                let is_address = key.kind == SettingKind::Address;
                let text = if is_address { without_password(&text) } else { text };
                (text, setting.place.to_string())
            }
            None => {
                let usual = key.usual.unwrap_or("not set").to_owned();
                (usual, SettingSource::Default.to_string())
            }
        };
        (format!("{pack}.{}", key.name), value, place)
    })
    .collect()
}
