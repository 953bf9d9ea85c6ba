//! Whether the programs that became tools are there, and their sandbox holds.

use toolwright_app::{Config, check_commands, config::CommandOrigin};
use toolwright_pack::Check;

/// Each program that was configured as a tool.
pub(super) async fn checks(config: &Config) -> Vec<Check> {
    let checked = check_commands(config).await.into_iter();
    checked
        .map(|(entry, found)| {
            let place = match &entry.origin {
                CommandOrigin::Config => format!("[commands.{}]", entry.name),
                CommandOrigin::User(path) | CommandOrigin::Project(path) => {
                    path.display().to_string()
                }
            };
            match found {
                Ok(()) => {
                    let summary = entry.summary.unwrap_or_default();
                    Check::good("command", format!("{} ({place}): {summary}", entry.name))
                }
                Err(none) => {
                    let says = format!("{} ({place}) is not offered: {}", entry.name, none.reason);
                    Check::warning("command", says).with_advice(none.advice)
                }
            }
        })
        .collect()
}
