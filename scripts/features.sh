#!/bin/sh
# Does every crate that has features compile with each of them alone, with all and with none?
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
    case " $stores " in *" $crate "*) ;; *) crates="$crates $crate" ;; esac
done
echo "==> features, each alone:$crates"
# shellcheck disable=SC2086 # one word for each option
"$hack" hack check --locked --each-feature $crates
# shellcheck disable=SC2086
"$hack" hack check --locked --feature-powerset --at-least-one-of sqlite,postgres $stores
