//! The six tools.
//!
//! All of them only look, and all of them answer in sentences: what cannot be found or understood is told
//! in a sentence, too. A failure is what nobody could have asked better.

mod answer;
mod arguments;
mod channel;
mod finding;
mod looking;
mod numbers;
mod witness;

use std::sync::Arc;

use toolwright_core::{Tool, Toolset};

use crate::History;

/// Every tool of a history.
pub(crate) fn all(history: &Arc<History>) -> Vec<Arc<dyn Tool>> {
    let mut tools = Arc::new(looking::Looking(history.clone())).tools();
    tools.extend(Arc::new(numbers::Numbers(history.clone())).tools());
    tools.extend(Arc::new(finding::Finding(history.clone())).tools());
    tools
}
