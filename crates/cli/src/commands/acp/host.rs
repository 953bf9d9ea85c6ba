//! [`EditorHost`]: what sessions of editors are made of: settings and tools of the folder that is open there.

use std::sync::Arc;

use futures_core::future::BoxFuture;
use toolwright_acp::{
    Choice, Host, HostError, KnownSession, OpenedSession, RuleGrants, SessionSetup,
};
use toolwright_app::{
    App, ApprovalRules, Config, Flags, ModelBackend, OpenPacks, PackRegistry, TaskPacks,
    assemble_in,
};
use toolwright_core::{Attachment, ConversationId, Observer, RunContext};
use toolwright_pack::{Check, CheckState, OpenPack, Pack, SettingKey, SettingKind};
use toolwright_runtime::{Approver, Rule, RuleApprover};
use toolwright_store::Store;

use super::{commands::ProjectCommands, known::KnownSessions, servers::EditorServers};
use crate::{
    commands::models,
    error::{Error, Result},
    watch::Watch,
};

/// How often the user is asked in one run.
const QUESTIONS: u32 = 30;
/// How the first bytes of a picture say that it is one.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What sessions of editors are made of.
pub(super) struct EditorHost {
    flags: Flags,
    registry: PackRegistry,
    store: Store,
    packs: OpenPacks,
    observers: Vec<Arc<dyn Observer>>,
    known: KnownSessions,
    servers: EditorServers,
    takes_pictures: bool,
    /// The task and the model that were configured when the process began.
    usual_task: String,
    usual_model: Option<String>,
}

impl EditorHost {
    pub(super) async fn open(flags: Flags, config: &Config, watch: &Watch) -> Result<Self> {
        let packs = OpenPacks::default();
        let picture = Attachment::new(PICTURE, None, None);
        let takes_pictures = ModelBackend::from_config(config, &packs)
            .is_ok_and(|model| picture.is_ok_and(|it| model.accepts(config, &it)));
        Ok(Self {
            flags,
            registry: config.packs().clone(),
            store: config.open_store().await?,
            packs,
            observers: watch.observers(),
            known: KnownSessions::of(config),
            servers: EditorServers::default(),
            takes_pictures,
            usual_task: config.task.value.name.clone(),
            usual_model: config.model.name.value.clone(),
        })
    }

    /// What was typed, and what the editor says: its folder is the one that is worked in, unless another was typed.
    fn flags(&self, setup: &SessionSetup) -> Flags {
        let mut flags = self.flags.clone();
        for at in self.folders() {
            flags.packs.entry(at).or_insert_with(|| setup.cwd.display().to_string());
        }
        // The one that was typed may be a file: its name alone says too little.
        let is_typed = |name: &String| flags.task.is_some() && *name == self.usual_task;
        flags.task = setup.task.clone().filter(|it| !is_typed(it)).or(flags.task);
        flags.model = setup.model.clone().or(flags.model);
        flags
    }

    /// The settings of packs that are the folder to work in, each by its pack and its name.
    fn folders(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.registry.iter().map(Pack::info).flat_map(|info| {
            let is_folder =
                |key: &&SettingKey| key.selects.is_some() && key.kind == SettingKind::Path;
            info.settings.iter().filter(is_folder).map(move |key| (info.name, key.name))
        })
    }

    async fn opened(&self, setup: SessionSetup, asked: Arc<dyn Approver>) -> Result<OpenedSession> {
        let config = Config::load_at(&self.registry, &setup.cwd, &self.flags(&setup))?;
        models::ready(&config).await?;
        let approvals = Arc::new(ApprovalRules::open(&config, &self.store).await?);
        let approver = RuleApprover::new(approvals.rules(), asked).at_most(QUESTIONS);
        let packs = self.packs.for_folder();
        let store = self.store.clone();
        let servers = self.servers.open(&config, &setup.cwd, &setup.mcp_servers);
        let (sources, observers) = (servers.sources, self.observers.clone());
        let app = assemble_in(&config, &packs, sources, store, approver, observers)?;
        let App { session, engine, packs, context, project } = app;
        let context = servers.secrets.into_iter().fold(context, RunContext::secret);
        let rules = Arc::new(SessionRules(approvals));
        let mut opened = OpenedSession::new(session, context, rules);
        opened.notices = notices(&config, &packs);
        opened.notices.extend(servers.notices);
        opened.foreign = servers.foreign;
        opened.commands = Some(Arc::new(ProjectCommands(project)));
        let typed = self.folders().find_map(|at| self.flags.packs.get(&at));
        opened.folder = typed.and_then(|it| std::path::absolute(it).ok());
        opened.tasks = tasks(&config);
        opened.task = config.task.value.name.clone();
        opened.model = config.model.name.value.clone().unwrap_or_else(|| engine.name());
        opened.models = self.models(&opened.model);
        Ok(opened)
    }

