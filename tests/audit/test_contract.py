"""The contract that keeps the auditor apart from what it checks leaves nobody out."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
AUDIT = ROOT / "src" / "croupier" / "audit"


def test_every_module_of_the_auditor_is_under_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [contract] = [
        each
        for each in settings["tool"]["importlinter"]["contracts"]
        if each["name"] == "The audit never imports what it checks"
    ]
    names = [path.stem for path in AUDIT.glob("*.py")]
    auditor = [
        f"croupier.audit.{name}"
        for name in names
        if not name.startswith(("__init__", "report_", "wheel_"))
    ]

    assert sorted(contract["source_modules"]) == sorted(auditor)
