//! [`Pack`], and [`OpenPack`]: what becomes of it once it is opened.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use jiff::tz::TimeZone;
use serde_json::Value;
use toolwright_core::{Model, RunContext, Tool};

use crate::{Check, PackError, PackInfo, Section, Services};

/// Tools for one domain, with everything that belongs to them.
pub trait Pack: Send + Sync {
    /// What it is.
    fn info(&self) -> &PackInfo;

    /// Opens it; none where it was not set up and no task names it. Cheap: what takes time or a network
    /// waits for the first call.
    ///
    /// # Errors
    /// When it cannot be used as it was set up.
    fn open(&self, setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError>;

    /// What must be set before others may use its tools over a network, in a sentence; nothing where
    /// nothing must be. A task that names the pack is not offered to them before.
    fn missing(&self, _section: &Section) -> Option<&'static str> {
        None
    }

    /// A model that comes with it, by the name `--model` is given.
    fn model(&self, _name: &str) -> Option<Arc<dyn Model>> {
        None
    }
}

/// What a pack is opened with.
#[non_exhaustive]
pub struct PackSetup<'a> {
    /// What was set about it.
    pub section: &'a Section,
    /// The folder in which it may keep things: a folder of its own below it.
    pub data: &'a Path,
    /// Where the user is; where the machine is, if nobody says.
    pub time_zone: Option<&'a TimeZone>,
    /// Whether the task names it, and does not just take all there are.
    pub is_named: bool,
    /// Files and folders with settings and keys of the user's, which no tool shows.
    pub private: &'a [PathBuf],
    /// Files that steer the program itself, which no tool changes.
    pub protected: &'a [PathBuf],
    /// What packs share.
    pub services: &'a Services,
}

impl<'a> PackSetup<'a> {
    /// What was set, and where things are kept; nothing else.
    pub fn new(section: &'a Section, data: &'a Path, services: &'a Services) -> Self {
        Self {
            section,
            data,
            time_zone: None,
            is_named: false,
            private: &[],
            protected: &[],
            services,
        }
    }
}

/// A pack that was opened.
#[async_trait]
pub trait OpenPack: Send + Sync {
    /// Its tools.
    fn tools(&self) -> Vec<Arc<dyn Tool>>;

    /// What a model is told about them, where the task is not about them alone.
    fn instructions(&self) -> String {
        String::new()
    }

    /// Gives a run what its tools need and no model sees: the credential that came with the question,
    /// or else the one that was set.
    fn grant(&self, context: RunContext, _credential: Option<&str>) -> RunContext {
        context
    }

    /// What whoever sits down to talk should see about it, in a line each.
    fn notices(&self) -> Vec<Check> {
        Vec::new()
    }

    /// The folder that its tools work in, where they work in one: what the project there says is told.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// The file or folder that a call of one of its tools is about, from [`OpenPack::folder`] on.
    fn touched(&self, _tool: &str, _arguments: &Value) -> Option<PathBuf> {
        None
    }

    /// What `doctor` looks at.
    async fn checks(&self) -> Vec<Check> {
        Vec::new()
    }
}
