"""The pages say what the code does."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from croupier.games.readings import READINGS
from croupier.rules.clause import Refusal
from croupier.rules.game import Game
from croupier.rules.round import NEXT_PHASE, Phase
from tests.cli.running import run_here
from tests.expectations import all_transcripts
from tools.docs.acts import ACTS, ActRow, states, tried
from tools.docs.generated import block_names, command_names, render
from tools.docs.pages import DOCS, PAGES, ROOT, Example, blocks, examples, files_of
from tools.docs.tables import GAMES
from tools.drawings import DRAWINGS, FOLDER, draw_packages, draw_round

TEXT = {page.name: page.read_text("utf-8") for page in PAGES}
BLOCKS = [(name, block) for name, text in TEXT.items() for block in blocks(text)]
README = ROOT / "README.md"
EXAMPLES = [example for page in (*PAGES, README) for example in examples(page)]
FILES = {page.name: files_of(page) for page in PAGES}
LINK = re.compile(r"\]\((?!https?:)(?!pictures/)([^)#]*)(?:#([^)]*))?\)")
PICTURE = re.compile(r"\]\((pictures/[^)]*)\)")


@pytest.mark.parametrize(("page", "block"), BLOCKS, ids=str)
def test_a_table_is_what_the_code_says(page: str, block: str) -> None:
    assert blocks(TEXT[page])[block] == render(block), "run `make generated`"


def test_each_table_stands_in_one_page() -> None:
    assert sorted(block for _, block in BLOCKS) == sorted(block_names())


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_what_the_code_says(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == DRAWINGS[name](), (
        "run `make generated`"
    )


def test_the_drawing_of_the_round_has_an_arrow_for_each_change_of_phase() -> None:
    changes = {
        (before, after) for (before, _), after in NEXT_PHASE.items() if before != after
    }

    assert draw_round().count("marker-end") == len(changes)


@pytest.fixture
def example_folder(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder with the files that the pages show, and the samples."""
    example: Example = request.getfixturevalue("example")
    for name, text in FILES.get(example.page, {}).items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("example_folder")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e.page} {e.command}")
def test_an_example_prints_what_the_page_shows(example: Example) -> None:
    program, *args = example.words

    ran = run_here(*args)

    assert program == "croupier"
    assert example.pattern.fullmatch(ran.stdout + ran.stderr), ran
    assert ran.code == (2 if ran.stderr.startswith("croupier:") else 0)


@pytest.mark.parametrize("name", command_names())
def test_each_command_is_described_and_has_an_example(name: str) -> None:
    shown = [e.words[1] for e in EXAMPLES if e.page == "command-line.md"]

    assert f"\n## {name}\n" in TEXT["command-line.md"]
    assert name in shown


@pytest.mark.parametrize("page", TEXT)
def test_links_lead_somewhere(page: str) -> None:
    lost = [
        target + "#" + anchor
        for target, anchor in LINK.findall(TEXT[page])
        if anchor not in _anchors(target or page)
        and not (anchor == "" and (DOCS / target).is_file())
    ]

    assert lost == []


@pytest.mark.parametrize("page", TEXT)
def test_pictures_are_there(page: str) -> None:
    folder = ROOT / "docs"
    lost = [
        name for name in PICTURE.findall(TEXT[page]) if not (folder / name).exists()
    ]

    assert lost == []


def test_links_and_pictures_of_the_readme_lead_to_files() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)]*)\)", README.read_text("utf-8"))

    assert len(targets) > 20
    assert [name for name in targets if not (ROOT / name).is_file()] == []


def test_the_readme_counts_rules_readings_and_golden_tables() -> None:
    text = README.read_text("utf-8")
    clauses = [
        clause
        for game in GAMES
        for clause in json.loads(run_here("rules", game.name, "--json").stdout)[
            "clauses"
        ]
        if clause["of_software"]
    ]
    golden = [*(ROOT / "tests" / "golden").iterdir()]

    assert all(clause["code"] and clause["tests"] for clause in clauses)
    assert f"| {len(clauses)} rules for software in five games" in text
    assert f"| {len(READINGS)} published answers" in text
    assert f"| {len(golden)} tables of wagers" in text
    assert len(all_transcripts()) > 850


