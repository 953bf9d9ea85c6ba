//! The `toolwright` command.

mod args;
mod bar;
mod commands;
mod exit;
mod panics;
mod screen;
mod stop;
mod style;
mod time;
mod watch;

use std::process::ExitCode;

use clap::Parser;
use toolwright_app::Config;

fn main() -> ExitCode {
    // Inside a sandbox this program is only the door to a command.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == toolwright_workspace::ENTER) {
        return toolwright_workspace::enter(arguments);
    }
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        // What was typed is quoted in it, and may have been pasted.
        Err(error) if error.use_stderr() => {
            error.render().to_string().lines().for_each(style::line);
            return exit::Exit::Usage.into();
        }
        Err(help) => help.exit(),
    };
    toolwright_runtime::failpoint::arm();
    panics::watch();
    let output = args.output();
    panics::guarded(|| run(args).unwrap_or_else(|error| exit::report(&error, output))).into()
}

fn run(args: args::Args) -> anyhow::Result<exit::Exit> {
    // Needs no settings, so that it works without any.
    if let args::Command::Completions { shell } = args.command {
        return commands::completions(shell);
    }
    let mut config = Config::load(&args.flags())?;
    if commands::offer_trust(&config, &args.command)? {
        // The file is read again, and counts if it still is what was shown.
        config = Config::load(&args.flags())?;
    }
    if !matches!(args.command, args::Command::Trust(_)) {
        for notice in config.notices() {
            style::line(&format!("{}{}{}", style::DIM, notice, style::END));
        }
    }
    // Before anything connects: whatever asks over the network asks in the same way.
    config.http.settings().install();
    let watch = watch::Watch::begin(&config)?;
    let mut runtime = match args.command {
        args::Command::Serve { .. } => {
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
    runtime.block_on(commands::run(args, &config, &watch))
}
