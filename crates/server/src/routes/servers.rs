//! MCP servers: where each stands, what of it is approved, and adding and removing one.

use std::collections::BTreeMap;

use axum::extract::State;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwright_app::{
    AgentPool, McpApproval, McpStanding,
    config::{McpEntry, Readers, SettingsFile},
    is_key_variable, mcp_forget,
};
use toolwright_mcp::client::{ServerReport, ToolDefinition, variables};
use utoipa::ToSchema;

use crate::{ApiError, address::Name, error::Failed, json::Json, manage::Manager, server::Service};

/// The MCP servers there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct McpServers {
    servers: Vec<McpServerLine>,
    /// The file that a server is added to.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// An MCP server.
#[derive(Serialize, ToSchema)]
pub(crate) struct McpServerLine {
    name: String,
    /// How it is reached: the words that are started, or the address.
    reached: String,
    /// `off`, `starting`, `ready`, `login` or `failed`.
    state: &'static str,
    /// Why it does not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// How many tools it lists, and how many of them are approved as they are.
    tools: usize,
    approved: usize,
}

/// An MCP server with all there is to see of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct McpServerDetails {
    #[serde(flatten)]
    line: McpServerLine,
    /// What it calls itself, and in which version.
    #[serde(skip_serializing_if = "Option::is_none")]
    software: Option<String>,
    /// The version of the protocol that is spoken with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    /// What it wants a model to be told. None is.
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<String>,
    listed: Vec<McpToolLine>,
    /// The last lines that it wrote to standard error.
    stderr: Vec<String>,
}

/// A tool that an MCP server lists.
#[derive(Serialize, ToSchema)]
pub(crate) struct McpToolLine {
    /// What the server calls it.
    name: String,
    /// `approved`, `new` or `changed`.
    state: &'static str,
    /// The digest of all that the server says of it.
    digest: String,
    /// The tool as the server describes it.
    #[schema(value_type = Object)]
    definition: Value,
    /// What was approved, where that is another.
    #[schema(value_type = Option<Object>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    approved: Option<Value>,
    /// Why it cannot be offered, approved or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// An MCP server to add: a program, or an address.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMcpServer {
    name: String,
    /// The program, which is started in a sandbox.
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    /// Variables that it is given; `${NAME}` in their values stands for those of the server, but for keys to models.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// The address.
    url: Option<String>,
    /// What is sent with every request; `${NAME}` stands for a variable, but for keys to models.
    #[serde(default)]
    headers: BTreeMap<String, String>,
    /// Whether the program may reach the network.
    #[serde(default)]
    network: bool,
    /// Folders that it may read, and write.
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    write: Vec<String>,
}

/// What somebody was shown and approves: tools by the names that the server gives them, each with its digest.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApprovedMcpTools {
    tools: BTreeMap<String, String>,
}

impl From<&McpStanding> for McpServerLine {
    fn from(it: &McpStanding) -> Self {
        let tools = it.report.iter().flat_map(|report| &report.tools);
        Self {
            name: it.name.clone(),
            reached: it.reached.clone(),
            state: it.state,
            problem: it.problem.clone(),
            approved: tools.clone().filter(|tool| tool.state == "approved").count(),
            tools: tools.count(),
        }
    }
}

impl From<McpStanding> for McpServerDetails {
    fn from(it: McpStanding) -> Self {
        let line = McpServerLine::from(&it);
        let Some(report) = it.report else {
            let (software, protocol, instructions) = Default::default();
            let (listed, stderr) = Default::default();
            return Self { line, software, protocol, instructions, listed, stderr };
        };
        let listed = listed(&report);
        let ServerReport { software, protocol, instructions, stderr, .. } = report;
        Self { line, software, protocol, instructions, listed, stderr }
    }
}

fn listed(report: &ServerReport) -> Vec<McpToolLine> {
    let json = |it: &ToolDefinition| serde_json::to_value(it).unwrap_or_default();
    let tools = report.tools.iter().map(|it| McpToolLine {
        name: it.definition.name.clone(),
        state: it.state,
        digest: it.definition.digest(),
        definition: json(&it.definition),
        approved: it.approved.as_ref().map(json),
        problem: it.problem.clone(),
    });
    tools.collect()
}

/// The MCP servers, each asked how it stands
#[utoipa::path(
    get, path = "/api/mcp", operation_id = "mcp_servers", tag = "about",
    responses((status = 200, body = McpServers))
)]
pub(crate) async fn list(State(service): State<Service>) -> Json<McpServers> {
    let host = service.host();
    let servers = host.mcp_servers().await;
    let file = SettingsFile::of(&host.config()).ok();
    Json(McpServers {
        servers: servers.iter().map(McpServerLine::from).collect(),
        file: file.map(|it| it.path().display().to_string()),
    })
}

/// An MCP server: its tools, what of them is approved, and what changed since
#[utoipa::path(
    get, path = "/api/mcp/{name}", operation_id = "mcp_server", tag = "about",
    params(("name" = String, Path)),
    responses(
        (status = 200, body = McpServerDetails),
        (status = 404, description = "No such server", body = Failed),
    )
)]
pub(crate) async fn one(
    State(service): State<Service>,
    Name(name): Name,
) -> Result<Json<McpServerDetails>, ApiError> {
    let standing = service.host().mcp_server(&name).await.ok_or_else(unknown)?;
    Ok(Json(standing.into()))
}

