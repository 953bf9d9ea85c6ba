"""Holds what is deployed against itself, against the schemas of Kubernetes and Compose, and against the program.

`check.py PROGRAM HAPROXY`, with the packages that `scripts/deploy.sh` installs. Its last line is
`deploy: N passed, M failed`.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import traceback

import compose_spec
import kubernetes_validate
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM, HAPROXY = sys.argv[1:]
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def text(*path):
    with open(os.path.join(HERE, *path)) as file:
        return file.read()


def manifests():
    for path in sorted(glob.glob(os.path.join(HERE, "kubernetes", "*.yaml"))):
        with open(path) as file:
            yield from yaml.safe_load_all(file)


def named(kind, name):
    (found,) = [it for it in manifests() if (it["kind"], it["metadata"]["name"]) == (kind, name)]
    return found


def pods():
    """Everything that makes pods: its name, its labels, its pod."""
    for it in manifests():
        template = it.get("spec", {}).get("template")
        if template:
            yield it, template["metadata"]["labels"], template["spec"]


def compose():
    return yaml.safe_load(text("compose.yaml"))


def help_of(*words):
    done = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def seconds(duration):
    number, unit = re.fullmatch(r"(\d+)(s|m)", duration).groups()
    return int(number) * {"s": 1, "m": 60}[unit]


def options(part):
    """The lines of a part of HAProxy's file, without comments."""
    lines = [line.split("#")[0].strip() for line in part.splitlines()]
    return [line for line in lines if line]


def section(file, head):
    found = re.search(rf"(?ms)^{head}$\n(.*?)(?=^\S|\Z)", re.sub(r"(?m)^#.*\n", "", file))
    assert found, f"there is no {head}"
    return options(found[1])


@check
def kubernetes_knows_every_word():
    for it in manifests():
        kubernetes_validate.validate(it, "1.37", strict=True)


@check
def compose_knows_every_word():
    given = {"POSTGRES_PASSWORD": "p", "TOOLWRIGHT_LOG_KEY": "0" * 64, "TOOLWRIGHT_TOKEN": "t"}

    def value(match):
        name, _, otherwise = match[1].partition(":")
        return given.get(name) or otherwise.lstrip("-?")

    resolved = yaml.safe_load(re.sub(r"\$\{([^}]*)\}", value, text("compose.yaml")))
    for key in [it for it in resolved if it.startswith("x-")]:
        del resolved[key]
    compose_spec.ComposeSpecification.model_validate(resolved)
    for name in re.findall(r"\$\{(\w+)", text("compose.yaml")):
        assert name == "TOOLWRIGHT_IMAGE" or f"\n{name}=" in text("example.env"), f"{name} is not in example.env"


@check
def the_same_settings_everywhere():
    kubernetes = tomllib.loads(named("ConfigMap", "toolwright")["data"]["toolwright.toml"])
    plain = tomllib.loads(text("toolwright.toml"))
    # Only the names that people ask under differ.
    for it in (kubernetes, plain):
        assert it["server"].pop("hosts")
    assert kubernetes == plain
    assert tomllib.loads(named("ConfigMap", "restate")["data"]["restate.toml"]) == tomllib.loads(text("restate.toml"))


@check
def the_same_proxy_everywhere():
    plain, kubernetes = text("haproxy.cfg"), named("ConfigMap", "engine-proxy")["data"]["haproxy.cfg"]
    for head in ("defaults", "resolvers names", "frontend engine", "backend workers"):
        assert section(plain, head) == [
            line.replace("workers.toolwright.svc.cluster.local", "workers") for line in section(kubernetes, head)
        ], head


