#!/bin/sh
# Prints where a tool of cargo's is: `tool.sh NAME [OPTIONS of cargo install]`. One that is not installed is
# built into target/tools, once.
set -eu
cd "$(dirname "$0")/.."
name=$1
shift

if found=$(command -v "$name"); then
    echo "$found"
    exit 0
fi
tool=$PWD/target/tools/bin/$name
if [ ! -x "$tool" ]; then
    echo "==> installing $name into target/tools (once, a few minutes)" >&2
    # It runs once or twice: to build it fast is worth more than that it is fast.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --quiet --locked --root target/tools "$name" "$@" >&2
fi
echo "$tool"
