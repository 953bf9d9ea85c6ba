//! [`export_cassette`]: conversations of the log, as a cassette.

use std::path::Path;

use toolwright_core::{Conversation, ConversationId};
use toolwright_models::{CassetteFile, CassetteMode};
use toolwright_store::Store;

use super::log::Log;
use crate::{AppError, Config, assemble::context, recorded};

/// Writes conversations to a cassette, so that whoever asks the same gets the same answers: what models were
/// sent is rebuilt from the events. Tools and options are not in the log, and so are not compared. Returns how
/// many requests there are.
///
/// # Errors
/// When the log cannot be read, or the file cannot be written.
pub async fn export_cassette(
    config: &Config,
    store: &Store,
    ids: &[ConversationId],
    path: &Path,
) -> Result<usize, AppError> {
    let context = context(config);
    let (mut exchanges, mut begun) = (Vec::new(), None);
    for id in ids {
        let (log, mut said) = (Log::read(store, id).await?, Conversation::new());
        for run in &log.runs {
            begun = begun.min(run.at()).or(run.at());
            let history = if log.follows(run) { said } else { log.history(run)? };
            let (those, now) = run.exchanges(&history)?;
            exchanges.extend(those);
            said = now;
        }
    }
    // Opened once all could be read: what is there is not replaced by half of something.
    let mut header = recorded::header(config);
    header.at = begun.unwrap_or(header.at);
    let file = CassetteFile::open(path, CassetteMode::Record, header)?;
    for exchange in &exchanges {
        let secrets = context.secrets().iter().map(|it| &**it);
        file.add(&exchange.clone().without(secrets))?;
    }
    Ok(exchanges.len())
}
