//! [`assemble`]: an agent from what was configured.

use std::sync::Arc;

use toolwright_core::{Model, ModelError, ModelErrorKind};
use toolwright_models::{OpenAi, openai};
use toolwright_runtime::{Agent, Approver, Toolbox, ToolboxError};

use crate::{AppError, Config, Task, demo};

/// An agent, and what it talks to.
pub struct App {
    /// The agent.
    pub agent: Agent,
    /// What it talks to.
    pub engine: Engine,
}

/// What answers.
#[derive(Clone)]
pub enum Engine {
    /// A model behind an endpoint.
    Endpoint(OpenAi),
    /// The scripted demo model: nothing is configured.
    Demo,
}

impl Engine {
    /// What was configured to answer.
    ///
    /// # Errors
    /// When it cannot be used as configured.
    pub fn from_config(config: &Config) -> Result<Self, AppError> {
        let name = config.model.value.as_deref();
        let base = config.base_url.value.as_deref();
        let key = config.api_key.value.as_ref();
        if name == Some("demo") || (name.is_none() && base.is_none() && key.is_none()) {
            return Ok(Self::Demo);
        }
        let Some(name) = name else {
            let error = ModelError::new(
                ModelErrorKind::NotConfigured,
                "an endpoint is configured but no model on it is named",
            );
            return Err(error.with_advice("name one with --model or TOOLWRIGHT_MODEL").into());
        };
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
        let mut settings = openai::Config::new(base.unwrap_or(openai::OPENAI), name);
        settings.api_key = key.map(|key| key.reveal().to_owned());
        Ok(Self::Endpoint(OpenAi::new(settings)?))
    }

    fn model(&self) -> Arc<dyn Model> {
        match self {
            Self::Endpoint(model) => Arc::new(model.clone()),
            Self::Demo => Arc::new(demo::model()),
        }
    }

    /// One honest line about what answers.
    pub fn describe(&self) -> String {
        match self {
            Self::Endpoint(model) => model.name().to_owned(),
            Self::Demo => {
                "no model is configured, so a small script answers (weather and tips only); \
                 `toolwright doctor` tells how to connect a model"
                    .to_owned()
            }
        }
    }
}

/// The tools of a task.
///
/// # Errors
/// When they do not fit together.
pub fn toolbox(task: Task) -> Result<Arc<Toolbox>, ToolboxError> {
    Toolbox::builder().tools(task.tools()).build().map(Arc::new)
}

/// An agent from what was configured.
///
/// # Errors
/// When something cannot be used as configured.
pub fn assemble(config: &Config, approver: impl Approver + 'static) -> Result<App, AppError> {
    let engine = Engine::from_config(config)?;
    let task = config.task.value;
    let agent = Agent::builder(engine.model())
        .system(task.system())
        .toolbox(toolbox(task)?)
        .approver(approver)
        .limits(config.limits())
        .first_choice(task.first_choice())
        .tool_timeout(config.tool_timeout.value)
        .build()?;
    Ok(App { agent, engine })
}
