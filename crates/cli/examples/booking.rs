//! The `toolwright` command with a pack of one's own: a tool that asks the user. Tests drive it.

use std::process::ExitCode;

use toolwright_cli::Packs;
use toolwright_testkit::BookingPack;

fn main() -> ExitCode {
    toolwright_cli::main(Packs::built_in().with(BookingPack))
}
