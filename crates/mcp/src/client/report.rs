//! [`ServerReport`]: everything there is to see about a server, for people.

use serde::Serialize;
use toolwright_core::{ToolEffect, ToolSource, qualified_names};

use super::{
    Approval, McpError, McpServer, PromptDefinition, ResourceDefinition, ServerContent,
    ServerState, TemplateDefinition, ToolDefinition,
    definition::shortened,
    error::words,
    pins::{approval_of, prompt_approval},
};

/// How much of a server's instructions is shown, in characters. No model reads them.
const INSTRUCTIONS: usize = 2_000;

/// Everything there is to see about a server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ServerReport {
    /// What it is called here.
    pub name: String,
    /// Why it does not answer, where it does not.
    pub problem: Option<String>,
    /// Whether it does not answer because the user has to log in.
    pub wants_login: bool,
    /// What it calls itself, and in which version.
    pub software: Option<String>,
    /// The version of the protocol that is spoken with it.
    pub protocol: Option<String>,
    /// What it wants a model to be told. None is.
    pub instructions: Option<String>,
    /// Its tools.
    pub tools: Vec<ToolReport>,
    /// Its resources.
    pub resources: Vec<ResourceDefinition>,
    /// Its templates of resources.
    pub templates: Vec<TemplateDefinition>,
    /// Its prompts.
    pub prompts: Vec<PromptReport>,
    /// Why its resources and prompts are not all there are, a line each.
    pub left_out: Vec<String>,
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

/// A prompt of a server.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PromptReport {
    /// What the user calls, behind a `/`.
    pub name: String,
    /// `approved`, `new` or `changed`.
    pub state: &'static str,
    /// The prompt as its server describes it.
    pub definition: PromptDefinition,
    /// What was approved, where that is another.
    pub approved: Option<PromptDefinition>,
    /// Why it cannot be called, approved or not.
    pub problem: Option<String>,
}

impl ServerReport {
    /// Where it stands, in a word: `ready`, `login` or `failed`.
    pub fn state(&self) -> &'static str {
        match (&self.problem, self.wants_login) {
            (None, _) => "ready",
            (Some(_), true) => "login",
            (Some(_), false) => "failed",
        }
    }

    /// How many of its tools and prompts are not approved as they are.
    pub fn unapproved(&self) -> (usize, usize) {
        let tools = self.tools.iter().filter(|it| it.state != "approved").count();
        let prompts = self.prompts.iter().filter(|it| it.state != "approved").count();
        (tools, prompts)
    }
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
        let wants_login = matches!(self.state(), ServerState::Off(McpError::Unauthorized(_)));
        let connection = self.shared().link.get();
        let info = connection.as_ref().and_then(|it| it.info());
        let content = self.server_content().await.unwrap_or_default();
        let software = info.as_ref().and_then(|it| it.server_info.as_ref());
        Ok(ServerReport {
            name: self.name().to_owned(),
            problem,
            wants_login,
            software: software.map(|it| words(&format!("{} {}", it.name, it.version))),
            protocol: info.as_ref().map(|it| words(it.protocol_version.as_str())),
            instructions: info
                .as_ref()
                .and_then(|it| it.instructions.as_deref())
                .map(|it| shortened(it, INSTRUCTIONS)),
            tools: self.tool_reports()?,
            resources: content.resources.clone(),
            templates: content.templates.clone(),
            prompts: self.prompt_reports(&content)?,
            left_out: content.problems.clone(),
            stderr: self.stderr(),
        })
    }

    /// The tools that it lists now, each with whether it is approved.
    ///
    /// # Errors
    /// When what was approved cannot be read.
    pub fn tool_reports(&self) -> std::io::Result<Vec<ToolReport>> {
        let approved = self.shared().pins.of(self.config().pinned_as())?;
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

    fn prompt_reports(&self, content: &ServerContent) -> std::io::Result<Vec<PromptReport>> {
        let approved = self.shared().pins.prompts_of(self.shared().config.pinned_as())?;
        let named = content.prompts.iter().zip(content.prompt_names(self.name()));
        let reports = named.map(|(definition, name)| {
            let (state, approved) = match prompt_approval(definition, &approved) {
                Approval::Approved => ("approved", None),
                Approval::New => ("new", None),
                Approval::Changed { approved } => ("changed", Some(*approved)),
            };
            PromptReport {
                name: format!("{}:{name}", self.name()),
                state,
                definition: definition.clone(),
                approved,
                problem: definition.problem(),
            }
        });
        Ok(reports.collect())
    }
}