@check
def haproxy_takes_both_files():
    for file in (text("haproxy.cfg"), named("ConfigMap", "engine-proxy")["data"]["haproxy.cfg"]):
        with tempfile.NamedTemporaryFile("w", suffix=".cfg") as it:
            it.write(file)
            it.flush()
            done = subprocess.run([HAPROXY, "-c", "-f", it.name], capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            assert "WARNING" not in done.stderr, done.stderr


@check
def the_program_takes_the_settings():
    with tempfile.TemporaryDirectory() as home:
        for at, file in enumerate((text("toolwright.toml"), named("ConfigMap", "toolwright")["data"]["toolwright.toml"])):
            path = os.path.join(home, f"{at}.toml")
            with open(path, "w") as it:
                it.write(file)
            env = {"HOME": home, "PATH": os.environ["PATH"], "TOOLWRIGHT_DATA": os.path.join(home, "data"), "TOOLWRIGHT_MODEL": "demo"}
            done = subprocess.run([PROGRAM, "--config", path, "tasks"], capture_output=True, text=True, env=env)
            assert done.returncode == 0, done.stderr


@check
def the_program_has_every_command_and_variable():
    known = text("../docs/configuration.md") + text("../docs/server.md")
    commands = [it["args"] for _, _, pod in pods() for it in pod["containers"] if "toolwright" in it["image"]]
    variables = [env["name"] for _, _, pod in pods() for it in pod["containers"] for env in it.get("env", [])]
    for service in compose()["services"].values():
        if "toolwright" in service["image"]:
            commands.append(service["command"])
            variables += service["environment"]
    commands.append(["serve"])
    assert len(commands) >= 6
    for command, *rest in commands:
        flags = help_of(command)
        for flag in [it for it in rest if it.startswith("--")]:
            assert flag in flags, f"{command} has no {flag}"
    variables += re.findall(r"(TOOLWRIGHT_\w+)=", text("Containerfile"))
    for name in variables:
        assert name in known, f"no documentation says what {name} is"


@check
def whoever_stops_a_process_waits_long_enough():
    drain = seconds(tomllib.loads(text("toolwright.toml"))["engine"]["drain"])
    for name in ("servers", "workers"):
        pod = named("Deployment", name)["spec"]["template"]["spec"]
        before = int(pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][-1])
        assert pod["terminationGracePeriodSeconds"] > drain + before, name
        assert seconds(compose()["services"][name]["stop_grace_period"]) > drain, name


@check
def services_lead_to_pods_and_ports():
    for it in manifests():
        if it["kind"] not in ("Service", "PodDisruptionBudget", "NetworkPolicy"):
            continue
        spec = it["spec"]
        chosen = spec["selector"] if it["kind"] == "Service" else (spec.get("selector") or spec["podSelector"])["matchLabels"]
        found = [pod for _, labels, pod in pods() if chosen.items() <= labels.items()]
        assert len(found) == 1, f"{it['kind']} {it['metadata']['name']} chooses {len(found)} kinds of pods"
        ports = {port["name"]: port["containerPort"] for box in found[0]["containers"] for port in box["ports"]}
        if it["kind"] == "Service":
            for port in spec["ports"]:
                assert ports[port["targetPort"]] == port["port"], port
        if it["kind"] == "NetworkPolicy":
            for rule in spec["ingress"]:
                for port in rule["ports"]:
                    assert port["port"] in ports.values(), port
                for who in rule.get("from", []):
                    choice = who["podSelector"]
                    names = [choice["matchLabels"]["app"]] if "matchLabels" in choice else choice["matchExpressions"][0]["values"]
                    for name in names:
                        assert any(labels.get("app") == name for _, labels, _ in pods()), f"nobody is {name}"


@check
def probes_ask_what_there_is():
    paths = {"http": {"/api/health", "/api/health/live"}, "engine": {"/health"}, "alive": {"/health"}, "ingress": {"/restate/health"}, "admin": {"/health"}}
    for it, _, pod in pods():
        if it["kind"] == "Job":
            continue
        for box in pod["containers"]:
            assert {"readinessProbe", "livenessProbe"} <= set(box), box["name"]
            named_ports = {port["name"] for port in box["ports"]}
            for kind in ("readinessProbe", "livenessProbe", "startupProbe"):
                for how in ("httpGet", "tcpSocket"):
                    asked = box.get(kind, {}).get(how)
                    if asked:
                        assert asked["port"] in named_ports, asked
                        assert how == "tcpSocket" or asked["path"] in paths[asked["port"]], asked
    ready = named("Deployment", "servers")["spec"]["template"]["spec"]["containers"][0]
    assert ready["readinessProbe"]["httpGet"]["path"] != ready["livenessProbe"]["httpGet"]["path"]


