//! [`assemble`]: an agent from what was configured.

use std::sync::Arc;

use toolwright_core::{
    Guard, Observer, ReviewMode, RunContext, Tool, ToolChoice, ToolSource,
    guard::{self, OneAtATime},
};
use toolwright_dialects::Prompt;
use toolwright_pack::Pack;
use toolwright_project::LOAD_SKILL;
use toolwright_review::AnswerReviewer;
use toolwright_runtime::{Agent, Approver, Toolbox};
use toolwright_store::Store;

use crate::{
    AppError, Config, ModelBackend, OfflineModel, OpenPacks, Session, TaskContext,
    config::{ProviderConfig, SettingSource},
    dapr,
    model_backend::ChosenModels,
    offline,
    policies::with_policies,
    recorded,
    task_setup::{TaskPacks, TaskSetup},
    tool_sources::{command_secrets, mcp_secrets},
};

/// An agent whose conversations are kept, and what it talks to.
pub struct App {
    /// The agent, and where its conversations are kept.
    pub session: Session,
    /// What it talks to.
    pub engine: ModelBackend,
    /// The packs of its task.
    pub packs: TaskPacks,
    /// What its runs are given and no model sees.
    pub context: RunContext,
    /// What its model is told of the project.
    pub project: TaskContext,
}

impl App {
    /// Gets the offline model ready to answer, in the background, where it is what answers. Within a runtime.
    pub fn warm(&self, config: &Config, packs: &OpenPacks) {
        self.engine.warm(self.session.agent(), packs.embedder(config).as_deref());
    }
}

/// The tools of the configured task, each with its policy, and what their calls are given. Waits for
/// sources of tools to be ready.
///
/// # Errors
/// When they do not fit together.
pub async fn toolbox(config: &Config) -> Result<(Arc<Toolbox>, RunContext), AppError> {
    let (toolbox, context) = unready_toolbox(config, None)?;
    toolbox.ready().await;
    Ok((toolbox.current(), context))
}

/// As [`toolbox`], and nobody has waited for the sources yet. Where a tool is named, those are left out that cannot
/// have it: nobody has to wait for them.
///
/// # Errors
/// When the tools do not fit together.
pub fn unready_toolbox(
    config: &Config,
    tool: Option<&str>,
) -> Result<(Arc<Toolbox>, RunContext), AppError> {
    let packs = OpenPacks::default();
    let mut setup = TaskSetup::of(config, &packs)?;
    if let Some(tool) = tool {
        let may_have =
            |source: &str| config.sources().iter().any(|it| it.name == source && it.may_have(tool));
        setup.sources.retain(|it| may_have(it.name()));
    }
    let context = setup.packs.grant(context(config), None);
    let toolbox = toolbox_of(config, &packs, setup.tools, setup.sources)?;
    Ok((toolbox, context))
}

/// These tools, offered as configured: by meaning as well as by words where the model for that is in
/// this process. An endpoint is told nothing of conversations.
pub(crate) fn toolbox_of(
    config: &Config,
    packs: &OpenPacks,
    tools: Vec<Arc<dyn Tool>>,
    sources: Vec<Arc<dyn ToolSource>>,
) -> Result<Arc<Toolbox>, AppError> {
    let builder = Toolbox::builder().selection(config.context.selection.value);
    let builder = match packs.similarity(config) {
        Some(similarity) => builder.similarity(similarity),
        None => builder,
    };
    with_policies(config, tools, sources, builder)
}

/// As many tools as a short prompt has room for, found by what was asked.
fn short(
    config: &Config,
    packs: &OpenPacks,
    tools: Vec<Arc<dyn Tool>>,
    sources: Vec<Arc<dyn ToolSource>>,
) -> Result<Arc<Toolbox>, AppError> {
    let builder = offline::few_tools(Toolbox::builder(), packs.embedder(config));
    with_policies(config, tools, sources, builder)
}

