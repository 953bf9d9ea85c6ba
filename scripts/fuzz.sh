#!/bin/sh
# Lets the dialects read random replies and mend random JSON, judges random scripts and addresses, follows
# random paths and reads random settings; and without a target has calls written for random schemas:
# scripts/fuzz.sh [SECONDS of each, 60 unless told] [TARGET...].
# What broke a law lies in fuzz/artifacts, and ends it.
set -eu

seconds=${1:-60}
[ $# -eq 0 ] || shift
if [ $# -eq 0 ]; then
    set -- decode mend judge resolve address settings
    echo "==> calls of the offline model for five thousand schemas"
    cargo test --locked -p toolwright-offline --lib -- --ignored what_is_written_fits_other_schemas
fi

if ! cargo +nightly --version >/dev/null 2>&1; then
    if ! command -v rustup >/dev/null 2>&1; then
        echo "Fuzzing needs a nightly compiler. Get rustup from https://rustup.rs, then run this again." >&2
        exit 1
    fi
    echo "==> installing the nightly compiler (once)"
    rustup toolchain install nightly --profile minimal
fi
# libFuzzer is written in C++.
if ! command -v c++ >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "==> installing a C++ compiler (g++)"
        apt-get update -qq
        apt-get install -y -qq g++ >/dev/null
    else
        echo "A C++ compiler is missing. Install it (Debian: sudo apt-get install g++), then run this again." >&2
        exit 1
    fi
fi
fuzz=$(sh scripts/tool.sh cargo-fuzz)
PATH=$PATH:$(dirname "$fuzz")

echo "==> what it begins with: the cases and the markers of the dialects"
cargo +nightly run --manifest-path fuzz/Cargo.toml --example seeds -- fuzz
for target in "$@"; do
    echo "==> fuzzing $target, $seconds seconds"
    # No sanitizer: there is no unsafe code to watch, and it is several times as fast.
    cargo +nightly fuzz run --fuzz-dir fuzz --sanitizer none "$target" -- \
        -max_total_time="$seconds" -max_len=1024 -timeout=10 -dict=fuzz/dictionary -print_final_stats=1
done
