//! [`Skill`]: instructions for a kind of work, of which a model is told a line until it loads them.

mod catalogue;
mod tool;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use serde::Deserialize;
use toolwright_core::truncate_line;

pub(crate) use self::catalogue::catalogue;
pub use self::tool::{LOAD_SKILL, SkillTool};
use crate::{Level, files::SkillFolder, front_matter};

/// The longest name, in characters.
const NAME: usize = 64;
/// The longest description, in characters.
const DESCRIPTION: usize = 1024;

/// Instructions for a kind of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// What it is called.
    pub name: String,
    /// What it does, and when to use it.
    pub description: String,
    /// Whose it is.
    pub level: Level,
    /// Where it is: its path from the project's root.
    pub place: String,
    /// Its folder.
    pub path: PathBuf,
    /// What it says once it is loaded.
    pub body: String,
    /// Whether only the user may load it.
    pub is_for_user_alone: bool,
    /// Its other files, by their paths in it.
    pub(crate) files: BTreeMap<String, Arc<[u8]>>,
}

/// What the front matter of a skill says. Other keys are other programs'; `allowed-tools` among them: a skill
/// allows nothing here.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
struct Fields {
    name: Option<String>,
    description: Option<String>,
    disable_model_invocation: bool,
}

impl Skill {
    /// What a folder says.
    ///
    /// # Errors
    /// Where it is no skill, with the reason.
    pub(crate) fn read(folder: &SkillFolder) -> Result<Self, String> {
        if let Some(reason) = &folder.error {
            return Err(reason.clone());
        }
        let mut files = BTreeMap::new();
        for file in &folder.files {
            let inner = file.path.strip_prefix(&folder.path).unwrap_or(&file.path);
            files.insert(inner.display().to_string().replace('\\', "/"), file.bytes.clone());
        }
        let main = files.remove("SKILL.md").ok_or("it has no SKILL.md")?;
        let text = std::str::from_utf8(&main).map_err(|_| "SKILL.md is no text in UTF-8")?;
        let (front, body) = front_matter::split(text);
        let front = front.ok_or("SKILL.md has no front matter: it begins with a line `---`")?;
        let fields: Fields = front_matter::read(front)?;
        let description = fields.description.unwrap_or_default();
        let description = truncate_line(&description, DESCRIPTION);
        if description.is_empty() {
            return Err("its front matter has no `description`".to_owned());
        }
        let called = folder.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let names = [fields.name.unwrap_or_default(), called];
        let name = names.iter().find(|it| is_name(it)).ok_or_else(|| {
            format!("its name has other than small letters, digits and `-`, or more than {NAME}")
        })?;
        Ok(Self {
            name: name.clone(),
            description,
            level: folder.level,
            place: folder.name.clone(),
            path: folder.path.clone(),
            body: body.replace("\r\n", "\n").trim().to_owned(),
            is_for_user_alone: fields.disable_model_invocation,
            files,
        })
    }

    /// How many bytes it has: what is read when it is loaded.
    pub fn size(&self) -> usize {
        self.body.len()
    }
}

/// Whether a skill can be called so: small letters and digits, parted by single `-`. An underscore is
/// forgiven.
fn is_name(name: &str) -> bool {
    (1..=NAME).contains(&name.len())
        && name.split(['-', '_']).all(|part| {
            !part.is_empty()
                && part.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests;
