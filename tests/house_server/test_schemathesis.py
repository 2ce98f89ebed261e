"""Schemathesis over the OpenAPI document: every answer is as it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house_server.server import House, open_house

_CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
_KNOWN = """\
[parameters]
table = "v3"
seat = "Anna-v3"
game = "mbs-roulette-v3"
"""
"""Known names, so that not every answer is “there is no such table”."""


@pytest.mark.parametrize(
    ("who", "phase"), [("", "fuzzing"), ("Ada", "fuzzing"), ("Mira", "coverage")]
)
def test_every_answer_is_as_the_document_says(
    who: str, phase: str, tmp_path: Path
) -> None:
    with open_house("sqlite", tmp_path) as house:
        (tmp_path / "schemathesis.toml").write_text(_KNOWN)
        done = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"),
                *("--config-file", str(tmp_path / "schemathesis.toml")),
                *("run", f"{house.address}/api/openapi.json"),
                *("--phases", phase, "--max-examples", "4"),
                *("--generation-deterministic", "--no-color", "--workers", "1"),
                *("--checks", ",".join(_CHECKS), "--rate-limit", "180/s"),
                *("--exclude-path", "/api/log-off"),  # it would end the session
                *_headers(house, who),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

        assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
        assert " generated, " in done.stdout


def _headers(house: House, who: str) -> list[str]:
    """Return a browser's headers: its rate limit is higher than a token's."""
    if not who:
        return []
    given = house.ask("POST", "/api/demonstration/staff", {"name": who})
    cookies = f"croupier_session={given['token']}; croupier_csrf={given['csrf']}"
    return [
        *("-H", f"Cookie: {cookies}", "-H", f"X-CSRF-Token: {given['csrf']}"),
        *("-H", f"Origin: {house.address}"),
    ]
