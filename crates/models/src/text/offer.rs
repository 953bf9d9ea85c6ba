//! [`Offer`]: a set of tools, prepared once for all rounds and runs that offer it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use toolwright_core::ToolDefinitions;
use toolwright_dialects::{KnownTools, Prompt};

/// A set of tools, prepared once.
pub(super) struct Offer {
    of: ToolDefinitions,
    tools: KnownTools,
    section: OnceLock<String>,
}

/// The offer that was made last: mostly the next one, too.
#[derive(Default)]
pub(super) struct LastOffer(Mutex<Option<Arc<Offer>>>);

impl Offer {
    /// What finding calls needs to know.
    pub(super) fn tools(&self) -> &KnownTools {
        &self.tools
    }

    /// What the model is told about them.
    pub(super) fn section(&self, prompt: &Prompt) -> &str {
        self.section.get_or_init(|| prompt.section(&self.of))
    }

    /// Whether it offers exactly these.
    pub(super) fn is_of(&self, tools: &ToolDefinitions) -> bool {
        self.of.is_same(tools)
    }
}

impl LastOffer {
    /// The offer of these tools.
    pub(super) fn of(&self, tools: &ToolDefinitions) -> Arc<Offer> {
        // An offer is put in whole.
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(offer) = last.as_ref().filter(|offer| offer.is_of(tools)) {
            return offer.clone();
        }
        let offer = Arc::new(Offer {
            of: tools.clone(),
            tools: KnownTools::from(tools),
            section: OnceLock::new(),
        });
        *last = Some(offer.clone());
        offer
    }
}
