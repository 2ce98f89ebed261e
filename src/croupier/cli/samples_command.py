"""`croupier samples`: the files that come with the package, written to a folder."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.options import FOLDER, json_option
from croupier.cli.output import print_columns, print_json

_FOLDER = Path(__file__).parents[1] / "samples"
_KINDS = {
    "south_dakota/golden/*.txt": "what a person read of a sixth game",
    "south_dakota/README.md": "a sixth game from public law: what was read and how",
    "south_dakota/pyproject.toml": "the package of that game",
    "south_dakota_roulette.py": "the rows of that game",
    "*.txt": "rounds of play, as text",
    "notebook.ipynb": "a notebook to start from",
    "wagers.csv": "wagers to settle",
    "settled.csv": "settled wagers, for a report",
    "wheel.csv": "outcomes of a wheel",
    "house.jsonl": "the journal of a house, exported",
    "demonstration.toml": "the house file of the demonstration house",
    "real-money.toml": "a house file for real money",
    "croupier.service": "a house under systemd",
    "Containerfile": "an image of a house",
    "Containerfile.dockerignore": "the files left out of that image: passwords, keys",
    "database.sh": "the role and the database of that house",
    "compose.yaml": "a house in containers, with PostgreSQL",
    "nodes.yaml": "a house of two nodes in containers",
    "haproxy.cfg": "a proxy in front of several nodes",
    "prometheus.yaml": "the addresses that Prometheus reads",
    "alerts.yaml": "alerts for Prometheus",
    "dashboard.json": "a dashboard for Grafana",
}


@click.command("samples")
@click.argument("folder", type=FOLDER, metavar="DIR")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@json_option
def samples_command(folder: Path, *, force: bool, as_json: bool) -> None:
    """Write sample files into DIR; make DIR if it is missing.

    They are transcripts, files of wagers and outcomes, an exported journal, house
    files for a demonstration and for real money, and files to run a house as a service.

    Example: croupier samples samples
    """
    contents = _contents()
    there = [name for name in contents if (folder / name).exists()]
    if there and not force:
        raise click.UsageError(f"{folder / there[0]} is there already; see --force")
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    if as_json:
        print_json({"folder": folder, "files": tuple(contents)})
        return
    rows = [(str(folder / name), kind_of(name)) for name in contents]
    print_columns(("file", "what it is"), rows)


def _contents() -> dict[str, bytes]:
    """Return every sample by its path; `croupier.house` owns the demonstration's."""
    files = [path for path in _FOLDER.rglob("*") if path.is_file()]
    files = [path for path in files if "__pycache__" not in path.parts]
    found = {path.relative_to(_FOLDER).as_posix(): path.read_bytes() for path in files}
    house = _FOLDER.parent / "house" / "demonstration.toml"
    found[house.name] = house.read_bytes()
    return dict(sorted(found.items()))


def kind_of(name: str) -> str:
    path = Path(name)
    return next(kind for pattern, kind in _KINDS.items() if path.match(pattern))
