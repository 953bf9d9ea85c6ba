//! The tools of a task: what each is, where it comes from, how its calls are treated; and calling one by hand.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolwright_app::{AgentPool, Config, RunOverrides, SourceKind};
use toolwright_core::{
    ConversationId, RunContext, RunId, Tool, ToolEffect, ToolSpec, UserMessage, truncate_line,
};
use toolwright_pack::Pack;
use toolwright_runtime::{FIND_TOOLS, Rule, Toolbox, new_conversation_id};
use utoipa::ToSchema;

use super::{
    chat::{Again, Rest},
    info::OfTask,
    once::Once,
};
use crate::{
    ApiError,
    address::{Name, Query},
    auth::Asker,
    error::Failed,
    json::{IdempotencyKey, Json, KeyedJson},
    server::Service,
    sse,
};

/// How long is waited for sources that have no tools yet.
const PATIENCE: Duration = Duration::from_secs(2);

/// The tools there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tools {
    tools: Vec<ToolLine>,
    /// Tools that are not offered, or a whole source (`NAME__*`), and why.
    withheld: Vec<WithheldTool>,
    /// Where tools come from that are not the program's own.
    sources: Vec<ToolSourceLine>,
}

/// A tool.
#[derive(Serialize, ToSchema)]
pub(crate) struct ToolLine {
    name: String,
    description: String,
    /// The JSON Schema of its arguments.
    #[schema(value_type = Object)]
    parameters: Value,
    /// What running it does to the world.
    #[schema(value_type = String)]
    effect: ToolEffect,
    /// The source it comes from, where it is not one of the program's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// What it comes from: `pack`, `mcp`, `openapi`, `commands`, `agents`, `skills`.
    origin: &'static str,
    /// The pack it is one of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pack: Option<&'static str>,
    /// How its calls are treated: `timeout`, `idle_timeout`, `retry`, `breaker`, `cache`, `rate`, `redact`.
    #[schema(value_type = Object)]
    policy: Value,
    /// The rules about it, those of the config file first.
    rules: Vec<String>,
    /// Why it is out of order for now, where it is: it failed again and again.
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<String>,
}

/// A tool that is not offered.
#[derive(Serialize, ToSchema)]
pub(crate) struct WithheldTool {
    tool: String,
    reason: String,
}

/// Where tools come from.
#[derive(Serialize, ToSchema)]
pub(crate) struct ToolSourceLine {
    name: String,
    /// `mcp`, `openapi`, `commands` or `agents`.
    kind: &'static str,
    /// How many tools of it there are.
    tools: usize,
    /// Why it has none, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The tools of a task
#[utoipa::path(
    get, path = "/api/tools", tag = "about", params(OfTask),
    responses(
        (status = 200, body = Tools),
        (status = 400, description = "A parameter that cannot be read", body = Failed),
        (status = 422, description = "No such task", body = Failed),
    )
)]
pub(crate) async fn tools(
    State(service): State<Service>,
    Query(of): Query<OfTask>,
) -> Result<Json<Tools>, ApiError> {
    let host = service.host();
    let wish = RunOverrides { task: of.task, ..RunOverrides::default() };
    let toolbox = toolbox(host, &wish).await?;
    let about = About::of(host, &toolbox, &host.context(&wish, None)?).await?;
    // By which a model finds others is none of them.
    let names = toolbox.names().filter(|name| *name != FIND_TOOLS);
    let specs = names.filter_map(|name| toolbox.get(name)).map(Tool::spec);
    let withheld = toolbox.withheld().iter();
    Ok(Json(Tools {
        tools: specs.map(|spec| about.line(spec)).collect(),
        withheld: withheld
            .map(|it| WithheldTool { tool: it.tool.clone(), reason: it.reason.clone() })
            .collect(),
        sources: about.sources(),
    }))
}

/// The tools that a run would have now.
async fn toolbox(host: &AgentPool, wish: &RunOverrides) -> Result<Arc<Toolbox>, ApiError> {
    let session = host.session(wish)?;
    let toolbox = &session.agent().settings().toolbox;
    toolbox.ready_within(PATIENCE).await;
    Ok(toolbox.current())
}

/// What is known about tools besides what they say of themselves.
struct About<'a> {
    config: Arc<Config>,
    toolbox: &'a Toolbox,
    rules: Vec<Rule>,
    /// Why a tool is out of order, by its name.
    unavailable: BTreeMap<String, String>,
}

impl<'a> About<'a> {
    async fn of(
        host: &AgentPool,
        toolbox: &'a Toolbox,
        context: &RunContext,
    ) -> Result<Self, ApiError> {
        let config = host.config();
        let given = host.approvals().given().await?.into_iter().filter_map(|it| it.rule);
        let rules = config.rules.iter().cloned().chain(given).collect();
        let unavailable = toolbox.unavailable_tools(context).into_iter();
        let unavailable = unavailable.map(|it| (it.tool, it.reason)).collect();
        Ok(Self { config, toolbox, rules, unavailable })
    }

