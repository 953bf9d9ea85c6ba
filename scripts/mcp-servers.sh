#!/bin/sh
# Uses MCP servers that others wrote, through the real binary: npm's server-everything and server-filesystem, PyPI's
# mcp-server-git and mcp-server-fetch. `TOOLWRIGHT_BIN` is the program that is tested.
#
# Its last line is `mcp servers: N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$(realpath "${TOOLWRIGHT_BIN:-$root/target/debug/toolwright}")
tools=$root/target/mcp-servers
versions='@modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31
mcp-server-git==2026.10.19 mcp-server-fetch==2026.10.24'

# They are kept from one time to the next, until other versions are wanted.
if [ "$versions" != "$(cat "$tools/versions" 2>/dev/null)" ]; then
    echo "==> installing MCP servers into target/mcp-servers (once, a minute)"
    mkdir -p "$tools"
    (
        cd "$tools"
        echo '{}' >package.json
        # shellcheck disable=SC2046 # They are words.
        npm install --silent --no-audit --no-fund $(echo "$versions" | head -n 1)
        python3 -m venv --clear venv
        # shellcheck disable=SC2046
        venv/bin/pip install --quiet --disable-pip-version-check $(echo "$versions" | tail -n 1)
        echo "$versions" >versions
    )
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/toolwright-mcp.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP
passed=0
failed=0

toolwright() {
    env HOME="$home" TOOLWRIGHT_DATA="$home/data" TOOLWRIGHT_MODEL=demo timeout 60 "$bin" "$@"
}

# shows TEXT COMMAND…: what it prints has this text in it.
shows() {
    wanted=$1
    shift
    if toolwright "$@" >"$home/out" 2>&1 && grep -qF -- "$wanted" "$home/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not shown: $wanted, by: toolwright $*" >&2
        head -c 2000 "$home/out" >&2
    fi
}

mkdir "$home/notes"
echo 'rye bread' >"$home/notes/a.txt"
(cd "$home/notes" && git init -q . && git -c user.email=a@example.com -c user.name=a commit -q --allow-empty -m 'the first one')
modules=$tools/node_modules/@modelcontextprotocol

shows 'everything__echo' mcp add everything --yes --no-sandbox -- node "$modules/server-everything/dist/index.js"
shows 'files__read_text_file' mcp add files --yes --no-sandbox -- node "$modules/server-filesystem/dist/index.js" "$home/notes"
shows 'git__git_log' mcp add git --yes --no-sandbox -- "$tools/venv/bin/mcp-server-git"
shows 'fetch__fetch' mcp add fetch --yes --no-sandbox -- "$tools/venv/bin/mcp-server-fetch"
shows 'Echo: hi' tools call everything__echo '{"message":"hi"}'
shows '5' tools call --approve everything__get-sum '{"a":2,"b":3}'
shows 'image/png' tools call --approve everything__get-tiny-image
shows 'rye bread' tools call files__read_text_file "{\"path\":\"$home/notes/a.txt\"}"
shows 'the first one' tools call --approve git__git_log "{\"repo_path\":\"$home/notes\"}"
shows '/everything:args-prompt' mcp inspect everything
shows 'demo://resource/static/document/' mcp inspect everything
shows 'demo://resource/dynamic/text/{resourceId}' mcp inspect everything
shows '"name":"mcp:everything:args-prompt"' ask --json '/everything:args-prompt Oslo'
shows "What's weather in New York, NY" ask '/everything:args-prompt "New York" NY'
shows '"name":"mcp:everything:demo://resource/dynamic/text/7"' ask --json --attach mcp:everything:demo://resource/dynamic/text/7 'What is it?'
shows 'all approved' doctor
echo "mcp servers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