/// What a model that only writes text is told about the tools of the configured task.
///
/// # Errors
/// When the tools do not fit together.
pub async fn prompt(config: &Config) -> Result<String, AppError> {
    let (toolbox, _) = toolbox(config).await?;
    Ok(Prompt::new(config.model.dialect()).section(toolbox.definitions()))
}

/// An agent from what was configured, its conversations kept where that was configured.
///
/// # Errors
/// When something cannot be used as configured.
pub async fn assemble(
    config: &Config,
    approver: impl Approver + 'static,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<App, AppError> {
    let packs = OpenPacks::default();
    let (made, context) = put_together(config, &packs, Vec::new(), approver, observers)?;
    let store = config.open_store().await?;
    Ok(made.keeping(store, context))
}

/// As [`assemble`], with these packs, sources of tools that no config file names, and conversations in a store
/// that is open.
///
/// # Errors
/// When something cannot be used as configured.
pub fn assemble_in(
    config: &Config,
    packs: &OpenPacks,
    sources: Vec<Arc<dyn ToolSource>>,
    store: Store,
    approver: impl Approver + 'static,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<App, AppError> {
    let (made, context) = put_together(config, packs, sources, approver, observers)?;
    Ok(made.keeping(store, context))
}

/// The agent of the configured task, and what its runs are given.
fn put_together(
    config: &Config,
    packs: &OpenPacks,
    sources: Vec<Arc<dyn ToolSource>>,
    approver: impl Approver + 'static,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<(Made, RunContext), AppError> {
    let mut kit = TaskSetup::of(config, packs)?;
    kit.sources.extend(sources);
    let context = kit.packs.grant(context(config), None);
    Ok((make(config, packs, kit, approver, observers)?, context))
}

/// An agent, and what it is made of.
pub(crate) struct Made {
    pub(crate) agent: Agent,
    pub(crate) engine: ModelBackend,
    pub(crate) packs: TaskPacks,
    pub(crate) project: TaskContext,
}

impl Made {
    /// It, with its conversations kept in this store.
    fn keeping(self, store: Store, context: RunContext) -> App {
        let Self { agent, engine, packs, project } = self;
        App { session: Session::new(agent, store), engine, packs, context, project }
    }
}

/// An agent from what was configured, with these tools and instructions.
pub(crate) fn make(
    config: &Config,
    packs: &OpenPacks,
    kit: TaskSetup,
    approver: impl Approver + 'static,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<Made, AppError> {
    let chosen = recorded::engines(config, packs, &kit.packs.grant(context(config), None))?;
    make_with(config, packs, kit, chosen, approver, observers)
}

/// An agent that these answer in.
pub(crate) fn make_with(
    config: &Config,
    packs: &OpenPacks,
    kit: TaskSetup,
    ChosenModels { first: engine, others }: ChosenModels,
    approver: impl Approver + 'static,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<Made, AppError> {
    let TaskSetup { mut tools, sources, system, first_choice, packs: open, mut context, .. } = kit;
    let window = engine.window(config);
    context.for_window(window.tokens);
    if engine.is_small() {
        context.untold();
        tools.retain(|it| it.spec().name != LOAD_SKILL);
    }
    let told = context.text();
    let system = [Some(system), told.user].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let toolbox = match engine.is_small() {
        true => short(config, packs, tools, sources)?,
        false => toolbox_of(config, packs, tools, sources)?,
    };
    let review = match (engine.is_small(), &config.review.place) {
        // A small model does not mend its words.
        (true, SettingSource::Default) => ReviewMode::Replace,
        _ => config.review.value,
    };
    let first_choice = match engine.is_small() {
        // It cannot write a figure that no tool returned, and made to call one it calls any: its thanks
        // would be answered with positions.
        true => ToolChoice::Auto,
        false => first_choice,
    };
    let secret = open.grant(self::context(config), None);
    let taped = |model| recorded::recorded(config, packs, model, &secret);
    let mut agent = Agent::builder(taped(engine.model(config))?)
        .system(system)
        .toolbox(toolbox)
        .approver(approver)
        .limits(config.limits.of_run())
        .agent_limits(config.limits.of_agents())
        .first_choice(first_choice)
        .mode(config.mode.value)
        .tool_timeout(config.limits.tool_timeout.value)
        .source_wait(config.context.source_wait.value)
        .window(window)
        .options(config.model.options.value.clone())
        .review(review)
        .reviewer(Arc::new(reviewer(config)))
        .log(config.telemetry.content.value);
    if let Some(text) = told.project {
        agent = agent.project(text);
    }
    if let Some(appendix) = context.appendix(&open) {
        agent = agent.appendix(appendix);
    }
    if config.one_at_a_time.value {
        // Before the others: what a second call is missing, the first may be about to return.
        let first: Arc<dyn Guard> = Arc::new(OneAtATime);
        agent = agent.without_default_guards().guards([vec![first], guard::defaults()].concat());
    }
    if engine.is_small() {
        agent = agent.guards(OfflineModel::guards());
    }
    if let Some(price) = engine.price() {
        agent = agent.price(price);
    }
    for other in &others {
        agent = agent.fallback_model(other.fallback(config, taped(other.model(config))?));
    }
    if let Some(judge) = engine.judge(config)? {
        agent = agent.judge(taped(judge)?);
    }
    let agent = agent.observers(observers).build()?;
    Ok(Made { agent, engine, packs: open, project: context })
}

