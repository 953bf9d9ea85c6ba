//! [`FolderProject`]: what the project of a folder says to a model, and what counts of it.

use std::path::Path;

use toolwright_project::{NestedInstructions, ProjectContext};

use super::{Config, FolderContents, FolderTrust, TrustVerdict, layers::Origin};
use crate::AppError;

/// What the project of a folder says to a model, and what the user always says.
#[derive(Clone, Debug, Default)]
pub(crate) struct FolderProject {
    pub(crate) context: ProjectContext,
    /// What lies below the folder.
    pub(crate) nested: Option<NestedInstructions>,
    /// Why the project's is not used, where it is another folder than the one that one stands in.
    pub(crate) notice: Option<String>,
}

impl Config {
    /// What the project says in the folder that is worked in; in the one that one stands in where none is.
    /// It counts where the user trusts that folder as it is now.
    pub(crate) fn project(&self, worked_in: Option<&Path>) -> Result<FolderProject, AppError> {
        let own = &self.layers.own;
        // Beside a file that was named nothing of a folder counts.
        if self.layers.origin == Origin::Named {
            let context = ProjectContext::new(own, None);
            return Ok(FolderProject { context, ..FolderProject::default() });
        }
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_here = worked_in.is_none_or(|it| real(it) == real(&self.layers.here));
        match (is_here, worked_in) {
            (false, Some(folder)) => self.project_elsewhere(folder),
            _ => {
                let (contents, is_trusted) = match self.standing() {
                    FolderTrust::Silent | FolderTrust::Refused(_) => (None, false),
                    FolderTrust::Trusted(it, _) => (Some(it), true),
                    FolderTrust::Unknown(it)
                    | FolderTrust::Changed(it)
                    | FolderTrust::Declined(it) => (Some(it), false),
                };
                self.project_of(contents, is_trusted)
            }
        }
    }

    fn project_elsewhere(&self, folder: &Path) -> Result<FolderProject, AppError> {
        // What cannot be trusted is not used, and says why where one stands in it.
        let contents = FolderContents::read(folder).ok().flatten();
        let verdict = contents.as_ref().map(|it| self.trust().verdict(it)).transpose()?.flatten();
        let is_trusted = verdict == Some(TrustVerdict::Trusted);
        let mut project = self.project_of(contents.as_ref(), is_trusted)?;
        project.notice = contents.filter(|it| !is_trusted && !it.project().is_empty()).map(|it| {
            let (told, folder) = (it.project().told(), folder.display());
            let (is, was, it) = match told.len() {
                1 => ("is", "was", "it"),
                _ => ("are", "were", "them"),
            };
            let told = told.join(" and ");
            format!(
                "{told} {is} not trusted and {was} ignored: `toolwright trust {folder}` shows {it}"
            )
        });
        Ok(project)
    }

    fn project_of(
        &self,
        contents: Option<&FolderContents>,
        is_trusted: bool,
    ) -> Result<FolderProject, AppError> {
        let files = contents.map(|it| (it.project(), is_trusted));
        let context = ProjectContext::new(&self.layers.own, files);
        let trusted = contents.filter(|_| is_trusted);
        let nested = match trusted {
            Some(it) => Some(NestedInstructions::new(it.folder(), self.trust().nested(it)?)),
            None => None,
        };
        Ok(FolderProject { context, nested, notice: None })
    }
}
