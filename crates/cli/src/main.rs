//! The `toolwright` command, with the packs that come with it.

use std::process::ExitCode;

use toolwright_cli::Packs;

fn main() -> ExitCode {
    toolwright_cli::main(Packs::built_in())
}
