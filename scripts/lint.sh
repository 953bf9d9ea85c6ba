#!/bin/sh
# Everything that can be said without running a test, the cheap first; the first fault ends it.
set -eu
cd "$(dirname "$0")/.."

echo "==> tracked files"
sh scripts/tracked.sh ignored
echo "==> promises, and what holds them"
sh scripts/promises.sh
echo "==> links in the documentation"
sh scripts/links.sh
echo "==> formatting"
cargo fmt --all --check
echo "==> the page: formatting, types"
sh scripts/page.sh check
echo "==> what would be published"
sh scripts/package.sh check
sh scripts/deny.sh
sh scripts/features.sh
echo "==> clippy"
cargo clippy --workspace --all-targets --locked -- -D warnings
echo "==> documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
