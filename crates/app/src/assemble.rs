//! [`assemble`]: an agent from what was configured.

use std::sync::Arc;

use toolwright_core::{
    AttachmentKind, Guard, Model, ModelError, ModelErrorKind, Observer, ReviewMode, RunContext,
    Tool, ToolChoice,
    guard::{self, OneAtATime},
};
use toolwright_dialects::Prompt;
use toolwright_models::{OpenAi, TextToolModel, ToolMode, openai};
use toolwright_pack::{Pack, PackModel};
use toolwright_review::AnswerReviewer;
use toolwright_runtime::{Agent, Approver, Toolbox};

use crate::{
    AppError, Config, DaprModel, OfflineModel, OpenPacks, Session,
    config::SettingSource,
    dapr, offline,
    policies::with_policies,
    task_setup::{TaskPacks, TaskSetup},
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
}

/// What answers.
#[derive(Clone)]
pub enum ModelBackend {
    /// A model behind an endpoint.
    Endpoint(OpenAi),
    /// A model behind a Dapr sidecar.
    Dapr(Arc<DaprModel>),
    /// A small model in this process: nothing else is configured.
    Offline(Arc<OfflineModel>),
    /// A model that comes with a pack.
    Pack(PackModel, Arc<dyn Model>),
}

impl ModelBackend {
    /// What was configured to answer.
    ///
    /// # Errors
    /// When it cannot be used as configured.
    pub fn from_config(config: &Config, packs: &OpenPacks) -> Result<Self, AppError> {
        if let Some(weights) = config.offline() {
            return Ok(Self::Offline(packs.offline(weights)?));
        }
        let name = config.model.name.value.as_deref();
        let base = config.model.base_url.value.as_deref();
        let key = config.model.api_key.value.as_ref();
        if let Some((about, model)) = name.and_then(|name| of_pack(config, name)) {
            return Ok(Self::Pack(about, model));
        }
        let Some(name) = name else {
            let error = ModelError::new(
                ModelErrorKind::NotConfigured,
                "an endpoint is configured but no model on it is named",
            );
            return Err(error.with_advice("name one with --model or TOOLWRIGHT_MODEL").into());
        };
        if let Some(component) = dapr::component(name) {
            return Ok(Self::Dapr(dapr::model(config, component)?));
        }
        let (provider, name) = name.split_once(':').unwrap_or(("openai", name));
        // `llama3.2:3b` is a name and not a provider.
        let name =
            if provider == "openai" { name.to_owned() } else { format!("{provider}:{name}") };
        if base.is_none() && key.is_none() {
            let error = ModelError::new(
                ModelErrorKind::NotConfigured,
                format!("the model `{name}` is named but no endpoint is configured"),
            );
            return Err(error
                .with_advice(
                    "set OPENAI_API_BASE to a server's address, or OPENAI_API_KEY for OpenAI's own",
                )
                .into());
        }
        let mut settings = openai::OpenAiConfig::new(base.unwrap_or(openai::OPENAI), name);
        settings.api_key = key.map(|key| key.reveal().to_owned());
        settings.idle = config.model.idle_timeout.value;
        settings.http = config.model_http();
        if let Some(kinds) = &config.model.accepts.value {
            let takes = |kind| kinds.contains(&kind);
            settings.quirks.images = takes(AttachmentKind::Image);
            settings.quirks.pdf = takes(AttachmentKind::Pdf);
            settings.quirks.audio = takes(AttachmentKind::Audio);
        }
        if let Some(strategy) = config.model.output_strategy.value {
            settings.quirks.output = strategy;
        }
        Ok(Self::Endpoint(OpenAi::new(settings)?))
    }

    fn model(&self, config: &Config) -> Arc<dyn Model> {
        match self {
            Self::Endpoint(model) => {
                let mode = match config.model.tool_mode.value {
                    // OpenAI itself never leaves a call in the text: what looks like one is quoted.
                    ToolMode::Auto if config.model.base_url.value.is_none() => ToolMode::Native,
                    mode => mode,
                };
                Arc::new(TextToolModel::new(model.clone(), mode, config.model.dialect.value))
            }
            Self::Dapr(model) => model.clone(),
            Self::Offline(model) => model.clone(),
            Self::Pack(_, model) => model.clone(),
        }
    }

