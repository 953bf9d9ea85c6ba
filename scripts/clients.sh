#!/bin/sh
# Tests the server with the clients that others wrote: the AI SDK, AG-UI, OpenAI's, the Agent Client Protocol's, Dapr's,
# those of the Model Context Protocol and its conformance tests, and Schemathesis with what the API says about itself.
# `TOOLWRIGHT_BIN` is the program that is tested. Schemathesis
# makes the same requests each time; `SEED` and `EXAMPLES` (of each operation) ask for others.
#
# And tests the server that our own tests have for a model (`crates/testkit`) with the packages of the
# vendors whose APIs it speaks. It is built here; `VENDORS_BIN` names one that is.
#
# Its last line is `clients: N passed, M failed`.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
bin=$(realpath "${TOOLWRIGHT_BIN:-$root/target/debug/toolwright}")
[ -x "$bin" ] || {
    echo "$bin is missing: build it (cargo build -p toolwright-cli), or name another in TOOLWRIGHT_BIN" >&2
    exit 1
}

vendors=${VENDORS_BIN:-$root/target/debug/examples/vendors}
[ -n "${VENDORS_BIN:-}" ] || {
    echo "==> building the server that the vendors' packages read"
    (cd "$root" && cargo build --quiet --locked -p toolwright-testkit --example vendors)
}
vendors=$(realpath "$vendors")

fixtures=${FIXTURES_BIN:-$root/target/debug/examples/conformance_server}
[ -n "${FIXTURES_BIN:-}" ] || {
    echo "==> building the server that the conformance tests of MCP call"
    (cd "$root" && cargo build --quiet --locked -p toolwright-server --example conformance_server)
}
fixtures=$(realpath "$fixtures")

tools=$root/target/clients
mkdir -p "$tools"
cd "$root/clients"

# Both are kept from one time to the next, until what they were made of changes.
made_of() {
    cat "$1" && "$2" --version
}
if [ "$(made_of requirements.txt python3)" != "$(cat "$tools/python" 2>/dev/null)" ]; then
    echo "==> installing clients for Python into target/clients (once, a minute)"
    python3 -m venv --clear "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
    made_of requirements.txt python3 >"$tools/python"
fi
# Dapr Agents bring half a gigabyte along, and Python 3.11.
if [ "$(made_of requirements-dapr.txt python3)" != "$(cat "$tools/python-dapr" 2>/dev/null)" ]; then
    echo "==> installing Dapr Agents into target/clients (once, a minute)"
    python3 -m venv --clear "$tools/venv-dapr"
    "$tools/venv-dapr/bin/pip" install --quiet --disable-pip-version-check -r requirements-dapr.txt
    made_of requirements-dapr.txt python3 >"$tools/python-dapr"
fi
if [ ! -d node_modules ] || [ "$(made_of package-lock.json node)" != "$(cat "$tools/node" 2>/dev/null)" ]; then
    echo "==> installing clients for JavaScript into clients/node_modules (once)"
    npm ci --silent --no-audit --no-fund
    made_of package-lock.json node >"$tools/node"
fi

# The conformance tests want a newer Node.js, which comes with them.
if [ "$(made_of conformance/package-lock.json node)" != "$(cat "$tools/conformance" 2>/dev/null)" ]; then
    echo "==> installing the conformance tests of MCP into clients/conformance/node_modules (once)"
    (cd conformance && npm ci --silent --no-audit --no-fund)
    made_of conformance/package-lock.json node >"$tools/conformance"
fi

home=$(mktemp -d "${TMPDIR:-/tmp}/toolwright-clients.XXXXXX")
started=
before=
stop() {
    [ -z "$before" ] || kill "$before" 2>/dev/null || true
    # The last first: the model outlives those that ask it.
    for pid in $started; do
        kill -INT "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true
    done
    rm -rf "$home"
}
trap stop EXIT
trap 'exit 1' INT TERM HUP

# The first line that a program prints, once it has.
first_line() {
    tries=0
    until [ -s "$1" ] && head -n 1 "$1" | grep -q .; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || { echo "nothing was started: $(cat "$1.errors")" >&2; exit 1; }
        sleep 0.1
    done
    head -n 1 "$1"
}

# told KEY: what the server that was started last says of itself.
told() {
    first_line "$home/$name/out" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"
}

