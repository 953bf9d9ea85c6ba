#!/bin/sh
# Builds the page into web/dist, from where it becomes a part of the program. `page.sh test` also
# holds it against its tests; those in a browser drive the program that TOOLWRIGHT_BIN names.
# `page.sh check` builds nothing and looks at its formatting and its types.
set -eu
cd "$(dirname "$0")/../web"

if ! command -v npm >/dev/null 2>&1; then
    echo "Node.js (20.19 or newer) is missing, so the page is not built: the program works without it." >&2
    [ -z "${1:-}" ] || exit 1
    exit 0
fi

# What npm installed last is older than what it should have installed.
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    # Not `npm ci`: it wants programs of other systems in the lock file, too.
    npm install --no-save --no-audit --no-fund --loglevel=error
fi
export NO_COLOR=1
case "${1:-}" in
check) npm run --silent check ;;
test)
    npm run --silent build -- --logLevel warn
    npm test --silent
    npm run --silent test:browser
    ;;
*) npm run --silent build -- --logLevel warn ;;
esac