/// The reviewer, with the words of every pack: what is asked in one is often about another.
fn reviewer(config: &Config) -> AnswerReviewer {
    let words = config.packs().iter().map(|pack| pack.info().vocabulary);
    words.fold(AnswerReviewer::new(), AnswerReviewer::vocabulary)
}

/// What a run is given and no model sees, whatever its task: what no tool may return to a model, a log or
/// a screen. What the tools themselves need, their packs give.
pub fn context(config: &Config) -> RunContext {
    let secrets =
        [&config.model.api_key.value, &config.database.value, &config.embeddings.key.value];
    let secrets = secrets.into_iter().flatten().map(|it| it.reveal().to_owned());
    let index = config.model.package_index.value.as_ref();
    let login = index.and_then(|it| password(it.reveal())).map(str::to_owned);
    let of_http = config.http.secrets().map(str::to_owned);
    let of_providers = config.providers.values().flat_map(ProviderConfig::secrets);
    let of_http = of_http.chain(of_providers.map(str::to_owned));
    let addresses =
        config.providers.values().map(|it| &it.base_url).chain([&config.model.base_url]);
    let of_addresses = addresses.filter_map(|it| it.value.as_deref()).flat_map(in_query);
    let of_http = of_http.chain(of_addresses.map(str::to_owned));
    let of_options = config.model.options.value.headers.values().cloned();
    let of_packs = config.packs().iter().map(Pack::info).flat_map(|info| {
        let keys = info.settings.iter().filter(|key| key.secret);
        keys.filter_map(|key| config.section(info.name)?.get::<String>(key.name).ok()?)
    });
    let secrets = secrets.chain(login).chain(of_http).chain(of_options).chain(of_packs);
    let of_apis = config.openapi.values().filter_map(|it| it.auth.as_ref()?.secret());
    let secrets = secrets.chain(of_apis.map(|it| it.reveal().to_owned()));
    let secrets = secrets.chain(dapr::secret()).chain(mcp_secrets(config));
    let secrets = secrets.chain(command_secrets(config));
    secrets.fold(RunContext::new(), |context, it| secret(context, &it))
}

/// The password in an address, as it stands there.
fn password(address: &str) -> Option<&str> {
    let (login, _) = address.split_once("://")?.1.rsplit_once('@')?;
    login.split_once(':').map(|(_, password)| password)
}

/// What the query of an address says: some take a key there.
fn in_query(address: &str) -> impl Iterator<Item = &str> {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value)
}

/// Shorter ones are words (`expired`), or letters: taking them out of every text would hide what
/// happened.
const SECRET: usize = 8;

fn secret(context: RunContext, text: &str) -> RunContext {
    if text.len() < SECRET { context } else { context.secret(text) }
}
