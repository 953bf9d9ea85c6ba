//! [`Root::protection`]: why a change of a file needs somebody's look.
//!
//! The rule is the same as for commands. A file steers other programs by its name, by what leads to it
//! (a link, a second name, a setting of git), or by what it makes of the folder it is in.

use std::path::{Path, PathBuf};

use super::{Place, Root, resolve::Resolved};
use crate::steering::{is_gits_work, is_repository, plain};

impl Root {
    /// Why a change of what a typed path means needs somebody's look, if it does: other programs may
    /// know it by the name that was typed, by the real one, or by that of any link between them.
    pub(crate) fn protection(&self, typed: &str, place: &Place) -> Option<String> {
        let Resolved { mut real, missing, links } = self.resolve(typed).ok()?;
        real.extend(missing);
        let meant = &place.relative;
        let names = [real, meant.clone()].into_iter();
        let names = names.chain(self.below(typed).ok()).chain(links);
        let by_name = names.into_iter().find_map(|name| self.guarded.protection(&name));
        by_name.or_else(|| self.of_a_repository(meant)).or_else(|| self.led_to(meant))
    }

    /// Git takes any folder for a repository that has the shape of one. What is in such a folder, and
    /// what would make a folder one, decides what git runs.
    fn of_a_repository(&self, path: &Path) -> Option<String> {
        let mut folder = PathBuf::new();
        for part in path {
            let name = plain(&part.to_string_lossy());
            // In the letters that git looks for: whether others are the same, the file system knows.
            let has = |it: &str| {
                let it = if it == "head" { "HEAD" } else { it };
                self.metadata(&folder.join(it)).is_ok()
            };
            match name.as_str() {
                // Other repositories are in these.
                "modules" | "worktrees" => {}
                _ if is_repository(has) => {
                    let why = "is in a git repository, and not part of its work: it decides what git runs";
                    return (!is_gits_work(&name)).then(|| format!("{} {why}", path.display()));
                }
                _ if is_repository(|it| it == name || has(it)) => {
                    let shown = folder.display();
                    return Some(format!("{} makes {shown} a git repository", path.display()));
                }
                _ => {}
            }
            folder.push(part);
        }
        None
    }

    /// What leads other programs to it, though its own name says nothing.
    #[cfg(target_os = "linux")]
    fn led_to(&self, path: &Path) -> Option<String> {
        use crate::survey::{Found, mark};

        let handle = self.folder.handle();
        let mut seen = self.survey.look(&self.path, handle, &self.protected);
        let own = match (mark(handle, path), seen.failed.take()) {
            (Ok(own), None) => own,
            (Err(error), _) | (_, Some(error)) => {
                let shown = path.display();
                return Some(format!(
                    "whether {shown} steers other programs cannot be found out: {error}"
                ));
            }
        };
        let same = |found: &Found| {
            own.is_some_and(|own| {
                (own.device, own.number) == (found.mark.device, found.mark.number)
            })
        };
        let found = seen.found.iter().find(|it| path.starts_with(&it.path) || same(it));
        let found = found.map(|it| it.through.last().unwrap_or(&it.path));
        let absent = || seen.absent.iter().find(|it| path.starts_with(&it.path));
        let from = found.or_else(|| absent().map(|it| &it.through))?;
        Some(format!(
            "{} leads to {}, and is protected or steers other programs",
            from.display(),
            path.display()
        ))
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, reason = "there is no survey")]
    fn led_to(&self, _path: &Path) -> Option<String> {
        None
    }
}
