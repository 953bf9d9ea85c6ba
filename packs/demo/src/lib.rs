//! [`DemoPack`]: the weather, tips and notes, to try things out with, and a script that plays the model.

mod market;
mod model;
mod notes;
mod tools;
mod vocabulary;

use std::{path::PathBuf, sync::Arc};

use toolwright_core::{Model, Tool, Toolset};
use toolwright_pack::{OpenPack, Pack, PackError, PackInfo, PackModel, PackSetup, TaskFile};

use self::{notes::Notes, vocabulary::VOCABULARY};

/// The weather, tips and notes, to try things out with.
#[derive(Clone, Copy, Debug, Default)]
pub struct DemoPack;

const INFO: PackInfo = PackInfo::new("demo", "the weather, tips and notes, to try things out with")
    .tasks(&[TaskFile::new("demo", include_str!("../tasks/demo.md"))])
    .vocabulary(VOCABULARY)
    .tools(&["get_weather", "calculate_tip", "take_note", "list_notes", "delete_notes"])
    .models(&[PackModel::new(
        "demo",
        "a small script answers (weather, tips, notes and prices only)",
    )]);

impl Pack for DemoPack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        Ok(Some(Arc::new(Demo { data: setup.data.to_owned() })))
    }

    fn model(&self, name: &str) -> Option<Arc<dyn Model>> {
        (name == INFO.name).then(|| Arc::new(model::model()) as Arc<dyn Model>)
    }
}

/// The demo's tools; notes are kept in this folder.
struct Demo {
    data: PathBuf,
}

impl OpenPack for Demo {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let mut tools = tools::tools();
        tools.extend(Arc::new(Notes::in_folder(&self.data)).tools());
        tools
    }
}
