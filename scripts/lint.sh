#!/bin/sh
# Formatting, clippy, documentation and dependencies; the first fault ends it.
set -eu

echo "==> formatting"
cargo fmt --all --check
echo "==> clippy"
cargo clippy --workspace --all-targets --locked -- -D warnings
echo "==> documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
if command -v cargo-deny >/dev/null 2>&1; then
    echo "==> licences and sources of dependencies"
    cargo deny --offline check bans licenses sources
else
    echo "==> cargo-deny is not installed, so licences were not checked (cargo install cargo-deny)"
fi
