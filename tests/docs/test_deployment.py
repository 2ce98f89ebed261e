"""What the samples deploy names metrics, options and files that there are."""

from __future__ import annotations

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from croupier.cli.serve_command import serve_command
from tests.house_server.own_ca import OwnCa
from tests.journal.server import PasswordServer
from tests.web.metrics import metrics_of_a_node
from tools.docs.pages import DOCS, ROOT

DEPLOY = ROOT / "samples" / "deploy"
_METRIC = re.compile(r"\bcroupier_\w+")


def _read(name: str) -> Any:
    return yaml.safe_load((DEPLOY / name).read_text("utf-8"))


def _expressions() -> list[str]:
    """Every expression of the alerts and of the dashboard."""
    rules = [
        rule for group in _read("alerts.yaml")["groups"] for rule in group["rules"]
    ]
    panels = json.loads((DEPLOY / "dashboard.json").read_text("utf-8"))["panels"]
    drawn = [target["expr"] for panel in panels for target in panel["targets"]]
    return [*(rule["expr"] for rule in rules), *drawn]


def _metrics() -> set[str]:
    """Every name that the house can expose, with those of its parts."""
    exposed = generate_latest(metrics_of_a_node().registry).decode()
    families = list(text_string_to_metric_families(exposed))
    names = {f"{each.name}_total" for each in families if each.type == "counter"}
    names |= {each.name for each in families if each.type == "gauge"}
    names |= {f"{each.name}_bucket" for each in families if each.type == "histogram"}
    return names


def test_alerts_and_dashboard_ask_for_metrics_that_there_are() -> None:
    asked = {name for each in _expressions() for name in _METRIC.findall(each)}

    assert asked <= _metrics()
    assert len(asked) > 12


def test_every_metric_of_the_page_is_watched() -> None:
    page = (DOCS / "operating.md").read_text("utf-8")
    listed = re.findall(r"^\| `(croupier_\w+)` \|", page, re.MULTILINE)

    watched = "\n".join(_expressions())

    # Commands are counted by kind, to be looked at; wagers and answers are watched.
    assert {name for name in listed if name not in watched} == {
        "croupier_commands_total"
    }


@pytest.mark.parametrize("expression", _expressions())
def test_an_expression_is_whole(expression: str) -> None:
    assert expression.count("(") == expression.count(")")
    assert (
        expression.count("[")
        == expression.count("]")
        == expression.count("m]") + (expression.count("h]"))
    )


def test_every_alert_has_what_prometheus_asks_for() -> None:
    groups = _read("alerts.yaml")["groups"]
    rules = [each for group in groups for each in group["rules"]]

    assert rules
    assert all({"alert", "expr", "labels", "annotations"} <= {*each} for each in rules)
    assert _read("prometheus.yaml")["rule_files"] == ["alerts.yaml"]
    promtool = shutil.which("promtool")
    if promtool is not None:  # it checks more, if it is installed
        config = DEPLOY / "prometheus.yaml"
        subprocess.run([promtool, "check", "config", config], check=True)


def test_the_house_of_the_compose_file_is_started_with_options_that_there_are() -> None:
    house = _read("compose.yaml")["services"]["house"]
    options = {name for each in serve_command.params for name in each.opts}

    command, *words = house["command"]
    given = [word for word in words if word.startswith("--")]

    assert command == "serve"
    assert {*given} <= options
    assert (DEPLOY / house["build"]["dockerfile"]).is_file()


def test_nodes_are_started_alike_behind_the_proxy() -> None:
    services = _read("nodes.yaml")["services"]
    nodes = {name: each for name, each in services.items() if "node" in name}
    proxy = services["proxy"]
    options = {name for each in serve_command.params for name in each.opts}

    words = {name: each["command"].split() for name, each in nodes.items()}

    for command, *given in words.values():
        assert command == "serve"
        assert {word for word in given if word.startswith("--")} <= options
        address = given[given.index("--proxy") + 1]
        assert address == proxy["networks"]["default"]["ipv4_address"]
    own = [{*given[3:]} for given in words.values()]
    assert len(own) > 1
    assert all(each == own[0] for each in own)


@pytest.mark.parametrize("file", ["compose.yaml", "nodes.yaml"])
def test_files_that_the_compose_file_mounts_are_there(file: str) -> None:
    services = _read(file)["services"]
    mounted = {
        volume.partition(":")[0]
        for service in services.values()
        for volume in service.get("volumes", ())
        if volume.startswith("./")
    }

    beside = {f"./{path.name}" for path in DEPLOY.iterdir()}
    assert mounted - beside <= {"./house.toml", "./house.pem"}
    assert "./database.sh" in mounted
    assert _read("prometheus.yaml")["rule_files"] == ["alerts.yaml"]


def test_the_image_is_built_of_files_that_there_are() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")

    for name in ("pyproject.toml", "requirements-server.lock"):
        assert name in text
        assert (ROOT / name).is_file()


def _images() -> list[str]:
    """Every image that the samples name, but for the one that they build."""
    built = re.findall(
        r"^FROM (\S+)", (DEPLOY / "Containerfile").read_text("utf-8"), re.MULTILINE
    )
    services = [
        service
        for file in ("compose.yaml", "nodes.yaml")
        for service in _read(file)["services"].values()
    ]
    named = {service["image"] for service in services}
    return sorted({*built, *named} - {"croupier"})


@pytest.mark.parametrize("image", _images())
def test_an_image_is_named_by_its_whole_version(image: str) -> None:
    _, _, version = image.rpartition(":")

    assert re.match(r"v?\d+\.\d+(\.\d+)?(-|$)", version), image


