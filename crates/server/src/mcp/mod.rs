//! [`Mcp`]: the tools for clients of the Model Context Protocol, at `/mcp`. A build without the feature `mcp` has
//! none there.
//!
//! Who may come in was decided before anything gets here, as for every route: by the token, by who is at the
//! other end, and by the names in the request. What a session of the protocol is called opens nothing.

#[cfg_attr(not(feature = "mcp"), path = "absent.rs")]
mod served;

pub(crate) use self::served::{Mcp, serve};
