//! [`OpenApiSource`]: the operations of an API as tools.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures_core::future::BoxFuture;
use toolwright_core::{SourceTools, Tool, ToolSource, UnavailableTool, qualified_names};
use toolwright_http::{Address, AddressGuard, Client, HttpSettings, Url};
use toolwright_timeout::timeout;

use crate::{
    ApiSettings, SpecLocation, SpecOperation, SpecPin, SpecReport, Withheld,
    document::{MOST_BYTES, Operation, SpecDocument, Unusable},
    filter::Filter,
    operation_tool::{Api, OperationTool},
};

/// More tools than this are too many for a model, if nobody chose them.
const MOST_TOOLS: usize = 40;
/// More than this are too many even so.
const MOST_CHOSEN: usize = 200;
/// How many tools that are withheld are told one by one.
const MOST_TOLD: usize = 50;
/// How long fetching a document may take, and how soon it is tried again.
const TIME: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_secs(30);

/// The operations of an API as tools.
pub struct OpenApiSource {
    settings: ApiSettings,
    http: HttpSettings,
    pin: Option<Arc<dyn SpecPin>>,
    current: Mutex<Arc<SourceTools>>,
    /// When reading it last failed; taken while somebody reads it.
    loading: tokio::sync::Mutex<Loading>,
}

enum Loading {
    Never,
    Failed(Instant),
    Done,
}

impl OpenApiSource {
    /// The source; nothing is read before it is asked for.
    pub fn new(settings: ApiSettings, http: HttpSettings, pin: Option<Arc<dyn SpecPin>>) -> Self {
        let loading = tokio::sync::Mutex::new(Loading::Never);
        Self { settings, http, pin, current: Mutex::default(), loading }
    }

    /// What the document offers now, whether or not it is approved.
    ///
    /// # Errors
    /// When it cannot be read: why.
    pub async fn report(&self) -> Result<SpecReport, String> {
        Ok(self.reported(&self.read().await?))
    }

    async fn load(&self) -> Result<SourceTools, String> {
        let mut read = self.read().await?;
        if let (Some(pin), SpecLocation::Url(_)) = (&self.pin, &self.settings.spec) {
            let withheld = pin.check(&self.reported(&read))?;
            read.withhold(&withheld);
        }
        Ok(tools(&self.settings.name, read))
    }

    fn reported(&self, read: &ReadSpec) -> SpecReport {
        let operations = read.found.iter().map(|(name, it)| (name.clone(), SpecOperation::of(it)));
        // What the user says needs no approval.
        let server = match &self.settings.base_url {
            Some(_) => String::new(),
            None => read.api.base.to_string(),
        };
        SpecReport { server, operations: operations.collect() }
    }

    async fn read(&self) -> Result<ReadSpec, String> {
        let document = SpecDocument::parse(&self.text().await?)?;
        let api = Arc::new(self.api(&document)?);
        let filter = Filter::new(&self.settings.include);
        let (found, unusable) = document.operations(&filter);
        let most = if filter.is_set() { MOST_CHOSEN } else { MOST_TOOLS };
        if found.len() > most {
            return Err(format!(
                "the API has {} operations, which is too many to choose from: name those that are meant in \
                 `include` (`tag:…`, `GET`, `GET /path/*`, ids), at most {most}",
                found.len()
            ));
        }
        Ok(ReadSpec::new(api, found, unusable))
    }

    /// Where the API is, by the user's word or by the document's.
    fn api(&self, document: &SpecDocument) -> Result<Api, String> {
        let ApiSettings { spec, base_url, auth, .. } = &self.settings;
        let of_spec = match spec {
            SpecLocation::Url(url) => Some(url),
            SpecLocation::File(_) => None,
        };
        let base = match base_url {
            Some(base) => base.clone(),
            None => document.server(of_spec).ok_or_else(|| {
                "the document does not say where the API is: say it with `base_url`".to_owned()
            })?,
        };
        let is_plain = matches!(base.scheme(), "http" | "https")
            && base.host_str().is_some()
            && base.username().is_empty()
            && base.password().is_none();
        if !is_plain {
            return Err(
                "the address of the API is no http or https address without a login".to_owned()
            );
        }
        // The user named this origin, so it may be one of their own network, and the key is for it.
        let is_users = base_url.is_some() || of_spec.is_some_and(|it| it.origin() == base.origin());
        if !is_users && auth.is_some() {
            let host = base.host_str().unwrap_or_default();
            return Err(format!(
                "the document says that the API is at {host}: if the key is for that, say so with `base_url`"
            ));
        }
        let http = match is_users {
            true => self.http.clone(),
            false => self.http.clone().with_guard(AddressGuard::new().with_any_port()),
        };
        Ok(Api { client: pinned(&base, &http)?, base, auth: auth.clone() })
    }