    fn line(&self, spec: &ToolSpec) -> ToolLine {
        let source = self.toolbox.source_of(&spec.name).map(str::to_owned);
        let pack = self.pack(&spec.name).filter(|_| source.is_none());
        ToolLine {
            name: spec.name.clone(),
            description: spec.description.clone(),
            parameters: spec.parameters.clone(),
            effect: spec.effect,
            origin: match (&source, pack) {
                (Some(source), _) => self.kind(source).map_or("sources", SourceKind::name),
                (None, Some(_)) => "pack",
                // What is neither is how a model reads what a project says.
                (None, None) => "skills",
            },
            source,
            pack,
            policy: self.policy(spec),
            rules: self.rules_of(&spec.name),
            unavailable: self.unavailable.get(&spec.name).cloned(),
        }
    }

    fn kind(&self, source: &str) -> Option<SourceKind> {
        let mut sources = self.config.sources().iter();
        sources.find(|it| it.name == source).map(|it| it.kind)
    }

    fn pack(&self, tool: &str) -> Option<&'static str> {
        let mut packs = self.config.packs().iter().map(Pack::info);
        packs.find(|it| it.tools.contains(&tool)).map(|it| it.name)
    }

    /// What is in effect, with the time that every call has.
    fn policy(&self, spec: &ToolSpec) -> Value {
        let mut policy = spec.policy.clone();
        if policy.timeout.is_none() && !spec.agent {
            policy.timeout = Some(self.config.limits.tool_timeout.value);
        }
        serde_json::to_value(policy).unwrap_or_default()
    }

    fn rules_of(&self, tool: &str) -> Vec<String> {
        let about = self.rules.iter().filter(|it| it.tool == tool);
        about.map(ToString::to_string).collect()
    }

    fn sources(&self) -> Vec<ToolSourceLine> {
        let configured = self.config.sources().iter();
        let open = self.toolbox.sources().iter().map(|it| it.name()).collect::<Vec<_>>();
        let sources = configured.filter(|it| open.contains(&it.name.as_str())).map(|it| {
            let is_its = |name: &&str| self.toolbox.source_of(name) == Some(it.name.as_str());
            let tools = self.toolbox.names().filter(is_its).count();
            let problem = self.toolbox.withheld_reason(&format!("{}__*", it.name));
            let problem = problem.filter(|_| tools == 0).map(str::to_owned);
            ToolSourceLine { name: it.name.clone(), kind: it.kind.name(), tools, problem }
        });
        sources.collect()
    }
}

/// A call that a person makes.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ToolCall {
    /// The arguments.
    #[serde(default)]
    #[schema(value_type = Object)]
    arguments: Map<String, Value>,
    /// The job whose tool it is.
    task: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    rest: Rest,
}

/// Call a tool by hand
///
/// It is a run like any other, in a conversation of its own, with the caller in the place of a model: the call passes the
/// same checks, guards and policies, and what may not be taken back waits for the same decision. What comes back
/// are the events of that run.
#[utoipa::path(
    post, path = "/api/tools/{name}/call", operation_id = "call_tool", tag = "chat",
    request_body = ToolCall, params(IdempotencyKey, ("name" = String, Path)),
    responses(
        (status = 200, description = "The run's events", content_type = "text/event-stream"),
        (status = 400, description = "No JSON, or arguments that are no object", body = Failed),
        (status = 404, description = "No such tool", body = Failed),
    )
)]
pub(crate) async fn call(
    service: Asker,
    Name(name): Name,
    KeyedJson { value: asked, key }: KeyedJson<ToolCall>,
) -> Result<Response, ApiError> {
    let ToolCall { arguments, task, rest } = asked;
    let host = service.host();
    let spec = Again::of_task(task, rest).spec(host)?;
    let (wish, context) = (spec.wish(host)?, spec.context(host)?);
    let toolbox = toolbox(host, &wish).await?;
    // What somebody may have meant by another name is no question here.
    if toolbox.get(&name).is_none_or(|tool| tool.spec().name != name) {
        let shown = truncate_line(&name, 100);
        return Err(ApiError::not_found(match toolbox.withheld_reason(&name) {
            Some(reason) => format!("`{shown}` is withheld: {}", truncate_line(reason, 1_000)),
            None => format!("there is no tool `{shown}` in this task"),
        }));
    }
    let arguments = Value::Object(arguments).to_string();
    // Said by the user, so that what stands in it is the user's word.
    let said = UserMessage::new(format!("Call {name} with {arguments}"));
    let session = service.own(&host.calling(&wish, &name, arguments)?);
    let begin = |id: ConversationId, run: RunId| {
        let (session, said, context) = (&session, said.clone(), context.clone());
        async move { Ok(session.as_run(run).ask(Some(&id), said, context).await?) }
    };
    let once = Once::new(&service, new_conversation_id(), key).await?;
    once.start(&service, begin).await.map(sse::begun)
}
