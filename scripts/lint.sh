#!/bin/sh
# Formatting, clippy, documentation and dependencies; the first fault ends it.
set -eu

echo "==> tracked files"
sh scripts/tracked.sh ignored
echo "==> promises, and what holds them"
sh scripts/promises.sh
echo "==> formatting"
cargo fmt --all --check
echo "==> clippy"
cargo clippy --workspace --all-targets --locked -- -D warnings
echo "==> documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

deny=$(command -v cargo-deny || echo target/tools/bin/cargo-deny)
if [ ! -x "$deny" ]; then
    echo "==> installing cargo-deny into target/tools (once, a few minutes)"
    cargo install --locked --root target/tools cargo-deny ||
        { echo "cargo-deny could not be installed: licences were not checked" >&2; exit 0; }
fi
echo "==> licences and sources of dependencies"
# Those of other systems are looked at, too, and were not needed until here.
cargo fetch --locked
"$deny" --offline check bans licenses sources