/// Add an MCP server, and start it
///
/// It is written to the user's config file. None of its tools is offered before somebody approved it.
#[utoipa::path(
    post, path = "/api/mcp", operation_id = "add_mcp_server", tag = "managing",
    request_body = NewMcpServer,
    responses(
        (status = 200, body = McpServerDetails),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 409, description = "There is one of that name", body = Failed),
        (status = 422, description = "It cannot be used so", body = Failed),
    )
)]
pub(crate) async fn add(
    _: Manager,
    State(service): State<Service>,
    Json(new): Json<NewMcpServer>,
) -> Result<Json<McpServerDetails>, ApiError> {
    let name = new.name.trim().to_owned();
    let filled = |it: Option<String>| it.filter(|it| !it.trim().is_empty());
    let (command, url) = (filled(new.command), filled(new.url));
    if command.is_some() == url.is_some() {
        return Err(ApiError::invalid("a server is a command or an address: give one of them"));
    }
    let texts = new.args.iter().chain(new.env.values()).chain(new.headers.values());
    check_variables(texts.chain(&command).chain(&url))?;
    // Keys stand in them as often as not.
    let is_secret = !new.env.is_empty() || !new.headers.is_empty();
    let readers = if is_secret { Readers::Owner } else { Readers::AsBefore };
    let entry = McpEntry {
        command,
        args: new.args,
        env: new.env.into_iter().collect(),
        url,
        headers: new.headers.into_iter().collect(),
        network: new.network,
        read: new.read,
        write: new.write,
        ..McpEntry::default()
    };
    let added = name.clone();
    let add = move |host: &AgentPool, document: &mut toml_edit::DocumentMut| {
        let now = host.settings_now()?;
        if McpEntry::is_in(document, &added) || now.mcp.contains_key(&added) {
            return Err(ApiError::conflict("there is an MCP server of that name already").into());
        }
        // What was approved of another that had the name, and that somebody took out of the file by hand.
        mcp_forget(&now, &added).map_err(|error| {
            tracing::error!(%error, "what was approved of an MCP server cannot be taken back");
            ApiError::internal()
        })?;
        entry.add(document, &added);
        Ok(())
    };
    service.change_settings(readers, add).await?;
    one(State(service), Name(name)).await
}

/// A key to models goes to its provider, and to no program and no address that somebody names here.
fn check_variables<'t>(mut texts: impl Iterator<Item = &'t String>) -> Result<(), ApiError> {
    let key = texts.find_map(|it| variables(it).into_iter().find(|it| is_key_variable(it)));
    match key {
        Some(name) => {
            let message = format!(
                "the variable {name} holds a key to models, or is Toolwright's own: it is given to no server of tools \
                 that is added here"
            );
            Err(ApiError::invalid(message).with_advice(
                "set a variable of its own for the server, or write its section into the config file yourself",
            ))
        }
        None => Ok(()),
    }
}

/// Remove an MCP server, with what was approved of it
#[utoipa::path(
    delete, path = "/api/mcp/{name}", operation_id = "remove_mcp_server", tag = "managing",
    params(("name" = String, Path)),
    responses(
        (status = 204, description = "It is gone"),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 404, description = "No such server in the user's file", body = Failed),
    )
)]
pub(crate) async fn remove(
    _: Manager,
    State(service): State<Service>,
    Name(name): Name,
) -> Result<StatusCode, ApiError> {
    let removed = name.clone();
    let remove = move |_: &AgentPool, document: &mut toml_edit::DocumentMut| match McpEntry::remove(
        document, &removed,
    ) {
        true => Ok(()),
        false => Err(unknown().into()),
    };
    service.change_settings(Readers::AsBefore, remove).await?;
    let config = service.host().config();
    let forgotten = tokio::task::spawn_blocking(move || mcp_forget(&config, &name)).await;
    match forgotten {
        Ok(Ok(_)) => Ok(StatusCode::NO_CONTENT),
        Ok(Err(error)) => {
            tracing::error!(%error, "what was approved of an MCP server cannot be taken back");
            Err(ApiError::internal())
        }
        Err(_) => Err(ApiError::internal()),
    }
}

/// Approve tools of an MCP server as they were shown
///
/// All of them, or none: what changed since is shown again.
#[utoipa::path(
    post, path = "/api/mcp/{name}/approve", operation_id = "approve_mcp_tools", tag = "managing",
    params(("name" = String, Path)), request_body = ApprovedMcpTools,
    responses(
        (status = 200, body = McpServerDetails),
        (status = 403, description = "Settings are not changed here", body = Failed),
        (status = 404, description = "No such server", body = Failed),
        (status = 409, description = "They are not what was shown any more", body = Failed),
    )
)]
pub(crate) async fn approve(
    _: Manager,
    State(service): State<Service>,
    Name(name): Name,
    Json(shown): Json<ApprovedMcpTools>,
) -> Result<Json<McpServerDetails>, ApiError> {
    if !service.host().config().mcp.contains_key(&name) {
        return Err(unknown());
    }
    match service.host().mcp_approve(&name, &shown.tools)? {
        McpApproval::Approved => one(State(service), Name(name)).await,
        McpApproval::Changed => {
            Err(ApiError::conflict("the server says something else of its tools by now")
                .with_advice("look at them again"))
        }
    }
}

fn unknown() -> ApiError {
    ApiError::not_found("there is no such MCP server")
}