    async fn text(&self) -> Result<String, String> {
        match &self.settings.spec {
            SpecLocation::File(path) => toolwright_files::read_text(path, MOST_BYTES as u64)
                .map_err(|error| format!("{} cannot be read: {error}", path.display())),
            SpecLocation::Url(url) => {
                let shown = toolwright_http::without_password(url.as_str());
                let work = fetched(url, &self.http);
                let text = timeout(TIME, work).await;
                let text = text.unwrap_or_else(|_| Err(format!("no answer within {TIME:?}")));
                text.map_err(|reason| format!("{shown} cannot be read: {reason}"))
            }
        }
    }

    fn set(&self, tools: SourceTools) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(tools);
    }
}

impl ToolSource for OpenApiSource {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn tools(&self) -> Arc<SourceTools> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let mut loading = self.loading.lock().await;
            match *loading {
                Loading::Done => return,
                Loading::Failed(at) if at.elapsed() < PAUSE => return,
                _ => {}
            }
            match self.load().await {
                Ok(tools) => {
                    self.set(tools);
                    *loading = Loading::Done;
                }
                Err(reason) => {
                    tracing::warn!(source = self.settings.name, reason, "an API cannot be used");
                    let tool = format!("{}__*", self.settings.name);
                    let withheld = vec![UnavailableTool { tool, reason }];
                    self.set(SourceTools { tools: Vec::new(), withheld });
                    *loading = Loading::Failed(Instant::now());
                }
            }
        })
    }
}

fn pinned(url: &Url, http: &HttpSettings) -> Result<Client, String> {
    let address = Address::new(&url.origin().ascii_serialization())?;
    Client::pinned_with(&address, http).map_err(|error| error.to_string())
}

async fn fetched(url: &Url, http: &HttpSettings) -> Result<String, String> {
    let client = pinned(url, http)?;
    let mut response = client.get(url.clone()).send().await.map_err(|error| error.to_string())?;
    let status = response.status();
    if !status.is_success() {
        return Err(format!("the server answered {status}"));
    }
    let bytes = response.bytes(MOST_BYTES).await.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is no text".to_owned())
}

/// A document that was read: its operations, each with a name that no other has.
struct ReadSpec {
    api: Arc<Api>,
    found: Vec<(String, Operation)>,
    unusable: Vec<Unusable>,
}

impl ReadSpec {
    fn new(api: Arc<Api>, found: Vec<Operation>, unusable: Vec<Unusable>) -> Self {
        // Two operations with one id have one name, and are told apart by where they are.
        let ids = found.iter().map(|it| &it.id).chain(unusable.iter().map(|it| &it.id));
        let ids: Vec<String> = ids.cloned().collect();
        let named = found.into_iter().map(|it| {
            let name = match ids.iter().filter(|id| **id == it.id).count() > 1 {
                true => format!("{}_{}_{}", it.id, it.method, it.path),
                false => it.id.clone(),
            };
            (name, it)
        });
        Self { api, found: named.collect(), unusable }
    }

    /// Takes out what is withheld.
    fn withhold(&mut self, withheld: &Withheld) {
        self.found.retain(|(name, _)| match withheld.get(name) {
            None => true,
            Some(reason) => {
                self.unusable.push(Unusable { id: name.clone(), reason: reason.clone() });
                false
            }
        });
    }
}

/// The tools of the operations, and what is withheld.
fn tools(source: &str, read: ReadSpec) -> SourceTools {
    let ReadSpec { api, found, unusable } = read;
    let ids = found.iter().map(|(name, _)| name).chain(unusable.iter().map(|it| &it.id));
    let ids: Vec<&str> = ids.map(String::as_str).collect();
    let mut names = qualified_names(source, ids).into_iter();
    let tools = found.into_iter().zip(names.by_ref()).map(|((_, mut operation), name)| {
        if let Some(auth) = &api.auth {
            operation.without(auth);
        }
        Arc::new(OperationTool::new(name, operation, api.clone())) as Arc<dyn Tool>
    });
    let tools = tools.collect();
    let withheld = unusable.into_iter().zip(names).take(MOST_TOLD);
    let withheld = withheld.map(|(it, tool)| UnavailableTool { tool, reason: it.reason }).collect();
    SourceTools { tools, withheld }
}
