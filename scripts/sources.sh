#!/bin/sh
# Uses tools that others wrote, through the real binary: MCP servers (npm's server-everything and server-filesystem,
# PyPI's mcp-server-git and mcp-server-fetch) and GitHub's own OpenAPI document, as GitHub publishes it on npm.
# `TOOLWRIGHT_BIN` is the program that is tested.
#
# Its last line is `tools of others: N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$(realpath "${TOOLWRIGHT_BIN:-$root/target/debug/toolwright}")
tools=$root/target/sources
versions='@modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31 @octokit/openapi@23.0.2
mcp-server-git==2026.10.19 mcp-server-fetch==2026.10.24'

# They are kept from one time to the next, until other versions are wanted.
if [ "$versions" != "$(cat "$tools/versions" 2>/dev/null)" ]; then
    echo "==> installing tools of others into target/sources (once, a minute)"
    mkdir -p "$tools"
    (
        cd "$tools"
        echo '{}' >package.json
        # shellcheck disable=SC2046 # They are words.
        npm install --silent --no-audit --no-fund $(echo "$versions" | head -n 1)
        # Of 400 MB of documents one is used.
        find node_modules/@octokit/openapi/generated -type f ! -name api.github.com.json -delete
        python3 -m venv --clear venv
        # shellcheck disable=SC2046
        venv/bin/pip install --quiet --disable-pip-version-check $(echo "$versions" | tail -n 1)
        echo "$versions" >versions
    )
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/toolwright-sources.XXXXXX")
trap 'kill $api 2>/dev/null || true; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP
passed=0
failed=0
api=

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

# The API itself is not reached from here: a file at the right place is its answer.
mkdir -p "$home/api/repos/rust-lang"
echo '{"full_name":"rust-lang/rust","archived":false}' >"$home/api/repos/rust-lang/rust"
python3 -u -m http.server --bind 127.0.0.1 --directory "$home/api" 0 >"$home/api.log" 2>&1 &
api=$!
until port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$home/api.log" 2>/dev/null) && [ -n "$port" ]; do
    kill -0 $api
    sleep 0.1
done
cat >"$home/github.toml" <<EOF
[openapi.github]
spec = "$tools/node_modules/@octokit/openapi/generated/api.github.com.json"
base_url = "http://127.0.0.1:$port"
include = ["repos/get", "tag:issues"]
EOF
shows 'github__issues_create (destructive, asks first' --config "$home/github.toml" tools list
shows '"full_name":"rust-lang/rust"' --config "$home/github.toml" tools call github__repos_get '{"owner":"rust-lang","repo":"rust"}'
sed -i '/^include/d' "$home/github.toml"
shows 'too many to choose from' --config "$home/github.toml" tools list

echo "tools of others: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
