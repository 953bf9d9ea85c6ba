//! [`Instructions`]: what the files `AGENTS.md` say, within a budget.

use std::path::PathBuf;

use crate::{Level, files::ProjectFile, wording::beginning};

/// How much of all files a model is told, in bytes.
pub const TOTAL_LIMIT: usize = 32 << 10;
/// How much of one file a model is told, in bytes.
pub const FILE_LIMIT: usize = 24 << 10;

/// The names that count, the first of them that says something: one file for each folder.
pub(crate) const NAMES: [&str; 3] = ["AGENTS.override.md", "AGENTS.md", "CLAUDE.md"];

/// What the files `AGENTS.md` say, the farthest from the folder that is worked in first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instructions {
    /// Each with as much of it as there is room for.
    pub parts: Vec<InstructionPart>,
}

/// As much of a file as there is room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionPart {
    /// Its name, as people and models are told it.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Whose it is.
    pub level: Level,
    /// How many bytes the file has.
    pub size: usize,
    /// What there is room for, in bytes of the file.
    pub text: String,
}

impl InstructionPart {
    /// How many bytes there was no room for.
    pub fn cut(&self) -> usize {
        self.size.saturating_sub(self.text.len())
    }
}

impl Instructions {
    /// Shares out the room: the nearest file gets its share first, as it is the most specific. The files
    /// come with the farthest first, and so do the parts.
    pub(crate) fn allocate(files: &[&ProjectFile], total: usize, each: usize) -> Self {
        let mut left = total;
        let mut parts: Vec<InstructionPart> = Vec::new();
        for (at, file) in files.iter().enumerate().rev() {
            let Ok(text) = std::str::from_utf8(&file.bytes) else { continue };
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            // The same under two names is said once, where it is nearest.
            let is_double = files.iter().skip(at + 1).any(|it| it.bytes == file.bytes);
            if is_double || text.trim().is_empty() {
                continue;
            }
            let kept = beginning(text, each.min(left));
            left -= kept.len();
            parts.push(InstructionPart {
                name: file.name.clone(),
                path: file.path.clone(),
                level: file.level,
                size: text.len(),
                text: kept.to_owned(),
            });
        }
        parts.reverse();
        Self { parts }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Instructions;
    use crate::{ContextKind, Level, files::ProjectFile};

    fn file(name: &str, text: &str) -> ProjectFile {
        ProjectFile {
            kind: ContextKind::Instructions,
            level: Level::Project,
            name: name.to_owned(),
            path: name.into(),
            bytes: text.as_bytes().into(),
        }
    }

    #[test]
    fn the_nearest_file_is_cut_last() {
        let files =
            [file("far", &"f".repeat(50)), file("mid", &"m".repeat(50)), file("near", "near")];
        let told = Instructions::allocate(&files.each_ref(), 40, 30);
        let kept: Vec<_> =
            told.parts.iter().map(|it| (&*it.name, it.text.len(), it.cut())).collect();
        assert_eq!(kept, [("far", 6, 44), ("mid", 30, 20), ("near", 4, 0)]);
    }

    #[test]
    fn the_same_text_is_said_once() {
        let files = [file("a", "same"), file("b", "other"), file("c", "same"), file("d", " \n")];
        let told = Instructions::allocate(&files.each_ref(), 100, 100);
        let names: Vec<_> = told.parts.iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["b", "c"]);
    }

    proptest! {
        #[test]
        fn no_budget_is_exceeded_and_nothing_is_invented(
            texts in prop::collection::vec(".{0,40}", 0..6), total in 0usize..100, each in 0usize..60,
        ) {
            let files: Vec<_> = texts.iter().enumerate().map(|(at, it)| file(&at.to_string(), it)).collect();
            let told = Instructions::allocate(&files.iter().collect::<Vec<_>>(), total, each);
            prop_assert!(told.parts.iter().map(|it| it.text.len()).sum::<usize>() <= total);
            let mut before = None;
            for part in &told.parts {
                let at: usize = part.name.parse().unwrap();
                prop_assert!(before < Some(at), "the farthest first");
                before = Some(at);
                prop_assert!(part.text.len() <= each);
                let text = texts[at].strip_prefix('\u{feff}').unwrap_or(&texts[at]);
                prop_assert!(text.starts_with(&part.text));
                prop_assert_eq!(part.cut(), text.len() - part.text.len());
            }
            // The nearest that says something has all there is room for.
            if let Some(last) = told.parts.last() {
                let room = total.min(each);
                prop_assert!(last.text.len() + 4 > room.min(last.size));
            }
        }
    }
}
