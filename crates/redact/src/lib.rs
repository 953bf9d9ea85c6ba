//! [`Secrets`]: what nobody may see, and texts without it; [`Flow`]: the same for a text that arrives in
//! pieces.
//!
//! Whoever shortens a text that comes from outside takes the secrets out first, by [`Secrets::line`]: half
//! of a secret is not recognised, and tells as much. Every byte is looked at a bounded number of times.

mod cut;
mod dump;
mod flow;
mod head;
#[cfg(test)]
mod reference;
mod search;
mod secrets;
mod sieve;
mod spelling;
mod view;

pub use self::{flow::Flow, secrets::Secrets};

/// What stands where something was taken out.
pub const MARK: &str = "[redacted]";
