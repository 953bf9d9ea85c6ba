#!/bin/sh
# The conformance tests of MCP for both requirement sets, in both roles: as a client of the server at URL, and as the
# server that the program BIN is a client of (client.mjs). What is expected to fail stands in expected-*.yml, with the
# reasons: what fails beside it, and what of it does not fail, is a failure.
#
#     sh run.sh URL BIN REPORT
set -eu
url=$1
export TOOLWRIGHT_BIN="$2"
report=$3
cd "$(dirname "$0")"
PATH=$PWD/node_modules/node/bin:$PATH
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# Each scenario has its time; all of them together have this, in seconds.
conformance() {
    timeout 80 node node_modules/@modelcontextprotocol/conformance/dist/index.js "$@" >"$out" 2>&1
}

# told NAME STATUS: what became of one requirement set.
told() {
    if [ "$2" = 0 ]; then
        echo "<testcase classname=\"conformance\" name=\"$1\"/>"
    else
        echo "<testcase classname=\"conformance\" name=\"$1\"><failure/></testcase>"
    fi
    echo "--- $1" >&2
    # Without a summary it broke off: then all that it said is of interest.
    if grep -q SUMMARY "$out"; then sed -n '/SUMMARY/,$p' "$out" >&2; else cat "$out" >&2; fi
}

{
    echo '<testsuites><testsuite name="conformance">'
    for revision in 2025-11-25 2026-07-28; do
        status=0
        conformance server --url "$url" --requirements "$revision" \
            --expected-failures "expected-server-$revision.yml" || status=$?
        told "server-$revision" "$status"
        status=0
        conformance client --command "node client.mjs" --requirements "$revision" --timeout 60000 \
            --expected-failures "expected-client-$revision.yml" || status=$?
        # Where nothing was looked at, nothing passed.
        ! grep -q '✓ .*: 0 passed, 0 failed' "$out" || status=1
        told "client-$revision" "$status"
    done
    echo '</testsuite></testsuites>'
} >"$report"
