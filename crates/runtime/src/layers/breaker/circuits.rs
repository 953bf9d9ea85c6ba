//! [`Circuits`]: what a breaker knows of its tool, for each account and for all of them.

use std::{
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use moka::{policy::EvictionPolicy, sync::Cache};
use toolwright_core::policy::CircuitBreaker;
use toolwright_core::{ContextKey, RunContext, ToolErrorKind, UnavailableTool};

use super::circuit::{Admission, Circuit, News, Reach, Ticket};

/// How many accounts are remembered, those that called last. Anybody may come with a new one.
const ACCOUNTS: u64 = 1024;

/// An account that was not heard of for this long begins anew.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// What a breaker knows of its tool. Every account has a circuit of its own, which counts all of its
/// failures; one more is everybody's, and counts those that are nobody's: the network's, the server's.
/// So a token that is refused leaves the tool to all who have a better one.
pub(crate) struct Circuits {
    tool: String,
    policy: CircuitBreaker,
    everybodys: Arc<Circuit>,
    accounts: Cache<ContextKey, Arc<Circuit>>,
    /// How many circuits of the toolbox are open: asked before every round, and mostly none is.
    open: Arc<AtomicUsize>,
}

/// A call that may be made, as far as both circuits are concerned.
pub(super) struct Tickets {
    account: ContextKey,
    own: Ticket,
    everybodys: Ticket,
}

impl Circuits {
    pub(crate) fn new(tool: &str, policy: CircuitBreaker, open: Arc<AtomicUsize>) -> Self {
        let everybodys = Arc::new(Circuit::new(policy, Reach::Everybody, open.clone()));
        let accounts = Cache::builder()
            .max_capacity(ACCOUNTS)
            .eviction_policy(EvictionPolicy::lru())
            .time_to_idle(FORGOTTEN.max(policy.cooldown))
            .build();
        Self { tool: tool.to_owned(), policy, everybodys, accounts, open }
    }

    /// The tool they are about.
    pub(crate) fn tool(&self) -> &str {
        &self.tool
    }

    /// The tool, while it is off for the account of this context.
    pub(crate) fn unavailable(&self, context: &RunContext) -> Option<UnavailableTool> {
        let own = || self.accounts.get(&context.key())?.off();
        let reason = self.everybodys.off().or_else(own)?;
        Some(UnavailableTool { tool: self.tool.clone(), reason })
    }

    pub(super) fn admit(&self, account: ContextKey) -> Admission<Tickets> {
        let circuit = || Circuit::new(self.policy, Reach::Account, self.open.clone());
        let own = self.accounts.get_with(account, || Arc::new(circuit())).admit();
        // A ticket that is not used says nothing: the next call has its place.
        let (own, is_probe) = match own {
            Admission::Call(ticket) => (ticket, false),
            Admission::Probe(ticket) => (ticket, true),
            Admission::Refused(why) => return Admission::Refused(why),
        };
        let tickets = |everybodys| Tickets { account, own, everybodys };
        match self.everybodys.admit() {
            Admission::Call(ticket) if is_probe => Admission::Probe(tickets(ticket)),
            Admission::Call(ticket) => Admission::Call(tickets(ticket)),
            Admission::Probe(ticket) => Admission::Probe(tickets(ticket)),
            Admission::Refused(why) => Admission::Refused(why),
        }
    }
}

impl Tickets {
    pub(super) fn worked(self) -> Option<News> {
        let (own, everybodys) = (self.own.worked(), self.everybodys.worked());
        own.or(everybodys)
    }

    pub(super) fn failed(self, kind: ToolErrorKind) -> Option<News> {
        let own = self.own.failed(self.account);
        let everybodys = if is_nobodys(kind) { self.everybodys.failed(self.account) } else { None };
        own.or(everybodys)
    }
}

/// Whether others may meet the same failure, whoever they are.
fn is_nobodys(kind: ToolErrorKind) -> bool {
    matches!(kind, ToolErrorKind::Temporary | ToolErrorKind::TimedOut)
}
