#!/bin/sh
# Holds what Toolwright exports against programs that are not ours: a collector (rotel), Google's
# protobuf with OpenTelemetry's definitions, and Prometheus's own parser. Installs them into
# target/telemetry, once.
set -eu

cd "$(dirname "$0")/.."
tools=$PWD/target/telemetry
if [ ! -e "$tools/collector" ]; then
    echo "==> installing a collector and two readers into target/telemetry (once)"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet \
        rotel==0.0.1a15 opentelemetry-proto==1.45.2 prometheus-client==0.26.0
    ln -s "$("$tools/bin/python" -c 'import rotel, os; print(os.path.dirname(rotel.__file__))')/rotel-agent" \
        "$tools/collector"
fi
echo "==> telemetry, read by others"
TOOLWRIGHT_TELEMETRY_TOOLS=$tools \
    cargo test --locked -p toolwright-telemetry --test it -- --ignored independent
