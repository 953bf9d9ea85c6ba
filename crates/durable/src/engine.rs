//! [`RestateEngine`]: conversations are woken through Restate.

use std::time::Duration;

use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use toolwright_core::{ActionableError, Fault};
use toolwright_http::HttpSettings;
use toolwright_session::{EngineError, EngineFuture, EnginePlace, RunEngine, Wake};
use toolwright_timeout::timeout;

use crate::{
    Admin,
    api::{Api, Interface},
    message::Drive,
    object::NAME,
    seen::Seen,
};

/// How long it is waited for where Restate is looked after: a port that is closed to this machine may say nothing at all.
const GLANCE: Duration = Duration::from_secs(3);

/// Where Restate is.
#[derive(Clone, Debug)]
pub struct RestateSettings {
    /// Where it takes calls in, such as `http://127.0.0.1:8080`.
    pub ingress: String,
    /// Where it is looked after, such as `http://127.0.0.1:9070`; none where this process is not to know.
    pub admin: Option<String>,
    /// Proxies and certificates.
    pub http: HttpSettings,
}

/// Conversations are woken through Restate, which finds a worker for each. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct RestateEngine {
    ingress: Api,
    admin: Option<Admin>,
    log: Option<String>,
}

impl RestateEngine {
    /// Nothing is asked yet: [`RunEngine::check`] does.
    ///
    /// # Errors
    /// When an address is none.
    pub fn new(settings: &RestateSettings) -> Result<Self, EngineError> {
        let api = |interface, address: &str| Api::new(interface, address, &settings.http);
        let ingress = api(Interface::Ingress, &settings.ingress)?;
        let admin = settings.admin.as_deref().map(|it| api(Interface::Admin, it)).transpose()?;
        let http = &settings.http;
        let admin = admin.map(|api| Admin { api, ingress: ingress.clone(), http: http.clone() });
        Ok(Self { ingress, admin, log: None })
    }

    /// The same for conversations of this log: a worker that has another one leaves them to others.
    #[must_use]
    pub fn of_log(self, log: Option<String>) -> Self {
        Self { log, ..self }
    }

    /// Restate, as whoever looks after it sees it, where this process is to know.
    pub fn admin(&self) -> Option<&Admin> {
        self.admin.as_ref()
    }

    async fn send(&self, wake: Wake) -> Result<(), EngineError> {
        let key = utf8_percent_encode(wake.conversation.as_str(), NON_ALPHANUMERIC);
        let mut url = self.ingress.url(&format!("{NAME}/{key}/drive/send"));
        if let Some(after) = wake.after.filter(|it| !it.is_zero()) {
            url.set_query(Some(&format!("delay={}ms", after.as_millis())));
        }
        // No idempotency key: that somebody is woken twice does no harm, and that they are not woken does. A
        // run that waited for a decision is woken under the same name as before.
        let drive = Drive::new(wake.run, Duration::ZERO).in_log(self.log.clone()).write();
        let answer = self.ingress.insist(&url, &drive).await?;
        match answer.status {
            // Others say yes to anything, and do nothing about it.
            status
                if status.is_success()
                    && answer
                        .body
                        .get("invocationId")
                        .is_some_and(serde_json::Value::is_string) =>
            {
                Ok(())
            }
            StatusCode::NOT_FOUND if answer.said().contains(NAME) => Err(self.no_worker()),
            _ => Err(self.ingress.strange(&answer)),
        }
    }

    async fn look(&self) -> Result<(), EngineError> {
        match self.ingress.see().await? {
            Seen::Ingress => {}
            seen => {
                let admin = self.admin.as_ref().map(|it| &it.api);
                return Err(self.ingress.mistaken(&seen, admin).await);
            }
        }
        Ok(())
    }

    /// Restate's version, where its admin address is known: whether it can be looked after.
    ///
    /// # Errors
    /// When the admin address does not answer, is something else, or a Restate that this was not made for. Only what
    /// concerns looking after is said: runs need nothing of it.
    pub async fn admin_version(&self) -> Result<Option<String>, EngineError> {
        let Some(admin) = &self.admin else { return Ok(None) };
        let seen = timeout(GLANCE, admin.version()).await;
        match seen.unwrap_or_else(|_| Err(admin.api.slow(GLANCE))) {
            Ok(version) => Ok(Some(version)),
            Err(error) if error.fault() == Fault::Failure => Err(not_looked_after(&error)),
            Err(error) => Err(error),
        }
    }

    fn no_worker(&self) -> EngineError {
        EngineError::new(format!("no worker was registered with Restate at {}", self.ingress.shown()))
            .with_advice(
                "start one with `toolwright worker`, and tell Restate where it is: `toolwright worker --register URI`",
            )
            .of_fault(Fault::NotConfigured)
    }
}

/// Where calls are taken in is another address: what is missing is little, and is named.
fn not_looked_after(error: &EngineError) -> EngineError {
    EngineError::new(format!(
        "{error}. Runs are driven all the same; what was begun at an address that is gone is not handed on from here, and \
         workers are not registered"
    ))
    .with_advice(
        "open that port to this machine, or set engine.admin (TOOLWRIGHT_ENGINE_ADMIN) to the address that it reaches; \
         `none` where others look after Restate",
    )
}

impl RunEngine for RestateEngine {
    fn wake(&self, wake: Wake) -> EngineFuture<Result<(), EngineError>> {
        let engine = self.clone();
        Box::pin(async move { engine.send(wake).await })
    }

    /// Nothing where this process is not to know where Restate is looked after.
    fn hand_on(&self) -> EngineFuture<Result<usize, EngineError>> {
        let admin = self.admin.clone();
        Box::pin(async move {
            match admin {
                Some(admin) => admin.hand_on().await,
                None => Ok(0),
            }
        })
    }

    /// Restate has no name of its own; what new work goes to there has one that Restate made up.
    fn place(&self) -> EngineFuture<Result<Option<EnginePlace>, EngineError>> {
        let (admin, address) = (self.admin.clone(), self.ingress.shown());
        Box::pin(async move {
            let Some(admin) = admin else { return Ok(None) };
            Ok(admin.current().await?.map(|name| EnginePlace { name, address }))
        })
    }

    fn knows(&self, name: &str) -> EngineFuture<Result<bool, EngineError>> {
        let (admin, name) = (self.admin.clone(), name.to_owned());
        Box::pin(async move {
            match admin {
                Some(admin) => Ok(admin.known_uri(&name).await?.is_some()),
                None => Ok(true),
            }
        })
    }

    fn check(&self) -> EngineFuture<Result<(), EngineError>> {
        let engine = self.clone();
        Box::pin(async move { engine.look().await })
    }

    fn check_admin(&self) -> EngineFuture<Result<(), EngineError>> {
        let engine = self.clone();
        Box::pin(async move { engine.admin_version().await.map(drop) })
    }
}
