#!/bin/sh
# Do the crates that have features compile with each of them alone, with all and with none? Those that are published do
# here, and the program with none. `features.sh all` tries every crate that has any: a quarter of an hour, as most of what
# they depend on is looked at anew for each.
set -eu
cd "$(dirname "$0")/.."

hack=$(sh scripts/tool.sh cargo-hack) || {
    echo "cargo-hack could not be installed: features were NOT checked" >&2
    exit 0
}
# Those that keep things need a database; the others need nothing.
stores="-p toolwright-store -p toolwright-session"
crates=
for manifest in $(grep -l '^\[features\]' crates/*/Cargo.toml packs/*/Cargo.toml); do
    crate="-p $(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)"
    case " $stores " in *" $crate "*) continue ;; esac
    # What is not published says so.
    if [ "${1:-}" = all ] || ! grep -q '^publish.workspace' "$manifest"; then
        crates="$crates $crate"
    fi
done
echo "==> features, each alone:$crates"
# shellcheck disable=SC2086 # one word for each option
"$hack" hack check --locked --each-feature $crates
# shellcheck disable=SC2086
"$hack" hack check --locked --feature-powerset --at-least-one-of sqlite,postgres $stores
[ "${1:-}" = all ] || cargo check --locked --no-default-features -p toolwright-cli
