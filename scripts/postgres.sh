#!/bin/sh
# Runs a throwaway PostgreSQL server for tests and benches until its standard input is closed, in
# whatever way the reader of its output ends. It listens on a Unix socket in a folder of its own.
#
# The first line it prints is `ready` and how to connect. Then it obeys: `crash` stops the server as
# a power cut would, `start` starts it again. With `--durable` commits reach the disk. With `--port PORT`
# it listens on 127.0.0.1, too, and with `--tls CERTIFICATE KEY` speaks TLS there.
set -eu

fsync=off
listen=
port=5432
certificate=
while [ $# -gt 0 ]; do
    case $1 in
        --durable) fsync=on ;;
        --port) port=$2 listen=127.0.0.1; shift ;;
        --tls) certificate=$2 key=$3; shift 2 ;;
        *) echo "unknown: $1" >&2; exit 2 ;;
    esac
    shift
done

find_bin() {
    for folder in /usr/lib/postgresql/*/bin /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin; do
        [ -x "$folder/initdb" ] && bin=$folder
    done
    if [ -z "${bin:-}" ] && command -v pg_config >/dev/null 2>&1; then
        [ -x "$(pg_config --bindir)/initdb" ] && bin=$(pg_config --bindir)
    fi
    [ -n "${bin:-}" ]
}

if ! find_bin; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "==> installing PostgreSQL, which the tests of the store need" >&2
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >&2
    fi
    find_bin || {
        echo "PostgreSQL is missing, and the tests of the store need it. Install it (Debian: sudo apt-get install postgresql), then run this again." >&2
        exit 1
    }
fi

# The server refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    user=nobody
    id postgres >/dev/null 2>&1 && user=postgres
    group=$(id -gn "$user")
    if command -v setpriv >/dev/null 2>&1; then
        as="setpriv --reuid=$user --regid=$group --clear-groups"
    else
        as="runuser -u $user --"
    fi
    home=$(mktemp -d /tmp/toolwright-postgres.XXXXXX)
    chown "$user" "$home"
else
    as=
    home=$(mktemp -d "${TMPDIR:-/tmp}/toolwright-postgres.XXXXXX")
fi
ssl=off
if [ -n "$certificate" ]; then
    ssl=on
    # The server takes no key that others may read.
    cp "$certificate" "$home/server.crt"
    (umask 077 && cp "$key" "$home/server.key")
    [ -z "$as" ] || chown "$user" "$home/server.crt" "$home/server.key"
fi
cd "$home"

stop() {
    $as "$bin/pg_ctl" -D "$home/data" -m immediate -s stop >/dev/null 2>&1 || true
}
trap 'stop; cd /; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP

start() {
    $as "$bin/pg_ctl" -D "$home/data" -l "$home/log" -s -w -t 60 start -o "-k $home -p $port \
        -c listen_addresses=$listen -c ssl=$ssl -c ssl_cert_file=$home/server.crt \
        -c ssl_key_file=$home/server.key -c fsync=$fsync -c full_page_writes=$fsync -c max_connections=300 \
        -c shared_buffers=64MB -c autovacuum=off" </dev/null >/dev/null || {
        echo "PostgreSQL does not start:" >&2
        cat "$home/log" >&2
        exit 1
    }
}

$as "$bin/initdb" -D "$home/data" -A trust -U toolwright -E UTF8 --locale=C --no-sync \
    </dev/null >"$home/initdb.log" 2>&1 || {
    echo "PostgreSQL cannot make a database in $home:" >&2
    cat "$home/initdb.log" >&2
    exit 1
}
start
echo "ready host=$home port=$port user=toolwright dbname=postgres"

while read -r line; do
    case $line in
        crash) stop ;;
        start) start ;;
        *) echo "unknown: $line" >&2 ;;
    esac
    echo "done"
done
