#!/bin/sh
# Writes the table by which dates of exports are read (packs/watch/cldr) anew, from the locale data of
# Unicode (CLDR) as the Python package Babel carries it. Only needed for a newer CLDR; what is written is
# checked in.
set -eu
cd "$(dirname "$0")/.."

version=2.17.0
venv=target/cldr/venv-$version
if [ ! -x "$venv/bin/python" ]; then
    echo "==> installing Babel $version into target/cldr (once)"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "babel==$version"
fi
"$venv/bin/python" packs/watch/cldr/make.py
