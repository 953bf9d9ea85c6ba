#!/bin/sh
# Does every crate that has features compile with each of them alone, with all and with none?
set -eu
cd "$(dirname "$0")/.."

hack=$(sh scripts/tool.sh cargo-hack) || {
    echo "cargo-hack could not be installed: features were NOT checked" >&2
    exit 0
}
crates=
for manifest in $(grep -l '^\[features\]' crates/*/Cargo.toml packs/*/Cargo.toml); do
    crates="$crates -p $(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)"
done
echo "==> features, each alone:$crates"
# shellcheck disable=SC2086 # one word for each option
"$hack" hack check --locked --each-feature $crates
