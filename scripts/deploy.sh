#!/bin/sh
# Holds the files of deploy/ against the schemas of Kubernetes and Compose, HAProxy, the program, and each other; and runs
# the image. `TOOLWRIGHT_BIN` is the program.
#
# Its last line is `deploy: N passed, M failed`.
set -eu
cd "$(dirname "$0")/.."
bin=$(realpath "${TOOLWRIGHT_BIN:-target/debug/toolwright}")
tools=$PWD/target/deploy
versions='kubernetes-validate==1.37.0 compose-spec==0.2.1 PyYAML==6.0.3'
if [ "$versions" != "$(cat "$tools/versions" 2>/dev/null)" ]; then
    echo "==> installing the schemas of Kubernetes and Compose into target/deploy (once)"
    python3 -m venv --clear "$tools/venv"
    # shellcheck disable=SC2086 # They are words.
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check $versions
    echo "$versions" >"$tools/versions"
fi
if [ "$(uname -s)" = Linux ] && command -v dpkg >/dev/null 2>&1; then
    sh scripts/image.sh test "$bin"
fi
exec "$tools/venv/bin/python" -B deploy/check.py "$bin" "$(sh scripts/haproxy.sh)"
