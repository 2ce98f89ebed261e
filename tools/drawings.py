"""The drawings of the docs: the round of play, the packages, the way of a wager.

`make generated` draws them again; a test compares them. The round's
arrows are those of `NEXT_PHASE`, the packages those of the import contract.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from croupier.rules.round import NEXT_PHASE, Phase

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures" / "drawings"

_STYLE = """
svg{--room:#fbf9f3;--panel:#fff;--edge:#6c7a73;--ink:#14201b;--soft:#4a5a52}
svg{--pure:#d3e3d9;--world:#f3e6c8;--gold:#6b4800}
svg{--bad:#a5161f;--ill:#f9e3e1;--warn:#7d5200;--wait:#fbeed6}
@media(prefers-color-scheme:dark){
svg{--room:#0a100e;--panel:#121a17;--edge:#74877e;--ink:#f5f0e2;--soft:#b3c0b9}
svg{--pure:#0e4034;--world:#2e2716;--gold:#ecc36f}
svg{--bad:#ff9488;--ill:#2e1a19;--warn:#f4bb57;--wait:#2b2314}}
text{font:14px "Segoe UI",-apple-system,Roboto,"Noto Sans","DejaVu Sans",sans-serif}
text{fill:var(--ink)}.mid{text-anchor:middle}
.name{font-size:18px;font-weight:650}.soft{fill:var(--soft);font-size:13px}
rect{stroke-width:1.5}.plain{fill:var(--panel);stroke:var(--edge)}
.pure{fill:var(--pure);stroke:var(--edge)}.world{fill:var(--world);stroke:var(--gold)}
.ill{fill:var(--ill);stroke:var(--bad)}.wait{fill:var(--wait);stroke:var(--warn)}
path{fill:none;stroke-width:1.8}.dash{stroke-dasharray:5 5}
.go{stroke:var(--ink)}.void{stroke:var(--bad)}.hold{stroke:var(--warn)}
marker path{stroke:none;fill:context-stroke}
"""
_ARROW = (
    '<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 .8L9.200 5 0 9.200z"/></marker>'
)


def _svg(title: str, width: int, height: int, parts: Iterator[str]) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'viewBox="0 0 {width} {height}"><title>{title}</title>'
        f"<style>{_STYLE}</style><defs>{_ARROW}</defs>"
        f'<rect width="{width}" height="{height}" rx="14" style="fill:var(--room)"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


_Place = tuple[int, int, int, int]


def _box(place: _Place, look: str, name: str, *lines: str) -> Iterator[str]:
    x, y, wide, high = place
    middle, top = x + wide // 2, y + (high - 20 * len(lines)) // 2 + 6
    size = f'width="{wide}" height="{high}" rx="10"'
    yield f'<rect x="{x}" y="{y}" {size} class="{look}"/>'
    yield _text(middle, top, name, "name mid")
    for number, line in enumerate(lines, start=1):
        yield _text(middle, top + 20 * number, line)


def _text(x: int, y: int, text: str, look: str = "soft mid") -> str:
    return f'<text x="{x}" y="{y}" class="{look}">{text}</text>'


def _arrow(path: str, look: str = "go") -> str:
    return f'<path d="{path}" class="{look}" marker-end="url(#tip)"/>'


_PHASES: dict[Phase, tuple[_Place, str, tuple[str, ...]]] = {
    Phase.AWAITING: (
        (20, 230, 130, 100),
        "plain",
        (
            "the round",
            "is numbered",
        ),
    ),
    Phase.BETTING: (
        (270, 230, 170, 100),
        "pure",
        ("Players place,", "increase, withdraw"),
    ),
    Phase.CLOSED: (
        (560, 230, 170, 100),
        "pure",
        (
            "the ball comes",
            "to rest",
        ),
    ),
    Phase.DECIDED: (
        (830, 230, 170, 100),
        "pure",
        (
            "the winning number",
            "is announced",
        ),
    ),
    Phase.ENDED: (
        (1090, 230, 130, 100),
        "pure",
        (
            "wagers paid",
            "or collected",
        ),
    ),
    Phase.HELD: ((520, 60, 250, 80), "wait", ("waits for the Shift Manager",)),
    Phase.VOID: ((520, 420, 250, 80), "ill", ("every wager goes back in full",)),
}
_WAYS = {
    (Phase.AWAITING, Phase.BETTING): ("M150 280H266", "go"),
    (Phase.BETTING, Phase.CLOSED): ("M440 280H556", "go"),
    (Phase.CLOSED, Phase.DECIDED): ("M730 280H826", "go"),
    (Phase.DECIDED, Phase.ENDED): ("M1000 280H1086", "go"),
    (Phase.BETTING, Phase.HELD): ("M355 230V110H516", "hold"),
    (Phase.CLOSED, Phase.HELD): ("M645 230V144", "hold"),
    (Phase.DECIDED, Phase.HELD): ("M880 230V110H774", "hold"),
    (Phase.HELD, Phase.DECIDED): ("M770 80H940V226", "go"),
    (Phase.BETTING, Phase.VOID): ("M355 330V450H516", "void"),
    (Phase.CLOSED, Phase.VOID): ("M645 330V416", "void"),
    (Phase.DECIDED, Phase.VOID): ("M915 330V450H774", "void"),
    (Phase.HELD, Phase.VOID): ("M520 80H10V480H516", "void dash"),
    (Phase.ENDED, Phase.VOID): ("M1190 330V530H645V504", "void dash"),
    (Phase.VOID, Phase.ENDED): ("M770 480H1130V334", "go"),
}
_CALLS = (
    (208, 270, "“Place your bets”"),
    (498, 270, "“No more bets”"),
    (778, 270, "outcome"),
    (1043, 270, "settle"),
    (435, 100, "not covered,"),
    (435, 128, "or disputed"),
    (1010, 150, "outcome decided"),
    (435, 440, "irregularity"),
    (435, 470, "or “no spin”"),
    (1000, 470, "stakes returned"),
    (920, 550, "voided after the settlement"),
    (180, 70, "the Shift Manager voids it"),
)


def _changes() -> set[tuple[Phase, Phase]]:
    return {
        (before, after) for (before, _), after in NEXT_PHASE.items() if before != after
    }


def draw_round() -> str:
    """Draw each phase, and an arrow for each change that `NEXT_PHASE` allows."""

    def parts() -> Iterator[str]:
        for phase, (place, look, lines) in _PHASES.items():
            yield from _box(place, look, phase.value, *lines)
        for change in sorted(_changes(), key=str):
            yield _arrow(*_WAYS[change])
        for x, y, call in _CALLS:
            yield _text(x, y, call)

    return _svg("The phases of a round of play", 1240, 570, parts())


_PURE = ("odds", "games", "ledger", "rules")
_WORLD = ("web", "journal", "chance")


def draw_packages() -> str:
    """Draw the layers of the import contract; imports point down only."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contract = settings["tool"]["importlinter"]["contracts"][0]
    layers = [layer.split(" | ") for layer in contract["layers"]]

    def parts() -> Iterator[str]:
        for row, packages in enumerate(layers):
            wide = (1000 - 10 * (len(packages) - 1)) // len(packages)
            for place, name in enumerate(packages):
                pure, world = name in _PURE, name in _WORLD
                look = "pure" if pure else "world" if world else "plain"
                x, y = 20 + place * (wide + 10), 20 + row * 50
                yield from _box((x, y, wide, 40), look, name)
        yield _text(
            520,
            45 + 50 * len(layers),
            "Green: no clock, chance, disk or network. Brass: the world comes in here.",
        )

    return _svg("The packages in layers", 1040, 60 + 50 * len(layers), parts())


_STEPS = (
    ("Terminal", "plain", "1 a chip is laid", "dashed: not registered"),
    ("web", "world", "2 frame to command", "who sits there?"),
    ("house", "plain", "3 the table is found", "one queue for all tables"),
    ("table", "plain", "4 judged", "sent twice, answered once"),
    ("rules, ledger", "pure", "5 may it lie there?", "chips, limits, clause"),
    ("journal", "world", "6 one commit", "event, entries, hash"),
)


def draw_wager() -> str:
    """Draw the way of a wager from the terminal to the disk and back."""

    def parts() -> Iterator[str]:
        for place, (name, look, *lines) in enumerate(_STEPS):
            x = 20 + 205 * place
            yield from _box((x, 30, 185, 110), look, name, *lines)
            if place:
                yield _arrow(f"M{x - 20} 75H{x - 4}")
        yield _arrow("M1137 140V200H112V144")
        yield _text(
            625, 192, "7 acknowledged after the commit: a solid chip", "soft mid"
        )
        yield _arrow("M932 140V250H60V144", "void dash")
        yield _text(
            500,
            242,
            "refused: the reason and its clause; the chip goes back",
            "soft mid",
        )

    return _svg("The way of a wager", 1250, 270, parts())


DRAWINGS = {
    "round.svg": draw_round,
    "packages.svg": draw_packages,
    "wager.svg": draw_wager,
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, draw in DRAWINGS.items():
        (FOLDER / name).write_text(draw(), "utf-8")


if __name__ == "__main__":
    main()
