//! Dapr's conversation API, both ways.
//!
//! [`DaprModel`] is a model behind the conversation component of a Dapr sidecar. [`Sidecar`] stands in the
//! place of one: applications that speak to Dapr's runtime are answered by a model of ours, and run their own
//! tools. What is spoken is `ConverseAlpha2` (gRPC and HTTP), the metadata and the health checks that clients ask
//! for first; everything else of Dapr is refused by its name.

mod model;
// As `generate/` makes it.
#[rustfmt::skip]
#[allow(missing_docs, unreachable_pub, clippy::all)]
mod proto;
mod sidecar;
mod structs;

pub use self::{
    model::{DaprConfig, DaprModel},
    sidecar::{Door, Refused, Sidecar, SidecarConfig},
};

/// The header that Dapr's API token comes in, over HTTP and over gRPC.
pub const TOKEN_HEADER: &str = "dapr-api-token";

/// The largest message, as Dapr has it where nobody says otherwise.
const LARGEST: usize = 4 << 20;

/// The service, in the paths of its methods.
const SERVICE: &str = "/dapr.proto.runtime.v1.Dapr/";
const CONVERSE: &str = "/dapr.proto.runtime.v1.Dapr/ConverseAlpha2";
const METADATA: &str = "/dapr.proto.runtime.v1.Dapr/GetMetadata";
/// What the type of every conversation component begins with.
const CONVERSATION: &str = "conversation.";
