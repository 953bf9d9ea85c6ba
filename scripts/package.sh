#!/bin/sh
# Packages what is meant to be published, as it would be: the library `toolwright` and the crates it needs, those
# whose manifest does not say `publish`. Each is unpacked and built against the others. Nothing is published.
# `package.sh check` builds nothing: it looks at manifests, files and sizes only.
set -eu
cd "$(dirname "$0")/.."

crates=
for manifest in $(grep -L '^publish' crates/*/Cargo.toml packs/*/Cargo.toml); do
    folder=$(dirname "$manifest")
    [ -f "$folder/README.md" ] || grep -q '^readme = "../' "$manifest" || {
        echo "$folder/README.md is missing: a crate that is published says what it is" >&2
        exit 1
    }
    crates="$crates -p $(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)"
done

rm -rf target/package
# shellcheck disable=SC2086 # one word for each option
case "${1:-}" in
check) cargo package --quiet --locked --allow-dirty --no-verify $crates ;;
"") cargo package --locked $crates ;;
*)
    echo "usage: package.sh [check]" >&2
    exit 2
    ;;
esac

large=$(find target/package -maxdepth 1 -name '*.crate' -size +10M)
[ -z "$large" ] || {
    printf 'Larger than the 10 MB that a registry takes:\n%s\n' "$large" >&2
    exit 1
}
