//! [`audit`]: who did what, from where: one line each in the log, under the target `audit`. What was said, and what is secret,
//! is in none of them.

use http::StatusCode;

use super::Identity;

/// What a route tells of what was done, beside what its address says. A route puts it into its answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    /// The conversation.
    pub(crate) conversation: Option<String>,
    /// The run.
    pub(crate) run: Option<String>,
    /// The call that was decided about or that asked.
    pub(crate) call: Option<String>,
    /// What exactly was decided about.
    pub(crate) fingerprint: Option<String>,
    /// What was decided.
    pub(crate) verdict: Option<&'static str>,
}

/// How long a name from outside may be in a line.
const LONGEST: usize = 200;

/// Tells what somebody did, or was refused.
pub(super) fn audit(
    action: &str,
    who: Option<&Identity>,
    from: &str,
    path: &str,
    status: StatusCode,
    done: &Done,
) {
    let short = |text: &Option<String>| -> Option<String> {
        let text = text.as_ref()?.chars().filter(|it| !it.is_control());
        Some(text.take(LONGEST).collect())
    };
    let path: String = path.chars().take(LONGEST).collect();
    tracing::info!(
        target: "audit",
        action,
        who = who.map(|it| &*it.name),
        owner = who.and_then(|it| it.owner.as_deref()),
        way = who.map(|it| it.way.name()),
        from,
        path,
        status = status.as_u16(),
        conversation = short(&done.conversation),
        run = short(&done.run),
        call = short(&done.call),
        fingerprint = short(&done.fingerprint),
        verdict = done.verdict,
        "{}",
        if status.is_client_error() || status.is_server_error() { "refused" } else { "done" },
    );
}
