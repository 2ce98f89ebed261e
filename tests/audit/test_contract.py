"""The contract that keeps the auditor apart from what it checks leaves nobody out."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
AUDIT = ROOT / "src" / "croupier" / "audit"


def test_the_whole_audit_package_is_under_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [contract] = [
        each
        for each in settings["tool"]["importlinter"]["contracts"]
        if each["name"] == "The audit never imports what it checks"
    ]

    beside_the_report = {path.stem for path in AUDIT.glob("[!_]*")} - {"report"}
    assert {*contract["source_modules"]} == {
        f"croupier.audit.{name}" for name in beside_the_report
    }
    assert not contract.get("ignore_imports")
