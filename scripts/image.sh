#!/bin/sh
# Builds a container image of a program that is built already: `image.sh [PROGRAM]`, without a registry, a daemon or
# being root. The base is unpacked from Debian's packages; what the image says of itself is in deploy/Containerfile.
# It writes target/image/toolwright.oci.tar (`podman load -i`, `docker load -i`), and leaves target/image/root beside it.
#
# `image.sh test [PROGRAM]` also runs it, walled in with bubblewrap as a container would be, and asks it a question.
set -eu
cd "$(dirname "$0")/.."
is_test=
if [ "${1:-}" = test ]; then
    is_test=yes
    shift
fi
program=$(realpath "${1:-${TOOLWRIGHT_BIN:-target/dist/toolwright}}")
[ -x "$program" ] || {
    echo "$program is missing: cargo build --profile dist -p toolwright-cli, or name another" >&2
    exit 1
}
image=$PWD/target/image
root=$image/root
# What debian:bookworm-slim has of what is needed, and what deploy/Containerfile installs, with all they link against.
packages="base-files libc6 libgcc-s1 bash libtinfo6 dash coreutils libacl1 libattr1 libgmp10 libselinux1 libpcre2-8-0
ca-certificates bubblewrap libcap2"

if [ "$(cat "$image/packages" 2>/dev/null)" != "$packages" ]; then
    command -v apt-get >/dev/null 2>&1 || {
        echo "The image is made of Debian's packages, and there is no apt-get here. Use deploy/Containerfile." >&2
        exit 1
    }
    echo "==> unpacking Debian's packages into target/image (once)"
    rm -rf "$image"
    mkdir -p "$image/debs" "$root"
    # shellcheck disable=SC2086 # one word for each package
    (cd "$image/debs" && apt-get download -qq $packages 2>"$image/errors") || {
        cat "$image/errors" >&2
        exit 1
    }
    mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/data" "$root/proc" "$root/dev" "$root/sys" "$root/run"
    for folder in bin sbin lib lib64; do
        ln -s "usr/$folder" "$root/$folder"
    done
    for package in "$image"/debs/*.deb; do
        dpkg --fsys-tarfile "$package" | tar -x --no-same-owner --keep-directory-symlink -C "$root"
    done
    rm -rf "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale" "$root/usr/share/info" "$image/debs"
    ln -sf dash "$root/usr/bin/sh"
    # As `update-ca-certificates` would.
    mkdir -p "$root/etc/ssl/certs"
    cat "$root"/usr/share/ca-certificates/mozilla/*.crt >"$root/etc/ssl/certs/ca-certificates.crt"
    printf 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$root/etc/passwd"
    printf 'root:x:0:\nnogroup:x:65534:\n' >"$root/etc/group"
    mkdir -p "$root/tmp" && chmod 1777 "$root/tmp"
    echo "$packages" >"$image/packages"
fi
install -m 755 "$program" "$root/usr/bin/toolwright"
install -m 755 deploy/toolwright-health "$root/usr/bin/toolwright-health"
python3 -B deploy/image.py "$root" "$image/toolwright.oci.tar"
[ -n "$is_test" ] || exit 0

# As a container: this root and nothing else, read-only but for /data, another user, processes of its own.
home=$(mktemp -d "${TMPDIR:-/tmp}/toolwright-image.XXXXXX")
mkdir "$home/data"
chmod 700 "$home/data"
trap 'kill $inside 2>/dev/null || true; rm -rf "$home"' EXIT
trap 'exit 1' INT TERM HUP
port=$(python3 -c 'import socket; it = socket.socket(); it.bind(("127.0.0.1", 0)); print(it.getsockname()[1])')
inside() {
    env -i bwrap --die-with-parent --unshare-user --unshare-pid --unshare-ipc --unshare-uts --uid 10001 --gid 10001 \
        --ro-bind "$root" / --proc /proc --dev /dev --tmpfs /tmp --bind "$home/data" /data --chdir /data \
        --setenv PATH /usr/bin --setenv HOME /data --setenv TOOLWRIGHT_DATA /data --setenv TOOLWRIGHT_AUTH token \
        --setenv TOOLWRIGHT_TOKEN the-token-of-a-test-0123456789 --setenv TOOLWRIGHT_MODEL demo \
        --setenv TOOLWRIGHT_EMBEDDINGS off "$@"
}
inside /usr/bin/toolwright serve --addr "127.0.0.1:$port" --task demo >"$home/out" 2>&1 &
inside=$!
tries=0
until inside /usr/bin/toolwright-health "$port" 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || {
        echo "the program in the image does not answer:" >&2
        cat "$home/out" >&2
        exit 1
    }
    sleep 0.1
done
answer=$(curl -sN --max-time 60 -X POST "http://127.0.0.1:$port/api/chat/stream" -H 'content-type: application/json' \
    -H 'authorization: Bearer the-token-of-a-test-0123456789' -d '{"message": "What is the weather in San Francisco?"}')
case $answer in
*'"type":"done"'*) echo "image: a question was asked in it, and answered" ;;
*)
    echo "the program in the image did not answer: $answer" >&2
    exit 1
    ;;
esac
