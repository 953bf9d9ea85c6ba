#!/bin/sh
# Prints where HAProxy is, which stands before the servers and the workers where the durable engine is tested.
# One that is installed is taken; else Debian's packages are unpacked into target/haproxy, once: nothing is
# installed, nobody needs to be root, and no service is started.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/target/haproxy

for found in "$(command -v haproxy || true)" /usr/sbin/haproxy "$tools/haproxy"; do
    if [ -x "$found" ]; then
        echo "$found"
        exit 0
    fi
done

by_hand="Install HAProxy 2.6 or newer (Debian: sudo apt-get install haproxy), then run this again."
command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 || {
    echo "HAProxy is missing. $by_hand" >&2
    exit 1
}
echo "==> unpacking HAProxy into target/haproxy (once)" >&2
mkdir -p "$tools/packages"
(
    cd "$tools/packages"
    # What it links against beyond what every Debian has.
    apt-get download -qq haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1 libpcre2-8-0 2>&1 ||
        { [ "$(id -u)" = 0 ] && apt-get update -qq && apt-get download -qq haproxy liblua5.3-0 \
            libopentracing-c-wrapper0 libopentracing1 libpcre2-8-0 2>&1; }
    for package in *.deb; do
        dpkg -x "$package" "$tools/root"
    done
) >"$tools/log" || {
    cat "$tools/log" >&2
    echo "HAProxy could not be fetched. $by_hand" >&2
    exit 1
}
libraries=$(dirname "$(find "$tools/root/usr/lib" -name 'liblua5.3.so.0' | head -n 1)")
# `exec`: who starts it holds its process, and no shell before it.
cat >"$tools/haproxy" <<END
#!/bin/sh
LD_LIBRARY_PATH=$libraries exec $tools/root/usr/sbin/haproxy "\$@"
END
chmod +x "$tools/haproxy"
"$tools/haproxy" -v >/dev/null || {
    rm "$tools/haproxy"
    echo "The HAProxy that was unpacked into target/haproxy does not run. $by_hand" >&2
    exit 1
}
echo "$tools/haproxy"
