//! The `toolwright` command, for whoever lists the packs: [`main`] is all of it but those.
//!
//! ```no_run
//! use toolwright_cli::Packs;
//!
//! fn main() -> std::process::ExitCode {
//!     toolwright_cli::main(Packs::built_in()) // .with(YourPack)
//! }
//! ```

/// What the documentation shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/packs.md")]
struct Documentation;

mod args;
mod bar;
mod browser;
mod commands;
mod error;
mod exit;
mod markdown;
mod packs;
mod panics;
#[cfg(any(feature = "durable", feature = "server"))]
mod process;
mod reading;
mod screen;
mod stop;
mod style;
mod time;
mod typed;
mod watch;

use std::process::ExitCode;

use toolwright_app::{Config, OnBadTask, config::LogFormat};

use self::{args::Command, typed::Typed};
pub use self::{
    error::{CommandError, Error, Result},
    packs::{CommandContext, PackCommand, Packs},
};

/// Does what was typed.
#[expect(clippy::needless_pass_by_value, reason = "it is made for this call")]
pub fn main(packs: Packs) -> ExitCode {
    if let Some(code) = packs::door() {
        return code;
    }
    if let Err(error) = packs.check() {
        return exit::report(&error.into(), exit::Output::Other).into();
    }
    let typed = match Typed::parse(&packs) {
        Ok(typed) => typed,
        // What was typed is quoted in it, and may have been pasted.
        Err(error) if error.use_stderr() => {
            return exit::unparsed(&error).into();
        }
        Err(help) => help.exit(),
    };
    toolwright_runtime::failpoint::arm();
    panics::watch();
    let output = typed.args.output();
    panics::guarded(|| run(typed, &packs).unwrap_or_else(|error| exit::report(&error, output)))
        .into()
}

fn run(typed: Typed, packs: &Packs) -> Result<exit::Exit> {
    // Needs no settings, so that it works without any.
    if let Some(Command::Completions { shell }) = typed.args.command {
        return commands::completions(packs, shell);
    }
    let mut flags = typed.flags();
    if matches!(
        typed.args.command,
        Some(Command::Tasks { .. } | Command::Doctor { .. } | Command::Trust(_))
    ) {
        // They show what is wrong.
        flags.on_bad_task = OnBadTask::Tell;
    }
    // Those who run on and on are read by programs. What is wrong with the settings is told in that form, too, where
    // it is known by then.
    let is_service = matches!(typed.args.command, Some(Command::Serve(_) | Command::Worker(_)));
    if is_service && std::env::var("TOOLWRIGHT_LOG_FORMAT").is_ok_and(|it| it == "json") {
        style::tell_programs();
    }
    let mut config = Config::load(packs.registry(), &flags)?;
    if is_service && config.telemetry.format.value == LogFormat::Json {
        style::tell_programs();
    }
    if commands::offer_trust(&config, typed.args.command.as_ref())? {
        // The file is read again, and counts if it still is what was shown.
        config = Config::load(packs.registry(), &flags)?;
    }
    if !matches!(typed.args.command, Some(Command::Trust(_))) {
        let is_doctor = matches!(typed.args.command, Some(Command::Doctor { .. }));
        let problem = config.problem().filter(|_| !is_doctor).map(str::to_owned);
        for notice in config.notices().into_iter().chain(problem) {
            style::line(&format!("{}{}{}", style::DIM, notice, style::END));
        }
    }
    // Before anything connects: whatever asks over the network asks in the same way.
    config.http.settings().install();
    let watch = watch::Watch::begin(&config)?;
    let mut runtime = match typed.args.command {
        Some(Command::Serve(_) | Command::Acp(_)) => {
            let mut many = tokio::runtime::Builder::new_multi_thread();
            // A thread may have to wait for its turn on the machine: the others go on meanwhile.
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            many.worker_threads(cores.max(4));
            many
        }
        // One thread is enough for one conversation, and starts in no time.
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime.enable_all().build()?;
    runtime.block_on(commands::run(typed, flags, &config, &watch))
}
