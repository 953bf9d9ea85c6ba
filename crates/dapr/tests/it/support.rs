//! [`Running`]: a sidecar in this process, and whoever asks it.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use ::http::request::Parts;
use futures_util::StreamExt;
use tokio::{net::TcpStream, task::JoinHandle};
use toolwright_core::{
    Conversation, Model, ModelDelta, ModelError, ModelOptions, ModelRequest, ModelResponse,
    ModelStream, OutputSchema, OutputStrategy, RequestCache, ToolChoice, ToolDefinitions, ToolSpec,
};
use toolwright_dapr::{DaprConfig, DaprModel, Door, Refused, Sidecar, SidecarConfig, TOKEN_HEADER};
use toolwright_models::Scripted;

pub(crate) const TOKEN: &str = "token-canary-0123456789";

/// Lets in who has the token, where there is one.
pub(crate) struct TokenDoor(pub(crate) Option<&'static str>, pub(crate) Option<Refused>);

impl Door for TokenDoor {
    type Peer = ();
    type Room = ();

    fn peer(&self, _: &TcpStream) -> io::Result<()> {
        Ok(())
    }

    async fn admit(&self, _: Arc<()>, head: &Parts) -> Result<(), Refused> {
        let shown = head.headers.get(TOKEN_HEADER).and_then(|it| it.to_str().ok());
        if self.0.is_none() || shown == self.0 { Ok(()) } else { Err(Refused::Stranger) }
    }

    fn room(&self) -> Result<(), Refused> {
        self.1.map_or(Ok(()), Err)
    }
}

/// What a model was asked, all of it.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) conversation: Conversation,
    pub(crate) tools: Vec<Arc<ToolSpec>>,
    pub(crate) choice: ToolChoice,
    pub(crate) options: ModelOptions,
    pub(crate) output: Option<OutputSchema>,
}

/// A scripted model that notes what it is asked.
#[derive(Clone)]
pub(crate) struct Noting {
    script: Scripted,
    strategy: OutputStrategy,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Model for Noting {
    fn name(&self) -> &str {
        "test:noting"
    }

    fn output_strategy(&self) -> OutputStrategy {
        self.strategy
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        self.seen.lock().unwrap().push(Seen {
            conversation: request.conversation.clone(),
            tools: request.tools.specs().to_vec(),
            choice: request.choice.clone(),
            options: ModelOptions::clone(request.options),
            output: request.output.cloned(),
        });
        self.script.call(request)
    }
}

/// A sidecar in this process.
pub(crate) struct Running {
    pub(crate) grpc: SocketAddr,
    pub(crate) http: SocketAddr,
    pub(crate) seen: Arc<Mutex<Vec<Seen>>>,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Running {
    pub(crate) async fn saying(replies: impl IntoIterator<Item = ModelResponse>) -> Self {
        Self::with(Scripted::new(replies), OutputStrategy::Native, TokenDoor(None, None)).await
    }

    pub(crate) async fn with(script: Scripted, strategy: OutputStrategy, door: TokenDoor) -> Self {
        let seen = Arc::default();
        let model = Noting { script, strategy, seen: Arc::clone(&seen) };
        let mut config = SidecarConfig::new(Arc::new(model));
        let any = Some(([127, 0, 0, 1], 0).into());
        (config.grpc, config.http) = (any, any);
        config.component = "llm".to_owned();
        let sidecar = Sidecar::bind(config, door).await.unwrap();
        let (grpc, http) = (sidecar.grpc_address().unwrap(), sidecar.http_address().unwrap());
        let task = tokio::spawn(sidecar.serve(std::future::pending()));
        Self { grpc, http, seen, task }
    }

    /// The component as a model.
    pub(crate) fn model(&self) -> DaprModel {
        DaprModel::new(self.config()).unwrap()
    }

    pub(crate) fn config(&self) -> DaprConfig {
        let mut config = DaprConfig::new("llm");
        config.endpoint = format!("http://{}", self.grpc);
        config
    }

    /// What the model was asked last.
    pub(crate) fn asked(&self) -> Seen {
        self.seen.lock().unwrap().last().unwrap().clone()
    }
}

/// What a request says besides.
#[derive(Default)]
pub(crate) struct More {
    pub(crate) choice: ToolChoice,
    pub(crate) options: Arc<ModelOptions>,
    pub(crate) output: Option<OutputSchema>,
}

/// The reply to a conversation.
pub(crate) async fn ask(
    model: &impl Model,
    conversation: &Conversation,
    tools: &[ToolSpec],
    more: More,
) -> Result<ModelResponse, ModelError> {
    let tools = ToolDefinitions::new(tools.iter().cloned().map(Arc::new));
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(conversation, &tools, &mut memo)
        .choice(more.choice)
        .options(&more.options)
        .output(more.output.as_ref());
    let mut parts = model.call(request);
    while let Some(part) = parts.next().await {
        if let ModelDelta::Response(response) = part? {
            return Ok(response);
        }
    }
    panic!("a stream ends with a response or an error");
}

/// A conversation of one question.
pub(crate) fn question(text: &str) -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push(toolwright_core::Message::user(text));
    conversation
}
