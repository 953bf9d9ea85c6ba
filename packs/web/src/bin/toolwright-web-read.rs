//! Reads a document from its standard input, within limits, and writes what it says to its standard output.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolwright_web::read(std::env::args_os().skip(1))
}
