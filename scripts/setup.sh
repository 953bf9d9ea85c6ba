#!/bin/sh
# Installs what building needs beyond Rust, or says what to install.
set -eu

if ! command -v cargo >/dev/null 2>&1; then
    echo "Rust is not installed. Get it from https://rustup.rs, then run this again." >&2
    exit 1
fi

# Rust links with the system's C compiler, and TLS has a little assembly in it.
if command -v cc >/dev/null 2>&1; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "==> installing a C compiler (gcc, libc6-dev)"
    apt-get update -qq
    apt-get install -y -qq gcc libc6-dev >/dev/null
else
    echo "A C compiler is missing. Install it (Debian: sudo apt-get install gcc libc6-dev), then run this again." >&2
    exit 1
fi
