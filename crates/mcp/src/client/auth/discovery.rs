//! [`LoginServer`]: who lets one in to a server, found out.

use toolwright_http::Url;

use super::{
    AuthError, Challenge,
    error::shown,
    guarded::GuardedHttp,
    metadata::{ResourceMetadata, ServerMetadata},
    scopes,
};

const RESOURCE: &str = "what it says about logging in";
const SERVER: &str = "its login server";

/// Who lets one in to a server. Each address in it was checked.
#[derive(Debug)]
pub(super) struct LoginServer {
    /// What it is called, to the letter.
    pub(super) issuer: String,
    /// What tokens are asked for: the server, as it calls itself.
    pub(super) resource: String,
    pub(super) authorize: Url,
    pub(super) token: Url,
    pub(super) register: Option<Url>,
    /// How clients may show who they are.
    pub(super) auth_methods: Option<Vec<String>>,
    /// What is to be asked for, where nobody says otherwise.
    pub(super) scopes: Vec<String>,
    /// Whether it stays logged in only where it is asked for that.
    pub(super) has_offline_access: bool,
    /// Whether its answers always tell who gives them.
    pub(super) tells_issuer: bool,
}

impl LoginServer {
    /// Finds out who lets one in to this server, which said `challenge`, if it did.
    pub(super) async fn discover(
        http: &GuardedHttp,
        server: &Url,
        challenge: Option<&Challenge>,
    ) -> Result<Self, AuthError> {
        let resource = resource_metadata(http, server, challenge).await?;
        let issuer = match &resource {
            Some(resource) => resource.authorization_servers.first().cloned().ok_or_else(|| {
                AuthError::NotOffered("it names no server that one could log in to".to_owned())
            })?,
            // Before there were such documents it was the server itself.
            None => server.origin().ascii_serialization(),
        };
        let metadata = match server_metadata(http, &issuer).await? {
            Some(metadata) => metadata,
            None if resource.is_none() => {
                let told = "it does not say where one could log in (OAuth)".to_owned();
                return Err(AuthError::NotOffered(told));
            }
            None => {
                let issuer = shown(&issuer);
                return Err(AuthError::metadata(format!(
                    "the login server {issuer} does not say how one logs in"
                )));
            }
        };
        metadata.check(&issuer)?;
        let asked = challenge.map(|it| it.scopes.clone()).filter(|it| !it.is_empty());
        let of_server = resource.as_ref().and_then(|it| it.scopes_supported.clone());
        let scopes = scopes::bounded(asked.or(of_server).unwrap_or_default());
        let resource = resource.map_or_else(|| canonical(server), |it| it.resource);
        Self::of(http, metadata, resource, scopes)
    }

    fn of(
        http: &GuardedHttp,
        metadata: ServerMetadata,
        resource: String,
        scopes: Vec<String>,
    ) -> Result<Self, AuthError> {
        let missing = |what: &str| {
            let issuer = shown(&metadata.issuer);
            AuthError::metadata(format!("the login server {issuer} names no {what}"))
        };
        let authorize = metadata.authorization_endpoint.as_deref();
        let authorize = authorize.ok_or_else(|| missing("page to log in at"))?;
        let token = metadata.token_endpoint.as_deref().ok_or_else(|| missing("token endpoint"))?;
        let register = metadata.registration_endpoint.as_deref();
        let register = register.map(|it| http.checked("the registration endpoint", it));
        let offered = metadata.scopes_supported.iter().flatten();
        Ok(Self {
            authorize: http.checked("the page to log in at", authorize)?,
            token: http.checked("the token endpoint", token)?,
            register: register.transpose()?,
            has_offline_access: offered.into_iter().any(|it| it == "offline_access"),
            tells_issuer: metadata.authorization_response_iss_parameter_supported == Some(true),
            issuer: metadata.issuer,
            auth_methods: metadata.token_endpoint_auth_methods_supported,
            resource,
            scopes,
        })
    }
}

/// What the server says about who lets one in: where it says that it is, or where it usually is.
async fn resource_metadata(
    http: &GuardedHttp,
    server: &Url,
    challenge: Option<&Challenge>,
) -> Result<Option<ResourceMetadata>, AuthError> {
    if let Some(named) = challenge.and_then(|it| it.resource_metadata.as_deref()) {
        let url = http.checked(RESOURCE, named)?;
        let found: Option<ResourceMetadata> = http.document(RESOURCE, &url).await?;
        let found = found.ok_or_else(|| AuthError::Unreachable {
            what: RESOURCE,
            url: shown(named),
            reason: "there is no such document".to_owned(),
        })?;
        found.check(server)?;
        return Ok(Some(found));
    }
    for url in well_known(server, "oauth-protected-resource") {
        let found: Option<ResourceMetadata> = http.document(RESOURCE, &url).await?;
        if let Some(found) = found {
            found.check(server)?;
            return Ok(Some(found));
        }
    }
    Ok(None)
}

async fn server_metadata(
    http: &GuardedHttp,
    issuer: &str,
) -> Result<Option<ServerMetadata>, AuthError> {
    let issuer = http.checked(SERVER, issuer)?;
    let mut places = Vec::new();
    for kind in ["oauth-authorization-server", "openid-configuration"] {
        // Only at the path: another login server of the same host is another one.
        places.extend(well_known(&issuer, kind).into_iter().next());
    }
    if issuer.path() != "/" {
        let path = issuer.path().trim_end_matches('/');
        let mut last = issuer.clone();
        last.set_path(&format!("{path}/.well-known/openid-configuration"));
        places.push(last);
    }
    for url in places {
        let found: Option<ServerMetadata> = http.document(SERVER, &url).await?;
        // A page that says nothing of this kind is no document.
        if let Some(found) = found.filter(|it| !it.issuer.is_empty()) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Where a document of this kind is: below the root of the host, for the path, and for the host as a whole.
fn well_known(of: &Url, kind: &str) -> Vec<Url> {
    let at = |path: &str| {
        let mut url = of.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.set_path(&format!("/.well-known/{kind}{path}"));
        url
    };
    let path = of.path().trim_end_matches('/');
    let mut places = vec![at(path)];
    if !path.is_empty() {
        places.push(at(""));
    }
    places
}

/// The server, as tokens for it are asked for (RFC 8707).
fn canonical(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    url.set_query(None);
    let text = String::from(url);
    text.trim_end_matches('/').to_owned()
}