@check
def addresses_lead_to_services():
    """Host and port of everything that asks somebody, in both ways to deploy."""
    kubernetes = {it["metadata"]["name"]: {port["port"] for port in it["spec"]["ports"]} for it in manifests() if it["kind"] == "Service"}
    engine = tomllib.loads(text("toolwright.toml"))["engine"]
    wanted = [engine["ingress"], engine["admin"]]
    register = [it["args"][-1] for job, _, pod in pods() if job["kind"] == "Job" for it in pod["containers"]]
    for url in [*wanted, *register]:
        host, port = re.fullmatch(r"http://([\w-]+):(\d+)", url).groups()
        assert int(port) in kubernetes[host], url
    services = compose()["services"]
    restate = tomllib.loads(text("restate.toml"))
    bound = {restate["admin"]["bind-address"].split(":")[1], restate["ingress"]["bind-address"].split(":")[1]}
    for url in [*wanted, services["register"]["command"][-1]]:
        host, port = re.fullmatch(r"http://([\w-]+):(\d+)", url).groups()
        assert host in services, url
        assert port in bound if host == "restate" else f"bind :{port}" in text("haproxy.cfg"), url
    for host, port in re.findall(r"server-template \w+ \S+ (\w+):(\d+)", text("haproxy.cfg")):
        assert host in services and f"0.0.0.0:{port}" in text("Containerfile"), (host, port)
    version = re.search(r"(?m)^version=(\S+)", text("../scripts/restate.sh"))[1]
    images = [services["restate"]["image"], named("StatefulSet", "restate")["spec"]["template"]["spec"]["containers"][0]["image"]]
    assert all(it.endswith(f":{version}") for it in images), (images, version)


@check
def secrets_are_only_named():
    for it in manifests():
        assert it["kind"] != "Secret", "a secret in a file"
    for _, _, pod in pods():
        for box in pod["containers"]:
            for env in box.get("env", []):
                assert not re.search(r"KEY|TOKEN|PASSWORD|DATABASE", env["name"]) or "valueFrom" in env, env
            for source in box.get("envFrom", []):
                assert source == {"secretRef": {"name": "toolwright"}}
    for line in text("example.env").splitlines():
        assert line.startswith("#") or not line or line.endswith("="), line


@check
def the_scaling_signal_is_a_metric():
    (metric,) = [it["pods"]["metric"]["name"] for it in named("HorizontalPodAutoscaler", "workers")["spec"]["metrics"] if it["type"] == "Pods"]
    families = text("../crates/telemetry/src/metrics/families.rs")
    assert f'"{metric.removeprefix("toolwright_")}"' in families, f"there is no metric {metric}"


@check
def everybody_runs_as_nobody():
    for it, _, pod in pods():
        assert pod["securityContext"]["runAsNonRoot"], it["metadata"]["name"]
        for box in pod["containers"]:
            assert box["securityContext"]["capabilities"] == {"drop": ["ALL"]}, box["name"]
            assert not box["securityContext"]["allowPrivilegeEscalation"]
    user = re.search(r"(?m)^USER (\d+)", text("Containerfile"))[1]
    assert named("Deployment", "workers")["spec"]["template"]["spec"]["securityContext"]["runAsUser"] == int(user)


def main():
    passed = failed = 0
    for function in CHECKS:
        try:
            function()
            passed += 1
        except Exception:  # noqa: BLE001 - every check is told
            traceback.print_exc()
            print(f"FAILED {function.__name__}")
            failed += 1
    print(f"deploy: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