def _goes_into_a_build(path: str) -> bool:
    """Read Containerfile.dockerignore as a builder does: the last line that fits."""
    lines = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    parts, is_in = path.split("/"), True
    folders = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    for line in lines:
        pattern = line.removeprefix("!")
        if line.startswith("#"):
            continue
        if pattern.startswith("**/"):
            fits = any(fnmatch(part, pattern[3:]) for part in parts)
        else:
            fits = any(
                fnmatch(each, pattern)
                for each in folders
                if each.count("/") == pattern.count("/")
            )
        if fits:
            is_in = line.startswith("!")
    return is_in


def test_a_build_takes_the_sources_and_no_secret() -> None:
    taken = ("pyproject.toml", "src/croupier/__init__.py", "pages/src/main.ts")
    secrets = (".env", "key.pem", "certificate.pem", "signing.key", "house.toml")
    nested = ("src/.env", "samples/key.pem", "pages/key.pem", "pages/node_modules/a.js")

    assert all(map(_goes_into_a_build, (*taken, "croupier-1.0-py3-none-any.whl")))
    assert not any(map(_goes_into_a_build, (*secrets, *nested, "house.db")))


@contextmanager
def _started(command: list[str], **more: Any) -> Iterator[int]:
    """The port of the house that a command serves."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, **more
    ) as process:
        assert process.stdout is not None
        told = process.stdout.readline()
        try:
            yield int(told.strip().rpartition(":")[2])
        finally:
            process.terminate()
            assert process.wait(60) == 0


def _here(word: str, places: Mapping[str, str]) -> str:
    for place, here in places.items():
        word = word.replace(place, here)
    return word


def _asked(port: int, path: str, host: str) -> int:
    own = ssl._create_unverified_context()
    connection = HTTPSConnection("127.0.0.1", port, timeout=30, context=own)
    connection.request("GET", path, headers={"host": host})
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_compose_file_runs_a_house_that_prometheus_may_ask(tmp_path: Path) -> None:
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    services = _read("compose.yaml")["services"]
    [create] = re.findall(r"run --rm house (house create .*) \\\n#\s+(.*)\n", text)
    OwnCa.make(tmp_path)
    server = PasswordServer()
    places = {
        "/house.toml": str(DEPLOY.parent / "real-money.toml"),
        "/run/secrets/certificate": f"{tmp_path}/tls.pem",
        "/run/secrets/key": f"{tmp_path}/tls.key",
        "/run/secrets/signing-key": f"{tmp_path}/signing.key",
        "/var/lib/croupier": str(tmp_path),
        "@database/": f"@localhost:{server.port}/",
        "8443": "0",
        "${CROUPIER_HOST:?in .env}": "casino.example",
    }
    environment = {**os.environ, "PGPASSWORD": "of the house"}
    croupier = [sys.executable, "-m", "croupier"]

    def run(*words: str, **more: str) -> None:
        subprocess.run(
            words,
            check=True,
            input="seventeen black\n",
            text=True,
            env={**environment, **more},
            stdout=subprocess.DEVNULL,
        )

    try:
        run(
            *("sh", str(DEPLOY / "database.sh")),
            POSTGRES_USER=services["database"]["environment"]["POSTGRES_USER"],
            CROUPIER_PASSWORD=environment["PGPASSWORD"],
            PGHOST=str(server.folder),
            PGPORT=str(server.port),
        )
        run(*croupier, "journal", "key", f"{tmp_path}/signing.key")
        run(*croupier, *(_here(word, places) for word in " ".join(create).split()))
        command = [_here(word, places) for word in services["house"]["command"]]
        [target] = _read("prometheus.yaml")["scrape_configs"][0]["static_configs"][0][
            "targets"
        ]
        with _started([*croupier, *command], env=environment) as port:
            assert _asked(port, "/metrics", target) == 200
            assert _asked(port, "/metrics", "casino.example") == 200
            assert _asked(port, "/metrics", "elsewhere.example") == 400
            _, program, *words = services["house"]["healthcheck"]["test"]
            assert program == "python"
            run(sys.executable, *(word.replace("8443", str(port)) for word in words))
        assert (tmp_path / "house.checkpoints").read_text()
        with psycopg.connect(server.url()) as connection:
            roles = connection.execute("SELECT rolname FROM pg_roles WHERE rolsuper")
            assert roles.fetchall() == [("postgres",)]
    finally:
        server.stop()


def test_the_unit_serves_the_house_that_the_page_begins(tmp_path: Path) -> None:
    unit = (DEPLOY / "croupier.service").read_text("utf-8").replace("\\\n", " ")
    page = (DOCS / "operating.md").read_text("utf-8")
    [start] = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    credentials = re.findall(r"^LoadCredential=(\S+):(\S+)$", unit, re.MULTILINE)
    begin = re.findall(r"^\S+/(croupier (?:journal|house) .*)$", page, re.MULTILINE)
    (tmp_path / "house.toml").write_bytes(
        (DEPLOY.parent / "real-money.toml").read_bytes()
    )
    places = {
        **{f"%d/{name}": file for name, file in credentials},
        "/opt/croupier/bin/croupier": f"{sys.executable} -m croupier",
        "/etc/croupier": str(tmp_path),
        "/var/lib/croupier": str(tmp_path),
        "--port 8000": "--port 0",
    }

    for line in begin:
        subprocess.run(
            [sys.executable, "-m", *_here(line, places).split()],
            check=True,
            input="seventeen black\n",
            text=True,
            stdout=subprocess.DEVNULL,
        )
    with _started(_here(start, places).split()) as port:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/ready")
        assert connection.getresponse().status == 200
        connection.close()
    assert (tmp_path / "house.checkpoints").read_text()
