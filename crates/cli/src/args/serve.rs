//! [`ServeArgs`]: what `serve` takes, and `server`.

use std::net::SocketAddr;

use clap::Subcommand;
use toolwright_app::Flags;

use super::run::{CassetteArgs, option};

#[cfg_attr(not(feature = "server"), allow(dead_code))]
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// Where to listen [default: 127.0.0.1:8001]; port 0 takes any that is free
    #[arg(long, value_name = "ADDR")]
    addr: Option<String>,
    /// Listen at this port of this machine; the same as --addr 127.0.0.1:PORT
    #[arg(long, value_name = "PORT", conflicts_with = "addr")]
    port: Option<u16>,
    /// Open the page in your browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Who may come in without the token: local (programs of yours on this machine), token
    /// (nobody)
    #[arg(long, value_name = "HOW")]
    auth: Option<String>,
    /// Who drives what is asked: local (this server), restate (workers, on as many machines as you like:
    /// see `toolwright worker`)
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Let destructive tools run without asking, except calls that need a review
    #[arg(long)]
    pub(crate) approve: bool,
    #[command(flatten)]
    pub(crate) dapr: DaprArgs,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// How what others ask is answered, where they do not say: the same at every server and worker.
#[derive(Debug, clap::Args)]
pub(crate) struct AskedArgs {
    /// Which tools and instructions to use where a question does not say: the name of a task, or a
    /// file [see: toolwright tasks]
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// The model, where a question does not say: `PROVIDER:NAME` (see `toolwright models`), its name at
    /// OPENAI_API_BASE, `offline`, `offline:FILE` for weights of your own, `dapr:COMPONENT`; several with commas
    /// between them stand in for each other
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How the model is to write, such as temperature=0.2; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    tape: CassetteArgs,
}

impl AskedArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        Flags {
            task: self.task.clone(),
            model: self.model.clone(),
            options: self.options.clone(),
            ..self.tape.apply(flags)
        }
    }
}

impl ServeArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        let port = self.port.map(|port| format!("127.0.0.1:{port}"));
        Flags {
            addr: self.addr.clone().or(port),
            auth: self.auth.clone(),
            engine: self.engine.clone(),
            ..self.asked.apply(flags)
        }
    }
}

/// Where applications find Toolwright that look for a Dapr sidecar.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct DaprArgs {
    /// Answer applications in the place of a Dapr sidecar: conversation calls over gRPC, such as
    /// 127.0.0.1:50001
    #[arg(long = "dapr-grpc", value_name = "ADDR", value_parser = address)]
    pub(crate) grpc: Option<SocketAddr>,
    /// The same over HTTP, and the health checks that clients begin with, such as 127.0.0.1:3500
    #[arg(long = "dapr-http", value_name = "ADDR", value_parser = address)]
    pub(crate) http: Option<SocketAddr>,
    /// What the conversation component is called that answers them [default: toolwright]
    #[arg(long = "dapr-component", value_name = "NAME")]
    pub(crate) component: Option<String>,
}

/// An address and a port.
fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let text = text.trim();
    let text = text
        .strip_prefix("localhost:")
        .map_or_else(|| text.to_owned(), |port| format!("127.0.0.1:{port}"));
    text.parse().map_err(|_| "use an address and a port, such as 127.0.0.1:50001")
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServerCommand {
    /// List the browsers that were let in, or sign them out; a running server notices
    Sessions {
        #[command(subcommand)]
        command: Option<SessionsCommand>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokensCommand {
    /// List them: what each may do, and when it was last used
    List,
    /// Make one; it is printed once
    Add(TokenAddArgs),
    /// Remove one: every server that shares the database refuses it within seconds. What was begun with it goes on
    Remove {
        /// Its name
        name: String,
        /// Stop what goes on in its conversations, or in those of the person it is for
        #[arg(long)]
        stop: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct TokenAddArgs {
    /// What it is called
    pub(crate) name: String,
    /// What it may do: some of ask, decide and admin
    #[arg(long, value_name = "SCOPES", default_value = "ask")]
    pub(crate) scope: String,
    /// How long it is good, such as 90d; for ever where nothing is said
    #[arg(long, value_name = "TIME", value_parser = toolwright_duration::parse_nonzero)]
    pub(crate) expires: Option<std::time::Duration>,
    /// Whose conversations it is for: a person who signs in under this name
    #[arg(long = "for", value_name = "PERSON")]
    pub(crate) person: Option<String>,
    /// Have the conversations of an earlier token of this name, which was removed or is over
    #[arg(long, conflicts_with = "person")]
    pub(crate) take_over: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List them, each with its id
    List,
    /// Sign a browser out: it needs a new link
    Revoke {
        /// Its id in the list
        #[arg(required_unless_present = "all")]
        id: Option<String>,
        /// All of them
        #[arg(long, conflicts_with = "id")]
        all: bool,
    },
}
