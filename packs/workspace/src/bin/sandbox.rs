//! Starts a command inside a sandbox: applies the inner walls, then becomes the command.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolwright_workspace::enter(std::env::args_os().skip(1))
}
