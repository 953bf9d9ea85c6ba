//! The folder that is worked in, and what commands run in.

use toolwright_app::{Config, Packs, TaskSetup};

use super::{Check, State};

pub(super) fn checks(config: &Config) -> Vec<Check> {
    if config.workspace().is_none() {
        return Vec::new();
    }
    let workspace = match TaskSetup::of(config, &Packs::default()) {
        Ok(TaskSetup { workspace: Some(workspace), .. }) => workspace,
        Ok(_) => return Vec::new(),
        Err(error) => {
            let (says, advice) = (error.to_string(), error.advice());
            return vec![Check { name: "workspace", state: State::Bad, says, advice }];
        }
    };
    let path = workspace.path().display().to_string();
    let mut checks = vec![Check::good("workspace", path)];
    match workspace.sandbox() {
        Ok(sandbox) => {
            let rows = sandbox.describe();
            let rows = rows.iter().map(|(name, says)| format!("{name} {says}"));
            checks.push(Check::good("sandbox", rows.collect::<Vec<_>>().join("; ")));
        }
        Err(none) => checks.push(Check {
            name: "sandbox",
            state: State::Warning,
            says: format!("bash is off: {}", none.reason),
            advice: Some(none.advice.clone()),
        }),
    }
    checks
}
