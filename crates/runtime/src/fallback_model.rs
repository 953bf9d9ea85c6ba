//! [`FallbackModel`]: a model that is asked where those before it give no reply.

use std::sync::Arc;

use toolwright_core::{Model, ModelOptions, Price};

use crate::{AgentConfig, ContextWindow, model_health::ModelHealth};

/// A model that is asked where those before it give no reply, and what is known of it.
///
/// ```
/// use toolwright_core::{ModelResponse, Price};
/// use toolwright_models::Scripted;
/// use toolwright_runtime::{Agent, FallbackModel};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let second = Scripted::new([ModelResponse::text("Here I am.")]);
/// let agent = Agent::builder(Scripted::default())
///     .fallback_model(FallbackModel::new(second).price(Price::new(1.0, 4.0)))
///     .build()?;
/// let answer = agent.run("Is anybody there?").finish().await?;
/// assert_eq!(answer.response, "Here I am.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FallbackModel {
    model: Arc<dyn Model>,
    price: Option<Price>,
    window: Option<ContextWindow>,
    pub(crate) options: ModelOptions,
    health: Arc<ModelHealth>,
}

impl FallbackModel {
    /// This model, of which nothing else is known.
    pub fn new(model: impl Model + 'static) -> Self {
        Self {
            model: Arc::new(model),
            price: None,
            window: None,
            options: ModelOptions::default(),
            health: Arc::default(),
        }
    }

    /// Says what its tokens cost. Without it they cost nothing.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    /// Says how much of a conversation it is sent. Without it that is as much as the first is.
    #[must_use]
    pub fn window(mut self, window: ContextWindow) -> Self {
        self.window = Some(window);
        self
    }

    /// Says how it is to write, where that is not as the first. Headers and fields of a provider's own
    /// ([`ModelOptions::headers`], [`ModelOptions::extra`]) are never taken over from the first: they may be
    /// a key, and are meant for its provider.
    #[must_use]
    pub fn options(mut self, options: ModelOptions) -> Self {
        self.options = options;
        self
    }

    /// `provider:name`, as shown to people.
    pub fn name(&self) -> &str {
        self.model.name()
    }
}

/// One of an agent's models, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) model: &'a dyn Model,
    pub(crate) price: Option<Price>,
    pub(crate) window: &'a ContextWindow,
    pub(crate) health: &'a ModelHealth,
}

impl AgentConfig {
    /// How many models there are.
    pub(crate) fn models(&self) -> usize {
        1 + self.fallback_models.len()
    }

    /// The model at this place: first the agent's own, behind it the others in order.
    pub(crate) fn candidate(&self, at: usize) -> Candidate<'_> {
        match at.checked_sub(1).and_then(|at| self.fallback_models.get(at)) {
            Some(it) => Candidate {
                model: &*it.model,
                price: it.price,
                window: it.window.as_ref().unwrap_or(&self.window),
                health: &it.health,
            },
            None => Candidate {
                model: &*self.model,
                price: self.price,
                window: &self.window,
                health: &self.health,
            },
        }
    }

    /// How the model at this place is to write.
    pub(crate) fn options_of(&self, at: usize) -> Arc<ModelOptions> {
        let Some(it) = at.checked_sub(1).and_then(|at| self.fallback_models.get(at)) else {
            return self.options.clone();
        };
        let mut options = ModelOptions::clone(&self.options);
        options.headers.clear();
        options.extra.clear();
        Arc::new(options.with(&it.options))
    }
}