def _anchors(page: str) -> set[str]:
    """The anchors of a page, with the empty one for its top."""
    headings = re.findall(r"^#+ (.+)$", TEXT.get(page, "\0"), re.MULTILINE)
    slugs = [
        re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings
    ]
    return {"", *slugs} if page in TEXT else set()


def test_the_menu_has_every_page() -> None:
    menu = re.findall(
        r": ([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE
    )

    assert sorted(menu) == sorted(TEXT)


def test_the_readings_are_those_that_the_command_prints() -> None:
    rows = re.findall(
        r"^\| (\w+) \| (.*) \| (.*) \| ?(\w*) ?\|$", TEXT["readings.md"], re.MULTILINE
    )

    assert rows[1:] == [
        (each.id, each.question, each.answer, each.setting or "") for each in READINGS
    ]


def test_the_architecture_has_each_package_in_a_layer() -> None:
    packages = blocks(TEXT["architecture.md"])["package table"]

    named = re.findall(r"^\| `(\w+)` \|", packages, re.MULTILINE)

    drawn = re.findall(r'class="name mid">(\w+)<', draw_packages())
    assert sorted(named) == sorted(drawn)


def test_the_architecture_lists_the_modules_of_the_rules_in_order() -> None:
    text = TEXT["architecture.md"].partition("## The modules of `rules`")[2]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    [layers] = [c["layers"] for c in contracts if "one way" in c["name"]]

    listed = re.findall(r"^\| `(\w+)` \|", text.partition("\n## ")[0], re.MULTILINE)
    heights = [
        height
        for name in listed
        for height, layer in enumerate(reversed(layers))
        if name in layer.split(" | ")
    ]

    modules = (ROOT / "src" / "croupier" / "rules").glob("[!_]*.py")
    assert sorted(listed) == sorted(path.stem for path in modules)
    assert len(heights) == len(listed)
    assert heights == sorted(heights)


def test_the_acts_are_tried_in_every_phase() -> None:
    for game in GAMES:
        assert {series.current.phase for series in states(game)} == set(Phase)


def _is_open(game: Game, act: ActRow) -> bool:
    """Return whether a person other than the wager's Player may do the act."""
    return not act.is_wagering and any(each.accepted for each in tried(game, act))


def _refused_to_a_player(game: Game, act: ActRow) -> set[str]:
    """Return the clauses that refuse the act to a Player while others may do it."""
    in_time = {each.phase for each in tried(game, act) if each.accepted}
    return {
        each.answer.clause.number
        for each in tried(game, act)
        if isinstance(each.answer, Refusal)
        if each.doer == "Anna" and each.phase in in_time
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_player_is_refused_with_the_clause_that_the_table_cites(game: Game) -> None:
    # Tried here: for a list of cases, every worker would try all acts of all games.
    cited = [act for act in ACTS if _is_open(game, act)]

    others = [
        act.words
        for act in cited
        if (act.clause(game) or "A12") not in _refused_to_a_player(game, act)
    ]

    assert len(cited) > 10
    assert others == []


def test_examples_are_read_as_the_page_shows_them(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ croupier a 'b c'\none\n…\nlast\n$ croupier d\n```\n")

    first, second = examples(page)

    assert first.words == ["croupier", "a", "b c"]
    assert first.pattern.fullmatch("one\nlast\n")
    assert first.pattern.fullmatch("one\ntwo\nlast\n")
    assert not first.pattern.fullmatch("two\nlast\n")
    assert not first.pattern.fullmatch("one\nlast\nmore\n")
    assert (second.command, second.output) == ("croupier d", "")
