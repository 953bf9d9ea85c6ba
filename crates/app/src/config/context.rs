//! [`ContextConfig`]: how much of a conversation, and of very many tools, the model is sent.

use std::time::Duration;

use toolwright_runtime::{ContextWindow, SelectionConfig};

use super::{Setting, file::ContextSection, sources::Sources};

/// How long is waited where nothing is said: programs that are fetched when they are first started take seconds.
const SOURCE_WAIT: Duration = Duration::from_secs(10);

/// How much of a conversation, and of very many tools, the model is sent.
#[derive(Clone, Debug)]
pub struct ContextConfig {
    /// When a conversation is shortened, and how much of a result is read.
    pub window: Setting<ContextWindow>,
    /// How many of very many tools are offered.
    pub selection: Setting<SelectionConfig>,
    /// How long the first run waits for sources of tools that have none yet.
    pub source_wait: Setting<Duration>,
}

impl ContextConfig {
    pub(super) fn read(sources: &Sources<'_>, file: &ContextSection) -> Self {
        let usual = ContextWindow::default();
        let window = ContextWindow {
            tokens: file.window.unwrap_or(usual.tokens),
            result: file.result.unwrap_or(usual.result),
            ..usual
        };
        let is_given = file.window.is_some() || file.result.is_some();
        let selection = SelectionConfig::default();
        // Whoever says how many are offered means it, however many there are.
        let chosen = |offer| SelectionConfig { offer, above: offer };
        let folder = &sources.folder.context;
        let smaller = ContextWindow {
            tokens: folder.window.unwrap_or(window.tokens).min(window.tokens),
            result: folder.result.unwrap_or(window.result).min(window.result),
            ..window
        };
        let window = sources.in_file(is_given.then_some(window), usual);
        let selection = sources.in_file(file.tools.map(chosen), selection);
        Self {
            source_wait: sources.in_file(file.source_wait, SOURCE_WAIT),
            window: Sources::narrowed(window, [sources.of_folder(smaller)], |new, old| new != old),
            selection: Sources::narrowed(
                selection,
                folder.tools.map(|it| sources.of_folder(chosen(it))),
                |new, old| new.offer < old.offer,
            ),
        }
    }
}
