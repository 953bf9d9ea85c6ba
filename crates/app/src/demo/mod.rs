//! The demo: small tools, and a model that is a script.

mod market;
mod model;
mod notes;
mod tools;
mod vocabulary;

use std::{path::Path, sync::Arc};

use toolwright_core::{Tool, Toolset};

pub(crate) use self::model::model;
use self::notes::Notes;
pub(crate) use self::vocabulary::VOCABULARY;

/// The demo's tools; notes are kept in this folder.
pub(crate) fn tools(data: &Path) -> Vec<Arc<dyn Tool>> {
    let mut tools = tools::tools();
    tools.extend(Arc::new(Notes::in_folder(data)).tools());
    tools
}