# serve NAME OPTIONS…: a server with its own data; `$url` and `$token` are then its own.
serve() {
    name=$1
    shift
    mkdir -p "$home/$name/work"
    printf '%s\n' "$settings" '[embeddings]' 'source = "off"' >"$home/$name/toolwright.toml"
    # Nothing of the caller's settings.
    env -i PATH="$PATH" HOME="$home" \
        "$bin" --config "$home/$name/toolwright.toml" --data "$home/$name/data" --json \
        serve --addr 127.0.0.1:0 --workspace "$home/$name/work" --task general "$@" \
        >"$home/$name/out" 2>"$home/$name/out.errors" </dev/null &
    started="$! $started"
    url=http://$(told address)
    token=$(cat "$home/$name/data/server.token")
}

node scripted.mjs >"$home/model" 2>"$home/model.errors" </dev/null &
started=$!
model=$(first_line "$home/model")

settings="[model]
base_url = \"$model/v1\"
name = \"scripted\"
[server]
runs_per_minute = 0"
serve scripted --dapr-grpc 127.0.0.1:0 --dapr-http 127.0.0.1:0
dapr_grpc=$(told grpc)
dapr_http=$(told http)
export DESK_URL="$url" DESK_TOKEN="$token" DESK_MODEL="$model" DESK_WORKSPACE="$home/scripted/work" DESK_BIN="$bin"

echo "==> the AI SDK, AG-UI and MCP"
node --test --test-timeout=60000 --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit --test-reporter-destination="$home/node.xml" || true

echo "==> OpenAI"
"$tools/venv/bin/python" -m pytest -q -p no:cacheprovider --junitxml "$home/openai.xml" test_openai.py || true

echo "==> the Agent Client Protocol"
TOOLWRIGHT_BIN="$bin" "$tools/venv/bin/python" -m pytest -q -p no:cacheprovider \
    --junitxml "$home/acp.xml" test_acp.py || true

echo "==> MCP, for Python"
"$tools/venv/bin/python" -m pytest -q -p no:cacheprovider --junitxml "$home/mcp.xml" test_mcp.py || true

echo "==> the conformance tests of MCP, in both roles"
mkfifo "$home/until"
mkdir "$home/tests"
env -i PATH="$PATH" HOME="$home/tests" "$fixtures" <"$home/until" >"$home/fixtures" 2>"$home/fixtures.errors" &
# It ends with what it reads from, and so with this script.
exec 9>"$home/until"
node with_token.mjs "$(first_line "$home/fixtures")" the-token-of-a-test-0123456789 \
    >"$home/before" 2>"$home/before.errors" </dev/null 9>&- &
before=$!
sh conformance/run.sh "$(first_line "$home/before")" "$bin" "$home/conformance.xml" 9>&- || true
kill "$before"
exec 9>&-

echo "==> the vendors' packages"
VENDORS_BIN="$vendors" "$tools/venv/bin/python" -m pytest -q -p no:cacheprovider \
    --junitxml "$home/vendors.xml" vendors || true

echo "==> Dapr, and Dapr Agents"
DAPR_GRPC_PORT=${dapr_grpc##*:} DAPR_HTTP_PORT=${dapr_http##*:} \
    "$tools/venv-dapr/bin/python" -m pytest -q -p no:cacheprovider --junitxml "$home/dapr.xml" test_dapr.py || true

echo "==> Schemathesis"
settings='[model]
name = "demo"
[server]
runs_per_minute = 0
manage = "no"'
serve demo --auth token
"$tools/venv/bin/schemathesis" --no-color --config-file schemathesis.toml run "$url/api/openapi.json" \
    --header "Authorization: Bearer $token" --phases examples,coverage,fuzzing \
    --max-examples "${EXAMPLES:-10}" --seed "${SEED:-1}" --workers 1 --generation-database none \
    --request-timeout 20 --suppress-health-check too_slow \
    --report junit --report-junit-path "$home/schemathesis.xml" || true

"$tools/venv/bin/python" count.py "$home/node.xml" "$home/openai.xml" "$home/acp.xml" "$home/mcp.xml" "$home/conformance.xml" \
    "$home/vendors.xml" "$home/dapr.xml" \
    "$home/schemathesis.xml"
