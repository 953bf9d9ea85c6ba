#!/bin/sh
# Builds the page into web/dist, from where it becomes a part of the program. `page.sh test` also
# holds it against its tests; those in a browser drive the program that TOOLWRIGHT_BIN names.
set -eu
cd "$(dirname "$0")/../web"

if ! command -v npm >/dev/null 2>&1; then
    echo "Node.js (20.19 or newer) is missing, so the page is not built: the program works without it." >&2
    [ "${1:-}" != test ] || exit 1
    exit 0
fi

# What npm installed last is older than what it should have installed.
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
    # Not `npm ci`: it wants programs of other systems in the lock file, too.
    npm install --no-save --no-audit --no-fund --loglevel=error
fi
npm run --silent build -- --logLevel warn

if [ "${1:-}" = test ]; then
    export NO_COLOR=1
    npm run --silent check
    npm test --silent
    npm run --silent test:browser
fi
