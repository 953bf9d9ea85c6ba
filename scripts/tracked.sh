#!/bin/sh
# Tests must leave the tracked files as they are. `tracked.sh note` remembers how those differ from the last
# commit; `tracked.sh check` fails where they differ otherwise now. `tracked.sh ignored` fails where a file is
# tracked that .gitignore names: it is a cache or a build's output, and changes with every run.
set -eu
cd "$(dirname "$0")/.."
# A copy without a repository has nothing to compare with.
git rev-parse --git-dir >/dev/null 2>&1 || exit 0

noted=target/tracked
differences() {
    git diff HEAD --no-ext-diff --no-color
}
case "${1:-}" in
note)
    mkdir -p target
    differences >"$noted"
    ;;
check)
    [ -f "$noted" ] || exit 0
    differences | cmp -s - "$noted" || {
        echo "Tests changed files that are tracked, or these were edited meanwhile:" >&2
        git diff HEAD --stat >&2
        exit 1
    }
    ;;
ignored)
    files=$(git ls-files --cached --ignored --exclude-standard)
    [ -z "$files" ] || {
        printf 'Tracked, and named in .gitignore (git rm --cached takes them out):\n%s\n' "$files" >&2
        exit 1
    }
    ;;
*)
    echo "usage: tracked.sh note|check|ignored" >&2
    exit 2
    ;;
esac
