//! [`WorkerArgs`]: what `worker` takes.

use toolwright_app::Flags;

use super::serve::AskedArgs;

#[cfg_attr(not(feature = "durable"), allow(dead_code))]
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  restate-server &                                          the engine, started by you
  export DATABASE_URL=postgres://user:password@host/db      what all of them share
  toolwright worker --register http://127.0.0.1:9080        drives runs, and tells Restate where it is
  toolwright serve --engine restate                         as many of them as you like
  toolwright worker --register-only http://workers:9080     from a job that deploys, and drives nothing

SIGTERM or Ctrl-C lets what runs come to a boundary, where another worker takes it up; a second one ends at once.
What is guaranteed, and how to upgrade while runs go on: docs/durable.md")]
pub(crate) struct WorkerArgs {
    /// Where to listen for Restate [default: 127.0.0.1:9080]; port 0 takes any that is free
    #[arg(long, value_name = "ADDR")]
    addr: Option<String>,
    /// Tell Restate that workers are at this address, as its machine reaches them: this worker's, or that of
    /// what stands before all of them. The same again changes nothing
    #[arg(long, value_name = "URI")]
    pub(crate) register: Option<String>,
    /// Tell Restate so, and drive nothing
    #[arg(long, value_name = "URI", conflicts_with = "register")]
    pub(crate) register_only: Option<String>,
    /// Have Restate ask the workers at that address anew what they offer, in place; while developing
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

impl WorkerArgs {
    /// These flags, with what was given here.
    pub(super) fn apply(&self, flags: Flags) -> Flags {
        Flags { worker_addr: self.addr.clone(), ..self.asked.apply(flags) }
    }
}