    /// The model that looks at answers, at the same endpoint.
    fn judge(&self, config: &Config) -> Result<Option<OpenAi>, AppError> {
        match (self, &config.model.judge.value) {
            (Self::Endpoint(_), Some(name)) => {
                let mut config = config.clone();
                config.model.name.value = Some(name.clone());
                match Self::from_config(&config, &OpenPacks::default())? {
                    Self::Endpoint(judge) => Ok(Some(judge)),
                    Self::Dapr(_) | Self::Offline(_) | Self::Pack(..) => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::Endpoint(model) => model.name().to_owned(),
            Self::Dapr(model) => model.name().to_owned(),
            Self::Offline(model) => model.name().to_owned(),
            Self::Pack(about, _) => about.name.to_owned(),
        }
    }

    /// One honest line about what answers.
    pub fn describe(&self) -> String {
        match self {
            Self::Endpoint(model) => model.name().to_owned(),
            Self::Dapr(model) => model.name().to_owned(),
            Self::Offline(_) => "the offline model answers, a small one in this process: it calls the tools here \
                 and tells what they return, and knows little else; `toolwright doctor` tells how to \
                 connect another"
                .to_owned(),
            Self::Pack(about, _) => {
                format!("{}; `toolwright doctor` tells how to connect a model", about.about)
            }
        }
    }
}

/// The model of this name that comes with a pack.
fn of_pack(config: &Config, name: &str) -> Option<(PackModel, Arc<dyn Model>)> {
    config.packs().iter().find_map(|pack| {
        let about = pack.info().models.iter().find(|it| it.name == name)?;
        Some((*about, pack.model(name)?))
    })
}

/// The tools of the configured task, each with its policy, and what their calls are given.
///
/// # Errors
/// When they do not fit together.
pub fn toolbox(config: &Config) -> Result<(Arc<Toolbox>, RunContext), AppError> {
    let packs = OpenPacks::default();
    let setup = TaskSetup::of(config, &packs)?;
    let context = setup.packs.grant(context(config), None);
    Ok((toolbox_of(config, &packs, setup.tools)?, context))
}

/// These tools, offered as configured: by meaning as well as by words where the model for that is in
/// this process. An endpoint is told nothing of conversations.
pub(crate) fn toolbox_of(
    config: &Config,
    packs: &OpenPacks,
    tools: Vec<Arc<dyn Tool>>,
) -> Result<Arc<Toolbox>, AppError> {
    let builder = Toolbox::builder().selection(config.context.selection.value);
    let builder = match packs.similarity(config) {
        Some(similarity) => builder.similarity(similarity),
        None => builder,
    };
    with_policies(config, tools, builder)
}

/// As many tools as a short prompt has room for, found by what was asked.
fn short(
    config: &Config,
    packs: &OpenPacks,
    tools: Vec<Arc<dyn Tool>>,
) -> Result<Arc<Toolbox>, AppError> {
    with_policies(config, tools, offline::few_tools(Toolbox::builder(), packs.embedder(config)))
}

/// What a model that only writes text is told about the tools of the configured task.
///
/// # Errors
/// When the tools do not fit together.
pub fn prompt(config: &Config) -> Result<String, AppError> {
    Ok(Prompt::new(config.model.dialect()).section(toolbox(config)?.0.definitions()))
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
    let kit = TaskSetup::of(config, &packs)?;
    let context = kit.packs.grant(context(config), None);
    let Made { agent, engine, packs } = make(config, &packs, kit, approver, observers)?;
    let store = config.open_store().await?;
    Ok(App { session: Session::new(agent, store), engine, packs, context })
}

/// An agent, and what it is made of.
pub(crate) struct Made {
    pub(crate) agent: Agent,
    pub(crate) engine: ModelBackend,
    pub(crate) packs: TaskPacks,
}

/// An agent from what was configured, with these tools and instructions.
pub(crate) fn make(
    config: &Config,
    packs: &OpenPacks,
    kit: TaskSetup,
    approver: impl Approver + 'static,
    observers: Vec<Arc<dyn Observer>>,
) -> Result<Made, AppError> {
    let engine = ModelBackend::from_config(config, packs)?;
    let TaskSetup { tools, system, first_choice, packs: open, .. } = kit;
    let toolbox = match engine {
        ModelBackend::Offline(_) => short(config, packs, tools)?,
        _ => toolbox_of(config, packs, tools)?,
    };
    let review = match (&engine, &config.review.place) {
        // A small model does not mend its words.
        (ModelBackend::Offline(_), SettingSource::Default) => ReviewMode::Replace,
        _ => config.review.value,
    };
    let first_choice = match engine {
        // It cannot write a figure that no tool returned, and made to call one it calls any: its thanks
        // would be answered with positions.
        ModelBackend::Offline(_) => ToolChoice::Auto,
        _ => first_choice,
    };
    let mut agent = Agent::builder(engine.model(config))
        .system(system)
        .toolbox(toolbox)
        .approver(approver)
        .limits(config.limits.of_run())
        .first_choice(first_choice)
        .mode(config.mode.value)
        .tool_timeout(config.limits.tool_timeout.value)
        .window(config.context.window.value)
        .options(config.model.options.value.clone())
        .review(review)
        .reviewer(Arc::new(reviewer(config)))
        .log(config.telemetry.content.value);
    if config.one_at_a_time.value {
        // Before the others: what a second call is missing, the first may be about to return.
        let first: Arc<dyn Guard> = Arc::new(OneAtATime);
        agent = agent.without_default_guards().guards([vec![first], guard::defaults()].concat());
    }
    if let Some(price) = config.model.price.value {
        agent = agent.price(price);
    }
    if let Some(judge) = engine.judge(config)? {
        agent = agent.judge(judge);
    }
    let agent = agent.observers(observers).build()?;
    Ok(Made { agent, engine, packs: open })
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
    let of_options = config.model.options.value.headers.values().cloned();
    let of_packs = config.packs().iter().map(Pack::info).flat_map(|info| {
        let keys = info.settings.iter().filter(|key| key.secret);
        keys.filter_map(|key| config.section(info.name)?.get::<String>(key.name).ok()?)
    });
    let secrets = secrets.chain(login).chain(of_http).chain(of_options).chain(of_packs);
    let secrets = secrets.chain(dapr::secret());
    secrets.fold(RunContext::new(), |context, it| secret(context, &it))
}

/// The password in an address, as it stands there.
fn password(address: &str) -> Option<&str> {
    let (login, _) = address.split_once("://")?.1.rsplit_once('@')?;
    login.split_once(':').map(|(_, password)| password)
}

/// Shorter ones are words (`expired`), or letters: taking them out of every text would hide what
/// happened.
const SECRET: usize = 8;

fn secret(context: RunContext, text: &str) -> RunContext {
    if text.len() < SECRET { context } else { context.secret(text) }
}
