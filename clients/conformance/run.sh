#!/bin/sh
# The conformance tests of MCP, in the role of a client, for both requirement sets. What is expected to fail stands
# in expected.yml: what fails beside it, and what of it does not fail, is a failure.
#
#     sh run.sh URL REPORT
set -eu
url=$1
report=$2
cd "$(dirname "$0")"
PATH=$PWD/node_modules/node/bin:$PATH

{
    echo '<testsuites><testsuite name="conformance">'
    for revision in 2025-11-25 2026-07-28; do
        out=$(mktemp)
        if node node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$url" \
            --requirements "$revision" --expected-failures "expected-$revision.yml" >"$out" 2>&1; then
            echo "<testcase classname=\"conformance\" name=\"$revision\"/>"
        else
            echo "<testcase classname=\"conformance\" name=\"$revision\"><failure/></testcase>"
        fi
        sed -n '/SUMMARY/,$p' "$out" >&2
        rm -f "$out"
    done
    echo '</testsuite></testsuites>'
} >"$report"