    /// The models that can be chosen: what was configured, and each of a chain alone.
    fn models(&self, current: &str) -> Vec<Choice> {
        let choice = |name: &str| Choice {
            id: name.to_owned(),
            name: name.to_owned(),
            description: name
                .contains(',')
                .then(|| "each stands in for those before it".to_owned()),
        };
        let usual = self.usual_model.as_deref().unwrap_or(current);
        let mut names = vec![usual];
        names.extend(usual.split(',').map(str::trim).filter(|it| !it.is_empty()));
        names.push(current);
        let mut models: Vec<Choice> = Vec::new();
        for name in names {
            if !models.iter().any(|it| it.id == name) {
                models.push(choice(name));
            }
        }
        models
    }
}

/// The tasks that can be chosen: those that are set up here, and the one that is chosen.
fn tasks(config: &Config) -> Vec<Choice> {
    let entries = config.tasks.entries().iter();
    let tasks = entries.filter_map(|entry| config.tasks.get(&entry.name).ok());
    let is_ready = |pack: &dyn Pack| {
        let section = config.section(pack.info().name);
        section.is_some_and(|it| pack.missing(it).is_none())
    };
    let mut tasks: Vec<_> = tasks
        .filter(|task| {
            let mut named = config.packs().iter().filter(|it| task.packs.names(it.info().name));
            named.all(is_ready)
        })
        .collect();
    let chosen = &config.task.value;
    if !tasks.iter().any(|task| task.name == chosen.name) {
        // It may be a file that no list has.
        tasks.push(chosen.clone());
    }
    let choices = tasks.into_iter().map(|task| Choice {
        id: task.name,
        name: task.title,
        description: Some(task.description).filter(|it| !it.is_empty()),
    });
    choices.collect()
}

/// What the user should know of a session.
fn notices(config: &Config, packs: &TaskPacks) -> Vec<String> {
    let of_packs = packs.iter().flat_map(OpenPack::notices);
    let of_packs = of_packs.filter(|it| !matches!(it.state, CheckState::Good)).map(
        |Check { name, says, advice, .. }| {
            format!("{name}: {says}. {}", advice.unwrap_or_default()).trim_end().to_owned()
        },
    );
    config.notices().into_iter().chain(of_packs).collect()
}

impl Host for EditorHost {
    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn takes_pictures(&self) -> bool {
        self.takes_pictures
    }

    fn connects_servers(&self) -> bool {
        EditorServers::CONNECTED
    }

    fn store(&self) -> &Store {
        &self.store
    }

    fn open(
        &self,
        setup: SessionSetup,
        asked: Arc<dyn Approver>,
    ) -> BoxFuture<'_, Result<OpenedSession, HostError>> {
        Box::pin(async move { self.opened(setup, asked).await.map_err(told) })
    }

    fn known(&self) -> Result<Vec<KnownSession>, HostError> {
        self.known.list().map_err(told)
    }

    fn remember(&self, session: &KnownSession) -> Result<(), HostError> {
        self.known.remember(session).map_err(told)
    }

    fn forget(&self, id: &ConversationId) -> Result<(), HostError> {
        self.known.forget(id).map_err(told)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn told(error: Error) -> HostError {
    HostError { message: error.to_string(), advice: error.advice().map(Into::into) }
}

/// The rules of a session. What is always allowed in one is in all: those rules lie in the store.
struct SessionRules(Arc<ApprovalRules>);

impl RuleGrants for SessionRules {
    fn allow_always<'a>(&'a self, rules: &'a [Rule]) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(
            async move { self.0.grant(rules).await.map(drop).map_err(|error| told(error.into())) },
        )
    }

    fn deny_in_session(&self, rule: Rule) {
        self.0.rules().add(rule);
    }
}
