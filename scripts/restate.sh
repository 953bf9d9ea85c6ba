#!/bin/sh
# Prints where the Restate server is that the durable engine is tested and measured with. `RESTATE_SERVER` names
# one that is installed; else it is fetched from npm into target/restate, once. Another version than the one
# named here is refused: what an engine does after a crash is only known of the one that was tried.
#
# Restate's server has the Business Source License: it is no part of Toolwright, and nothing here passes it on.
set -eu
cd "$(dirname "$0")/.."
version=1.7.12
tools=$PWD/target/restate

# The package of this machine: the one without a platform in its name only chooses among them, and reports its
# installation to somebody.
package() {
    case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) system= ;;
    esac
    case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) machine= ;;
    esac
    [ -n "$system" ] && [ -n "$machine" ] && echo "@restatedev/restate-server-$system-$machine"
}

by_hand="Install Restate $version yourself (its server, not its command line) and name it: RESTATE_SERVER=/path/to/restate-server"

if [ -n "${RESTATE_SERVER:-}" ]; then
    server=$RESTATE_SERVER
    [ -x "$server" ] || {
        echo "RESTATE_SERVER names $server, which cannot be run." >&2
        exit 1
    }
else
    package=$(package) || {
        echo "Restate publishes no server for $(uname -s) on $(uname -m): the durable engine cannot be tested here." >&2
        exit 1
    }
    server=$tools/node_modules/$package/bin/restate-server
    if [ "$(cat "$tools/version" 2>/dev/null)" != "$package@$version" ] || [ ! -x "$server" ]; then
        command -v npm >/dev/null 2>&1 || {
            echo "npm is missing, which fetches Restate (Debian: sudo apt-get install npm). Or: $by_hand" >&2
            exit 1
        }
        echo "==> fetching Restate $version into target/restate (once, 230 MB)" >&2
        mkdir -p "$tools"
        echo '{"private":true}' >"$tools/package.json"
        # Nothing of the package is run while it is installed.
        (cd "$tools" && npm install --silent --no-audit --no-fund --ignore-scripts --no-save "$package@$version" >&2) || {
            echo "npm could not fetch $package@$version. Is there a network? Or: $by_hand" >&2
            exit 1
        }
        echo "$package@$version" >"$tools/version"
    fi
fi

said=$("$server" --version) || {
    echo "$server does not run. $by_hand" >&2
    exit 1
}
case $said in
*" $version"*) echo "$server" ;;
*)
    echo "$server is \"$said\", and $version is wanted. Remove target/restate, or: $by_hand" >&2
    exit 1
    ;;
esac
