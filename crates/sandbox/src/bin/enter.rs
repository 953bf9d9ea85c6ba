//! Starts a program inside a sandbox: applies the inner walls, then becomes the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolwright_sandbox::enter(std::env::args_os().skip(1), &[])
}
