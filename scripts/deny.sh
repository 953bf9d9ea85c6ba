#!/bin/sh
# Licences and sources of dependencies, and what is known against them, as deny.toml says.
set -eu
cd "$(dirname "$0")/.."

deny=$(sh scripts/tool.sh cargo-deny) || {
    echo "cargo-deny could not be installed: licences, sources and advisories were NOT checked" >&2
    exit 0
}
echo "==> licences and sources of dependencies"
# Those of other systems are looked at, too, and were not needed until here.
cargo fetch --locked --quiet
"$deny" --offline check bans licenses sources

echo "==> advisories"
if said=$(timeout 120 "$deny" fetch db 2>&1); then
    "$deny" check --disable-fetch advisories
else
    echo "the database of advisories cannot be reached from here: advisories were NOT checked" >&2
    printf '%s\n' "$said" | tail -n 3 >&2
fi
