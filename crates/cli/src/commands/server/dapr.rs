//! `toolwright serve --dapr-grpc --dapr-http`: in the place of a Dapr sidecar, with the same people at the door.

use std::{io, net::SocketAddr, sync::Arc};

use serde_json::{Value, json};
use tokio::net::TcpStream;
use toolwright_app::{AgentPool, RunOverrides};
use toolwright_dapr::{Door, Refused, Sidecar, SidecarConfig, TOKEN_HEADER};
use toolwright_redact::Secrets;
use toolwright_server::{ApiError, Caller, Entrance, Room};

use crate::{
    args::DaprArgs,
    error::{CommandError, Result},
};

/// The ports at which applications find a sidecar.
pub(super) struct Bound {
    sidecar: Sidecar<ServersDoor>,
    component: String,
}

/// Listens where that was asked for.
pub(super) async fn bind(
    args: DaprArgs,
    host: &Arc<AgentPool>,
    entrance: Entrance,
) -> Result<Option<Bound>> {
    if args.grpc.or(args.http).is_none() {
        return match args.component {
            None => Ok(None),
            Some(_) => Err(CommandError::unusable("--dapr-component names what nobody can ask")
                .with_advice("add --dapr-grpc and --dapr-http, and say where")
                .into()),
        };
    }
    for address in [args.grpc, args.http].into_iter().flatten() {
        entrance.check_address(address)?;
    }
    let session = host.session(&RunOverrides::default())?;
    let settings = session.agent().settings();
    let mut config = SidecarConfig::new(settings.model.clone());
    config.options = settings.options.as_ref().clone();
    let context = toolwright_app::context(&host.config());
    config.secrets = Secrets::new(context.secrets().iter().map(|it| &**it));
    (config.grpc, config.http) = (args.grpc, args.http);
    config.component = args.component.unwrap_or(config.component);
    let component = config.component.clone();
    let bound = Sidecar::bind(config, ServersDoor(entrance)).await;
    let sidecar = bound.map_err(|(address, error)| {
        CommandError::unusable(format!("cannot listen at {address}: {error}")).with_advice(
            "choose another address with --dapr-grpc or --dapr-http; a Dapr sidecar that runs has the usual ones",
        )
    })?;
    Ok(Some(Bound { sidecar, component }))
}

impl Bound {
    /// Where it listens, for programs.
    pub(super) fn json(&self) -> Value {
        let shown = |address: Option<SocketAddr>| address.map(|it| it.to_string());
        let (grpc, http) = (self.sidecar.grpc_address(), self.sidecar.http_address());
        json!({"grpc": shown(grpc), "http": shown(http), "component": self.component})
    }

    /// The same for people.
    pub(super) fn describe(&self) -> String {
        let at = |what, address: Option<SocketAddr>| Some(format!("{what} at {}", address?));
        let (grpc, http) = (self.sidecar.grpc_address(), self.sidecar.http_address());
        let ports: Vec<_> = [at("gRPC", grpc), at("HTTP", http)].into_iter().flatten().collect();
        format!(
            "Applications of Dapr's conversation API are answered, component `{}`: {}.",
            self.component,
            ports.join(", ")
        )
    }

    /// Serves until `stop` ends.
    pub(super) async fn serve(self, stop: impl Future<Output = ()>) {
        self.sidecar.serve(stop).await;
    }
}

/// The server's own door, where the token comes as Dapr's clients send it.
struct ServersDoor(Entrance);

impl Door for ServersDoor {
    type Peer = Caller;
    type Room = Room;

    fn peer(&self, stream: &TcpStream) -> io::Result<Caller> {
        self.0.caller(stream)
    }

    async fn admit(&self, peer: Arc<Caller>, head: &http::request::Parts) -> Result<(), Refused> {
        let mut shown = head.headers.get_all(TOKEN_HEADER).iter();
        let shown = match (shown.next(), shown.next()) {
            (None, _) => None,
            (Some(token), None) => Some(token.to_str().unwrap_or_default()),
            // Whoever shows several guesses.
            (Some(_), Some(_)) => Some(""),
        };
        self.0.admit(&peer, head, shown).await.map_err(|error| refused(&error))
    }

    fn room(&self) -> Result<Room, Refused> {
        self.0.room().map_err(|error| refused(&error))
    }
}

fn refused(error: &ApiError) -> Refused {
    match error.status().as_u16() {
        429 => Refused::Busy,
        503 => Refused::Stopping,
        _ => Refused::Stranger,
    }
}
