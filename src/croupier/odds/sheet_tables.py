"""The tables of a PAR sheet: for the terminal, for CSV, and for its page."""

from __future__ import annotations

from croupier.odds.bands import LEVELS, ROUNDS, BandMethod, ReturnBand
from croupier.odds.distribution import Value
from croupier.odds.sheet import Citation, ParSheet, WagerKind
from croupier.odds.tables import TextTable
from croupier.odds.wager_odds import Odds, percent


def kind_table(sheet: ParSheet) -> TextTable:
    """Each sort of wager on one line, with its volatility index."""
    return TextTable(
        f"The wagers of {sheet.game.document} by sort, per unit staked",
        (
            "sort",
            ">wagers",
            ">pieces",
            ">win probability",
            ">return",
            ">house edge",
            ">deviation",
            ">skewness",
            ">volatility",
            ">maximum win",
        ),
        [
            (
                _named(kind),
                str(len(kind.wagers)),
                str(kind.odds.pieces),
                percent(kind.odds.win_probability),
                percent(kind.odds.return_to_player),
                percent(kind.odds.house_edge),
                f"{kind.odds.standard_deviation:.4f}",
                f"{kind.odds.skewness:.4f}",
                f"{kind.volatility_index:.4f}",
                _short(kind.odds.maximum_win),
            )
            for kind in sheet.kinds
        ],
    )


def _named(kind: WagerKind) -> str:
    """The sort's title, and the wager or the first of those that stand for it."""
    if kind.title.lower().replace(" ", "_") == kind.odds.name:
        return kind.title
    more = " …" if len(kind.wagers) > 1 else ""
    return f"{kind.title} ({kind.odds.name}{more})"


def exact_table(sheet: ParSheet) -> TextTable:
    """The same sorts in fractions."""
    return TextTable(
        "Exactly, as fractions",
        ("sort", "win probability", "return", "house edge", "variance"),
        [(_named(kind), *_fractions(kind.odds)) for kind in sheet.kinds],
    )


def distribution_table(sheet: ParSheet) -> TextTable:
    """What a unit staked comes to, and how likely each of it is, for each sort."""
    return TextTable(
        "What a unit staked comes to, net",
        ("sort", ">net", ">probability", "exactly"),
        [
            (_named(kind), _short(value), f"{float(chance):.8f}", str(chance))
            for kind in sheet.kinds
            for value, chance in kind.odds.net.outcomes
        ],
    )


def wager_table(sheet: ParSheet) -> TextTable:
    """Every wager, in fractions."""
    every = (*sheet.wagers, *sheet.multiple_piece_wagers)
    return TextTable(
        "Every wager, per unit staked on the whole of it",
        ("wager", ">win probability", ">return", ">house edge", ">variance"),
        [(odds.name, *_fractions(odds)) for odds in every],
    )


def _fractions(odds: Odds) -> tuple[str, ...]:
    return (
        str(odds.win_probability),
        str(odds.return_to_player),
        str(odds.house_edge),
        str(odds.variance),
    )


def band_table(sheet: ParSheet, level: int) -> TextTable:
    """For one level, the band of each sort after each number of rounds."""
    return TextTable(
        f"Return of {level} % of all spells of play, after so many rounds",
        ("sort", *(f">{rounds:,}" for rounds in ROUNDS), "method"),
        [
            (_named(kind), *map(_band, bands), _methods(bands))
            for kind in sheet.kinds
            for bands in [[b for b in kind.bands if b.level == level]]
        ],
    )


def band_tables(sheet: ParSheet) -> list[TextTable]:
    return [band_table(sheet, level) for level in LEVELS]


def _band(band: ReturnBand) -> str:
    about = "≈ " if band.method is BandMethod.CORNISH_FISHER else ""
    return f"{about}{band.low * 100:.2f} – {band.high * 100:.2f} %"


def _methods(bands: list[ReturnBand]) -> str:
    used = {band.method for band in bands}
    return ", ".join(method.value for method in BandMethod if method in used)


def source_table(title: str, sources: tuple[Citation, ...]) -> TextTable:
    rows: list[tuple[str, ...]] = [(each.number, each.says) for each in sources]
    return TextTable(title, ("number", "what it says, in our words"), rows)


def csv_table(sheet: ParSheet) -> TextTable:
    """Every wager with all its figures; the game stands in each row."""
    return TextTable(
        "",
        (
            "game",
            "document",
            "wager",
            "pieces",
            "win_probability",
            "return",
            "house_edge",
            "variance",
            "standard_deviation",
            "skewness",
            "ahead_probability",
            "maximum_win",
            "volatility_index",
        ),
        [
            (
                sheet.game.name,
                sheet.game.document,
                odds.name,
                str(odds.pieces),
                *_fractions(odds),
                repr(odds.standard_deviation),
                repr(odds.skewness),
                str(odds.ahead_probability),
                str(odds.maximum_win),
                repr(kind.volatility_index),
            )
            for odds, kind in _with_kinds(sheet)
        ],
    )


def _with_kinds(sheet: ParSheet) -> list[tuple[Odds, WagerKind]]:
    kinds = {name: kind for kind in sheet.kinds for name in kind.wagers}
    every = (*sheet.wagers, *sheet.multiple_piece_wagers)
    return [(odds, kinds[odds.name]) for odds in every]


def _short(value: Value) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):.4f}"
