#!/bin/sh
# Scores the offline model: the questions of crates/offline/eval, then three sets of BFCL, which are
# fetched once. What is given behind the command goes to the program: `--split dev`, `--json`.
set -eu
cd "$(dirname "$0")/.."

version=2026.3.23
folder=target/eval-offline
venv=$folder/venv-$version
bfcl=$folder/bfcl-$version

if [ ! -f "$bfcl/bfcl_irrelevance.jsonl" ]; then
    echo "==> fetching BFCL's questions ($version, 2 MB)" >&2
    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
    # Its questions are wanted, and not what its program depends on.
    "$venv/bin/pip" install --quiet --no-deps "bfcl-eval==$version"
    data=$(echo "$venv"/lib/python3*/site-packages/bfcl_eval/data)
    python3 crates/offline/eval/bfcl.py "$data" "$bfcl" >&2
fi

echo "==> building what asks and scores, optimised" >&2
cargo build --release --locked -p toolwright-app --example eval_offline
exec "${CARGO_TARGET_DIR:-target}/release/examples/eval_offline" \
    --questions crates/offline/eval/questions --questions "$bfcl" "$@"
