"""What the samples deploy names metrics, options and files that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.parser import text_string_to_metric_families

from croupier.cli.serve_command import serve_command
from tests.docs.pages import DOCS, ROOT
from tests.web.test_metrics import metrics_of_a_node

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
    exposed = metrics_of_a_node().exposition().decode()
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
    if promtool is not None:  # it knows more, where it is there
        config = DEPLOY / "prometheus.yaml"
        subprocess.run([promtool, "check", "config", config], check=True)


def test_the_house_of_the_compose_file_is_started_with_options_that_there_are() -> None:
    house = _read("compose.yaml")["services"]["house"]
    options = {name for each in serve_command.params for name in each.opts}

    command, *words = house["command"]
    given = [word for word in words if word.startswith("--")]

    assert command == "serve"
    assert {*given} <= options
    assert {"--tls-certificate", "--tls-key", "--allowed-host"} <= {*given}
    assert (DEPLOY / house["build"]["dockerfile"]).is_file()


def test_nodes_are_started_alike_at_addresses_of_their_own() -> None:
    services = _read("nodes.yaml")["services"]
    nodes = {name: each for name, each in services.items() if "node" in name}
    proxy = services["proxy"]
    options = {name for each in serve_command.params for name in each.opts}

    words = {name: each["command"].split() for name, each in nodes.items()}

    for name, (command, *given) in words.items():
        assert command == "serve"
        assert {word for word in given if word.startswith("--")} <= options
        assert given[given.index("--address") + 1] == f"http://{name}:8000"
        assert f"--to http://{name}:8000" in proxy["command"]
        address = given[given.index("--proxy") + 1]
        assert address == proxy["networks"]["default"]["ipv4_address"]
    own = [{*given[5:]} for given in words.values()]
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
    assert mounted - beside == {"./house.toml"}
    assert _read("prometheus.yaml")["rule_files"] == ["alerts.yaml"]


def test_the_image_is_built_of_files_that_there_are() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")

    for name in ("pyproject.toml", "requirements-server.lock"):
        assert name in text
        assert (ROOT / name).is_file()
    assert (
        re.findall(r"^FROM (\S+)", text, re.MULTILINE)
        == ["docker.io/library/python:3.13-slim"] * 2
    )
