#!/bin/sh
# Installs what building needs beyond Rust, or says what to install. `setup.sh test` also installs
# what only tests need.
set -eu

if ! command -v cargo >/dev/null 2>&1; then
    echo "Rust is not installed. Get it from https://rustup.rs, then run this again." >&2
    exit 1
fi

# Debian's packages for what is missing, each behind the command it brings.
missing=""
# Rust links with the system's C compiler, and TLS has a little assembly in it.
command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
# Commands in a workspace run in it; without it the tool `bash` is off.
if [ "$(uname -s)" = Linux ] && ! command -v bwrap >/dev/null 2>&1; then
    missing="$missing bubblewrap"
fi
if [ "${1:-}" = test ]; then
    # The page is tried in a browser, the server with curl, and other people's clients with Python.
    command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
    command -v curl >/dev/null 2>&1 || missing="$missing curl"
    python3 -c 'import ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
    # What a file's rights and attributes are is set, and what a process asks of the system is read.
    if [ "$(uname -s)" = Linux ]; then
        command -v setfacl >/dev/null 2>&1 || missing="$missing acl"
        command -v setfattr >/dev/null 2>&1 || missing="$missing attr"
        command -v strace >/dev/null 2>&1 || missing="$missing strace"
    fi
fi
[ -n "$missing" ] || exit 0

# Installs Debian's packages. What dpkg says is shown when it fails, and it is asked a second time: one that was
# cut off earlier leaves packages half set up, and another one may hold its lock for a while.
install_packages() {
    log=$(mktemp)
    for try in 1 2; do
        # shellcheck disable=SC2086 # one word for each package
        if apt-get update -qq >"$log" 2>&1 &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=300 $1 >>"$log" 2>&1; then
            rm -f "$log"
            return
        fi
        tail -n 30 "$log" >&2
        df -h / >&2
        [ "$try" = 2 ] || dpkg --configure -a || true
    done
    rm -f "$log"
    return 1
}

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "==> installing$missing"
    install_packages "$missing"
elif [ "$missing" = " bubblewrap" ]; then
    echo "bubblewrap is missing: in a workspace the tool bash stays off (Debian: sudo apt-get install bubblewrap)." >&2
elif command -v cc >/dev/null 2>&1 && [ "${1:-}" != test ]; then
    echo "Missing, and not needed to build:$missing (Debian: sudo apt-get install$missing)." >&2
else
    echo "Something is missing. Install it (Debian: sudo apt-get install$missing), then run this again." >&2
    exit 1
fi
