#!/bin/sh
# Kills, stops and cuts off whatever a deployment has, and counts what is lost: `durable.sh [local|short|whole|NAME…]`.
# `local` is several servers without an engine, `short` (what `make test` does) the most telling of the rest, too; --seed N repeats random faults.
# PostgreSQL, Restate and HAProxy are the real ones; `TOOLWRIGHT_BIN` is the program that is tested.
# `durable.sh bench` measures instead.
#
# Its last line is `durable: N passed, M failed`.
set -eu
cd "$(dirname "$0")/.."

if [ "$(uname -s)" != Linux ]; then
    echo "durable: only Linux tells which process runs a tool; nothing was tested here" >&2
    exit 0
fi
# Fetched before anything is started, so that what is missing is told first.
[ "${1:-}" = local ] || sh scripts/restate.sh >/dev/null
sh scripts/haproxy.sh >/dev/null
[ -n "${ACCOUNT_BIN:-}" ] || cargo build --quiet --locked --workspace --example account
if [ "${1:-}" = bench ]; then
    shift
    exec python3 -B faults/bench.py "$@"
fi
exec python3 -B faults/run.py "$@"
