//! Log lines, on standard error.

use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

/// Begins to log at this level: `warn`, or `info,toolwright_models=debug`.
pub(crate) fn init(level: &str) -> anyhow::Result<()> {
    if level == "off" {
        return Ok(());
    }
    let targets: Targets = level.parse().map_err(|_| {
        anyhow::anyhow!("`{level}` is not a log level: use off, error, warn, info, debug or trace")
    })?;
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(anstream::stderr)
        .with_target(false)
        .without_time();
    // A second call, as in tests, keeps the first.
    let _ = tracing_subscriber::registry().with(targets).with(lines).try_init();
    Ok(())
}
