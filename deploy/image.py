"""Writes an OCI image of a root file system: `image.py ROOT OUT`, as `Containerfile` describes its last stage.

The same input gives the same image: times are the newest file's of the program, owners are root's, names are sorted.
"""

import gzip
import hashlib
import io
import json
import os
import platform
import re
import shlex
import sys
import tarfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}


def instructions():
    """Of the last stage: `(word, rest)`, lines that go on joined."""
    with open(os.path.join(HERE, "Containerfile")) as file:
        text = re.sub(r"(?m)^\s*#.*\n", "", file.read()).replace("\\\n", " ")
    found = [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]
    last = max(at for at, (word, _) in enumerate(found) if word == "FROM")
    return found[last:]


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text)[1]) * 1_000_000_000


def configuration():
    config = {"Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]}
    for word, rest in instructions():
        match word:
            case "USER":
                config["User"] = rest
            case "WORKDIR":
                config["WorkingDir"] = rest
            case "VOLUME":
                config["Volumes"] = {rest: {}}
            case "ENV":
                config["Env"] += shlex.split(rest)
            case "EXPOSE":
                config["ExposedPorts"] = {f"{port}/tcp": {} for port in rest.split()}
            case "ENTRYPOINT":
                config["Entrypoint"] = json.loads(rest)
            case "CMD":
                config["Cmd"] = json.loads(rest)
            case "STOPSIGNAL":
                config["StopSignal"] = rest
            case "HEALTHCHECK":
                options, _, command = rest.partition("CMD ")
                named = dict(option.lstrip("-").split("=") for option in options.split())
                check = {"Test": ["CMD", *json.loads(command)]}
                for name, key in (("interval", "Interval"), ("timeout", "Timeout"), ("start-period", "StartPeriod")):
                    if name in named:
                        check[key] = seconds(named[name])
                config["Healthcheck"] = check
            case "FROM" | "RUN" | "COPY":
                pass
            case _:
                sys.exit(f"Containerfile: {word} is not understood here")
    return config


def layer(root, when):
    """All of it in one layer; what is in /data belongs to whoever runs it."""
    user, group = map(int, configuration()["User"].split(":"))

    def owned(entry):
        is_data = entry.name.rstrip("/") == "data"
        entry.uid, entry.gid = (user, group) if is_data else (0, 0)
        if is_data:
            entry.mode = 0o700
        entry.uname = entry.gname = ""
        entry.mtime = when
        return entry

    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for folder, folders, files in os.walk(root):
            folders.sort()
            for name in sorted([*files, *folders]):
                path = os.path.join(folder, name)
                tar.add(path, os.path.relpath(path, root), recursive=False, filter=owned)
    return packed.getvalue()


def main():
    root, out = sys.argv[1:]
    when = int(os.path.getmtime(os.path.join(root, "usr/bin/toolwright")))
    plain = layer(root, when)
    packed = gzip.compress(plain, 6, mtime=0)
    blobs = {}

    def keep(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[digest] = data
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}

    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))
    config = {
        "created": created,
        "architecture": MACHINES.get(platform.machine(), platform.machine()),
        "os": "linux",
        "config": configuration(),
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}"]},
        "history": [{"created": created, "created_by": "scripts/image.sh"}],
    }
    kind = "application/vnd.oci.image."
    manifest = {
        "schemaVersion": 2,
        "mediaType": kind + "manifest.v1+json",
        "config": keep(json.dumps(config).encode(), kind + "config.v1+json"),
        "layers": [keep(packed, kind + "layer.v1.tar+gzip")],
    }
    entry = keep(json.dumps(manifest).encode(), kind + "manifest.v1+json")
    entry["annotations"] = {"org.opencontainers.image.ref.name": "latest", "io.containerd.image.name": "localhost/toolwright:latest"}
    index = {"schemaVersion": 2, "mediaType": kind + "index.v1+json", "manifests": [entry]}
    with tarfile.open(out, "w") as tar:
        files = {"oci-layout": b'{"imageLayoutVersion":"1.0.0"}', "index.json": json.dumps(index).encode()}
        files |= {f"blobs/sha256/{digest}": data for digest, data in blobs.items()}
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    print(f"{out}: {len(packed) / 2**20:.1f} MiB compressed, {len(plain) / 2**20:.1f} MiB unpacked")


if __name__ == "__main__":
    main()
