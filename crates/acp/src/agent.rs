//! [`Agent`]: what each method does.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use toolwright_core::ConversationId;
use toolwright_runtime::new_conversation_id;
use toolwright_store::{ConversationStatus, StoreError};

use crate::{
    Host, KnownSession, McpServer,
    client::Client,
    commands::{RESUME, announce},
    listing,
    params::{
        CancelRequest, ClientCapabilities, Initialize, List, NewSession, OfSession, OldSession,
        Prompt, SetConfigOption, SetMode,
    },
    prompt,
    replay::replay,
    rpc::{RpcError, params, with},
    session::{EditorSession, MODE, MODEL, TurnPrompt, config_options},
};

/// The version of the protocol that is spoken.
const VERSION: u16 = 1;
/// How many sessions may be open, and how many requests may be worked on at once.
const SESSIONS: usize = 64;
const AT_ONCE: usize = 32;

/// The agent's side of the protocol. Clones are the same.
#[derive(Clone)]
pub(crate) struct Agent {
    host: Arc<dyn Host>,
    client: Client,
    sessions: Arc<Mutex<HashMap<ConversationId, Arc<EditorSession>>>>,
    at_once: Arc<Semaphore>,
}

type Answer = Result<Value, RpcError>;

impl Agent {
    pub(crate) fn new(host: Arc<dyn Host>, client: Client) -> Self {
        Self { host, client, sessions: Arc::default(), at_once: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Answers a request. What is in order is done in order: a prompt waits in its session when this ends, and a
    /// `session/cancel` in the next line finds it there.
    pub(crate) async fn request(&self, id: Value, method: &str, given: Value) {
        if method == "session/prompt" {
            if let Err(error) = self.prompt(&id, given) {
                self.respond(id, Err(error)).await;
            }
            return;
        }
        let (agent, method) = (self.clone(), method.to_owned());
        self.aside(async move {
            let answer = agent.answer(&id, &method, given).await;
            if let Some(answer) = answer {
                agent.client.respond(id, answer).await;
            }
        })
        .await;
    }

    /// Does something without keeping the next line waiting, unless very much is done already.
    async fn aside(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(permit) = self.at_once.clone().acquire_owned().await else { return };
        tokio::spawn(async move {
            work.await;
            drop(permit);
        });
    }

    /// Answers without keeping the next line waiting.
    pub(crate) async fn respond(&self, id: Value, answer: Answer) {
        let client = self.client.clone();
        self.aside(async move { client.respond(id, answer).await }).await;
    }

    /// The answer to a request; none where it was given already.
    async fn answer(&self, id: &Value, method: &str, given: Value) -> Option<Answer> {
        if method != "initialize" && !self.client.is_known() {
            let error = RpcError::invalid_request("`initialize` comes first");
            return Some(Err(error));
        }
        match method {
            "session/new" => return self.told_first(id, self.new_session(given).await).await,
            "session/load" => return self.told_first(id, self.load(given).await).await,
            "session/resume" => return self.told_first(id, self.resume(given).await).await,
            _ => {}
        }
        Some(match method {
            "initialize" => self.initialize(given),
            // There is nothing to sign in to: keys are the configuration's business.
            "authenticate" | "logout" => Ok(json!({})),
            "session/list" => match params::<List>(given) {
                Ok(list) => listing::page(&self.host, list).await,
                Err(error) => Err(error),
            },
            "session/close" => self.close_session(given).await,
            "session/delete" => self.delete(given).await,
            "session/set_mode" => self.set_mode(given).await,
            "session/set_config_option" => self.set_config_option(given).await,
            method => Err(RpcError::no_method(method)),
        })
    }

    /// Answers with a session, and then tells what can be done in it: before, nobody knows its id.
    async fn told_first(
        &self,
        id: &Value,
        opened: Result<(Value, Arc<EditorSession>), RpcError>,
    ) -> Option<Answer> {
        let (answer, session) = match opened {
            Ok(opened) => opened,
            Err(error) => return Some(Err(error)),
        };
        self.client.respond(id.clone(), Ok(answer)).await;
        let state = self.state(&session).await;
        let is_open = state == ConversationStatus::Unfinished;
        session.offers_resume.store(is_open, Ordering::Relaxed);
        announce(&session, &self.client, state).await;
        None
    }

    async fn state(&self, session: &EditorSession) -> ConversationStatus {
        let summary = self.host.store().find(session.id.as_str()).await;
        summary.map_or(ConversationStatus::Idle, |it| it.state)
    }

    fn initialize(&self, given: Value) -> Answer {
        let said: Initialize = params(given)?;
        self.client.introduce(ClientCapabilities::of(&said.client_capabilities));
        Ok(json!({
            "protocolVersion": VERSION,
            "agentCapabilities": {
                "loadSession": true,
                "promptCapabilities": {
                    "image": self.host.takes_pictures(), "audio": false, "embeddedContext": true,
                },
                "mcpCapabilities": {"http": self.host.connects_servers(), "sse": false},
                "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "delete": {}},
            },
            "agentInfo": {
                "name": "toolwright", "title": "Toolwright", "version": self.host.version(),
            },
            "authMethods": [],
        }))
    }

    async fn new_session(&self, given: Value) -> Result<(Value, Arc<EditorSession>), RpcError> {
        let NewSession { cwd, mcp_servers } = params(given)?;
        let known =
            KnownSession { id: new_conversation_id(), cwd: folder(cwd)?, task: None, model: None };
        let session = self.open(known, mcp_servers).await?;
        let told = with(session.choices(), "sessionId", session.id.as_str());
        Ok((told, session))
    }

    async fn load(&self, given: Value) -> Result<(Value, Arc<EditorSession>), RpcError> {
        let session = self.open_again(given).await?;
        replay(&session, &self.client).await?;
        Ok((session.choices(), session))
    }

    async fn resume(&self, given: Value) -> Result<(Value, Arc<EditorSession>), RpcError> {
        let session = self.open_again(given).await?;
        Ok((session.choices(), session))
    }

    /// Opens a session that there was before: one that an editor began, or any conversation there is.
    async fn open_again(&self, given: Value) -> Result<Arc<EditorSession>, RpcError> {
        let OldSession { session_id: id, cwd, mcp_servers } = params(given)?;
        let cwd = folder(cwd)?;
        let known = self.host.known().map_err(|error| RpcError::of(&error))?;
        let known = known.into_iter().find(|it| it.id == id);
        if known.is_none() && !self.is_kept(&id).await? {
            return Err(no_session(&id));
        }
        let before = self.lock().get(&id).cloned();
        if let Some(before) = before {
            if before.is_busy() {
                let message = "a prompt runs in this session";
                let advice = Some("wait for its answer, or cancel it (session/cancel)");
                return Err(RpcError::invalid_request(message).advice(advice));
            }
            before.close().await;
        }
        let (task, model) = known.map(|it| (it.task, it.model)).unwrap_or_default();
        self.open(KnownSession { id, cwd, task, model }, mcp_servers).await
    }

    /// Whether there is a conversation of exactly this id.
    async fn is_kept(&self, id: &ConversationId) -> Result<bool, RpcError> {
        match self.host.store().find(id.as_str()).await {
            Ok(summary) => Ok(summary.id == *id),
            Err(StoreError::NotFound(_) | StoreError::Ambiguous { .. }) => Ok(false),
            Err(error) => Err(RpcError::of(&error)),
        }
    }

    async fn open(
        &self,
        known: KnownSession,
        mcp_servers: Vec<McpServer>,
    ) -> Result<Arc<EditorSession>, RpcError> {
        let is_full = {
            let sessions = self.lock();
            sessions.len() >= SESSIONS && !sessions.contains_key(&known.id)
        };
        if is_full {
            let message = format!("{SESSIONS} sessions are open, and no more may be");
            return Err(
                RpcError::invalid_request(&message).advice(Some("close one (session/close)"))
            );
        }
        let session = EditorSession::open(&self.host, &self.client, known, mcp_servers).await?;
        session.remember(&self.host);
        let before = self.lock().insert(session.id.clone(), session.clone());
        if let Some(before) = before {
            // It was opened twice at once.
            before.close().await;
        }
        Ok(session)
    }

    fn prompt(&self, id: &Value, given: Value) -> Result<(), RpcError> {
        let Prompt { session_id, prompt } = params(given)?;
        let session = self.session(&session_id)?;
        let said = prompt::message(prompt)?;
        let is_resume = said.attachments.is_empty()
            && said.content.trim().strip_prefix('/').is_some_and(|it| it == RESUME);
        let prompt = if is_resume { TurnPrompt::Resume } else { TurnPrompt::Ask(said) };
        session.enqueue(id.clone(), prompt)
    }

    /// Something happened, or is to happen, about which nobody wants an answer. What is not known is nothing.
    pub(crate) fn notified(&self, method: &str, given: Value) {
        match method {
            "session/cancel" => {
                let session =
                    params::<OfSession>(given).and_then(|it| self.session(&it.session_id));
                match session {
                    Ok(session) => session.cancel(),
                    Err(error) => tracing::debug!(?error, "session/cancel stops nothing"),
                }
            }
            "$/cancel_request" => {
                let Ok(CancelRequest { request_id }) = params(given) else { return };
                let sessions: Vec<_> = self.lock().values().cloned().collect();
                sessions.iter().for_each(|it| it.cancel_request(&request_id));
            }
            other => tracing::debug!(method = other, "a notification that is not known"),
        }
    }

    async fn close_session(&self, given: Value) -> Answer {
        let OfSession { session_id } = params(given)?;
        let session = self.session(&session_id)?;
        session.close().await;
        self.lock().remove(&session_id);
        Ok(json!({}))
    }

    /// Deletes a session for good. What is not there is deleted already.
    async fn delete(&self, given: Value) -> Answer {
        let OfSession { session_id } = params(given)?;
        let open = self.lock().remove(&session_id);
        if let Some(session) = open {
            session.close().await;
        }
        if self.is_kept(&session_id).await? {
            self.host.store().delete(&session_id).await.map_err(|error| RpcError::of(&error))?;
        }
        self.host.forget(&session_id).map_err(|error| RpcError::of(&error))?;
        Ok(json!({}))
    }

    async fn set_mode(&self, given: Value) -> Answer {
        let SetMode { session_id, mode_id } = params(given)?;
        let session = self.session(&session_id)?;
        self.set(&session, MODE, &mode_id).await?;
        Ok(json!({}))
    }

    async fn set_config_option(&self, given: Value) -> Answer {
        let SetConfigOption { session_id, config_id, value } = params(given)?;
        let session = self.session(&session_id)?;
        self.set(&session, &config_id, &value).await?;
        Ok(json!({"configOptions": config_options(&session.opened())}))
    }

    /// Chooses one of those there are, and tells whoever shows the other form of the same.
    async fn set(
        &self,
        session: &Arc<EditorSession>,
        what: &str,
        value: &str,
    ) -> Result<(), RpcError> {
        let opened = session.opened();
        let choices = match what {
            MODE => &opened.tasks,
            MODEL => &opened.models,
            _ => return Err(RpcError::invalid_params("there is no such option")),
        };
        if !choices.iter().any(|it| it.id == value) {
            let ids: Vec<_> = choices.iter().map(|it| it.id.as_str()).collect();
            let message = format!("there is no such {what}; there are: {}", ids.join(", "));
            return Err(RpcError::invalid_params(&message));
        }
        let value = Some(value.to_owned());
        session
            .choose(&self.host, |chosen| match what {
                MODE => chosen.task = value,
                _ => chosen.model = value,
            })
            .await?;
        let opened = session.opened();
        let mode = json!({"sessionUpdate": "current_mode_update", "currentModeId": opened.task});
        let options = config_options(&opened);
        let options = json!({"sessionUpdate": "config_option_update", "configOptions": options});
        for update in [mode, options] {
            let _ = self.client.update(&session.id, update).await;
        }
        // Another task has other servers, and may be about no folder.
        announce(session, &self.client, self.state(session).await).await;
        Ok(())
    }

    fn session(&self, id: &ConversationId) -> Result<Arc<EditorSession>, RpcError> {
        self.lock().get(id).cloned().ok_or_else(|| no_session(id))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, Arc<EditorSession>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops everything that runs, and ends when all of it has been settled.
    pub(crate) async fn close(&self) {
        let sessions: Vec<_> = self.lock().drain().map(|(_, session)| session).collect();
        sessions.iter().for_each(|session| session.cancel());
        for session in sessions {
            session.close().await;
        }
    }
}

fn no_session(id: &ConversationId) -> RpcError {
    let id = toolwright_core::truncate_line(id.as_str(), 100);
    RpcError::not_found(&format!("there is no session `{id}`"))
        .advice(Some("open it (session/load, session/resume), or begin one (session/new)"))
}

/// The editor's folder, if it is one.
fn folder(cwd: PathBuf) -> Result<PathBuf, RpcError> {
    let wrong = |what: &str| {
        let shown = toolwright_core::truncate_line(&cwd.display().to_string(), 300);
        RpcError::invalid_params(&format!("`cwd` {what}: {shown}"))
    };
    if !cwd.is_absolute() {
        return Err(wrong("must be an absolute path"));
    }
    if !Path::is_dir(&cwd) {
        return Err(wrong("must be a folder that is there"));
    }
    Ok(cwd)
}
