//! [`ServerReport`]: everything there is to see about a server, for people.

use std::time::Duration;

use serde::Serialize;
use toolwright_core::{ToolEffect, ToolSource, qualified_names};

use super::{
    Approval, McpServer, ServerState, ToolDefinition, definition::shortened, error::words,
    pins::approval_of,
};

/// How much of a server's instructions is shown, in characters. No model reads them.
const INSTRUCTIONS: usize = 2_000;
/// How long is waited for what is shown besides tools.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most of each that is shown.
const MOST: usize = 200;

/// Everything there is to see about a server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ServerReport {
    /// What it is called here.
    pub name: String,
    /// Why it does not answer, where it does not.
    pub problem: Option<String>,
    /// What it calls itself, and in which version.
    pub software: Option<String>,
    /// The version of the protocol that is spoken with it.
    pub protocol: Option<String>,
    /// What it wants a model to be told. None is.
    pub instructions: Option<String>,
    /// Its tools.
    pub tools: Vec<ToolReport>,
    /// Its resources.
    pub resources: Vec<ResourceReport>,
    /// Its prompts.
    pub prompts: Vec<PromptReport>,
    /// The last lines that it wrote to standard error.
    pub stderr: Vec<String>,
}

/// A tool of a server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ToolReport {
    /// What it is called here.
    pub name: String,
    /// What running it does to the world, as its server says.
    pub effect: ToolEffect,
    /// `approved`, `new` or `changed`.
    pub state: &'static str,
    /// The tool as its server describes it.
    pub definition: ToolDefinition,
    /// What was approved, where that is another.
    pub approved: Option<ToolDefinition>,
    /// Why it cannot be offered, approved or not.
    pub problem: Option<String>,
}

/// A resource of a server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ResourceReport {
    /// Its address.
    pub uri: String,
    /// What it is called.
    pub name: String,
}

/// A prompt of a server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PromptReport {
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// What it is to be given.
    pub arguments: Vec<String>,
}

impl McpServer {
    /// Everything there is to see about it, once it is ready or knows why not.
    ///
    /// # Errors
    /// When what was approved cannot be read.
    pub async fn report(&self) -> std::io::Result<ServerReport> {
        self.ready().await;
        let problem = match self.state() {
            ServerState::Ready => None,
            ServerState::Starting => Some("it is not ready yet".to_owned()),
            ServerState::Restarting(error) | ServerState::Off(error) => Some(error.to_string()),
        };
        let connection = self.shared().link.get();
        let info = connection.as_ref().and_then(|it| it.info());
        let (resources, prompts) = self.others().await;
        let software = info.as_ref().and_then(|it| it.server_info.as_ref());
        Ok(ServerReport {
            name: self.name().to_owned(),
            problem,
            software: software.map(|it| words(&format!("{} {}", it.name, it.version))),
            protocol: info.as_ref().map(|it| words(it.protocol_version.as_str())),
            instructions: info
                .as_ref()
                .and_then(|it| it.instructions.as_deref())
                .map(|it| shortened(it, INSTRUCTIONS)),
            tools: self.tool_reports()?,
            resources,
            prompts,
            stderr: self.stderr(),
        })
    }

    fn tool_reports(&self) -> std::io::Result<Vec<ToolReport>> {
        let approved = self.shared().pins.of(self.name())?;
        let listed = self.definitions();
        let names = qualified_names(self.name(), listed.iter().map(|it| it.name.as_str()));
        let reports = listed.into_iter().zip(names).map(|(definition, name)| {
            let (state, approved) = match approval_of(&definition, &definition.digest(), &approved)
            {
                Approval::Approved => ("approved", None),
                Approval::New => ("new", None),
                Approval::Changed { approved } => ("changed", Some(*approved)),
            };
            let problem = definition.spec(&name).err();
            ToolReport { name, effect: definition.effect(), state, definition, approved, problem }
        });
        Ok(reports.collect())
    }

    /// Its resources and prompts, as far as it lists them on one page and in time.
    async fn others(&self) -> (Vec<ResourceReport>, Vec<PromptReport>) {
        let Some(connection) = self.shared().link.get() else { return Default::default() };
        let info = connection.info();
        let can = info.map(|it| it.capabilities.clone()).unwrap_or_default();
        let peer = &connection.peer;
        let resources = async {
            let listed =
                if can.resources.is_some() { peer.list_resources(None).await.ok() } else { None };
            let all = listed.map(|it| it.resources).unwrap_or_default().into_iter().take(MOST);
            all.map(|it| ResourceReport { uri: words(&it.uri), name: words(&it.name) }).collect()
        };
        let prompts = async {
            let listed =
                if can.prompts.is_some() { peer.list_prompts(None).await.ok() } else { None };
            let all = listed.map(|it| it.prompts).unwrap_or_default().into_iter().take(MOST);
            all.map(|it| PromptReport {
                name: words(&it.name),
                description: it.description.map(|it| words(&it)),
                arguments: it.arguments.into_iter().flatten().map(|it| words(&it.name)).collect(),
            })
            .collect()
        };
        let both = async { tokio::join!(resources, prompts) };
        tokio::time::timeout(PATIENCE, both).await.unwrap_or_default()
    }
}
