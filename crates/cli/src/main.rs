//! The `toolwright` command, with the packs that come with it.

use std::process::ExitCode;

use toolwright_cli::Packs;

/// Gives back what is freed. The usual one keeps most of what a model took and gave up: it lies among what stays.
#[cfg(feature = "offline")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    toolwright_cli::main(Packs::built_in())
}
