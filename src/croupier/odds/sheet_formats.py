"""A PAR sheet's tables, its page, and its JSON."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from croupier.odds.bands import LEVELS, ROUNDS, BandMethod, ReturnBand
from croupier.odds.chips_odds import Correlation
from croupier.odds.layout_formats import (
    correlation_json,
    distribution_json,
    pair_tables,
)
from croupier.odds.model import NO_APPROVED_GAME
from croupier.odds.sheet import Citation, ParSheet, WagerKind
from croupier.odds.wager_odds import Odds
from croupier.rules.bonus import all_draws, draw_size
from croupier.rules.terms import write_limits, write_settings
from croupier.tabular import Legend, Page, PageSection, TextTable, csv_text
from croupier.tabular.figures import percent, rounded

METHODS = (
    "Every outcome is counted and settled by the same rules that settle at a table;"
    " probability, return, house edge and variance are exact fractions. House edge and"
    " return are of the chips laid, all of which are at risk within the limits. Win"
    " probability is that at least one piece is paid. Deviation is the standard"
    " deviation of a unit, and volatility the volatility index: the deviation times"
    " the normal quantile of 90 % (1.645); divided by the root of the number of rounds"
    " it is about half the 90 % band. A band is central: as many spells of play end"
    " below it as above. Methods “binomial” and “convolution”: the true quantiles,"
    " convolved in float64 and given only if rounding can’t change"
    " them. Method “Cornish-Fisher”, marked ≈: normal quantiles corrected by the exact"
    " skewness, an approximation."
)


def kind_table(sheet: ParSheet) -> TextTable:
    """Return a row for each sort of wager, with its volatility index."""
    return TextTable.of(
        f"The wagers of {sheet.game.document} by sort, per unit staked",
        sheet.kinds,
        {
            "sort": _named,
            ">wagers": lambda kind: str(len(kind.wagers)),
            ">pieces": lambda kind: str(kind.odds.pieces),
            ">win probability": lambda kind: percent(kind.odds.win_probability),
            ">return": lambda kind: percent(kind.odds.return_to_player),
            ">house edge": lambda kind: percent(kind.odds.house_edge),
            ">deviation": lambda kind: f"{kind.odds.standard_deviation:.4f}",
            ">skewness": lambda kind: f"{kind.odds.skewness:.4f}",
            ">volatility": lambda kind: f"{kind.volatility_index:.4f}",
            ">maximum win": lambda kind: rounded(kind.odds.maximum_win, ".4f"),
        },
    )


def _named(kind: WagerKind) -> str:
    """Return the sort's title with its first wager."""
    if kind.title.lower().replace(" ", "_") == kind.odds.name:
        return kind.title
    more = " …" if len(kind.wagers) > 1 else ""
    return f"{kind.title} ({kind.odds.name}{more})"


def _exact_table(sheet: ParSheet) -> TextTable:
    """Return the sorts with their figures as fractions."""
    return TextTable(
        "Exactly, as fractions",
        ("sort", "win probability", "return", "house edge", "variance"),
        [(_named(kind), *_fractions(kind.odds)) for kind in sheet.kinds],
    )


def _distribution_table(sheet: ParSheet) -> TextTable:
    """Return the distribution of the net result of a unit, for each sort."""
    return TextTable(
        "What a unit staked comes to, net",
        ("sort", ">net", ">probability", "exactly"),
        [
            (_named(kind), rounded(value, ".4f"), f"{float(chance):.8f}", str(chance))
            for kind in sheet.kinds
            for value, chance in kind.odds.net.outcomes
        ],
    )


def wager_table(sheet: ParSheet) -> TextTable:
    every = (*sheet.wagers, *sheet.multiple_piece_wagers)
    alike = {
        name: figures
        for kind in sheet.kinds
        for figures in [_fractions(kind.odds)]
        for name in kind.wagers
    }
    return TextTable(
        "Every wager, per unit staked on the whole of it",
        ("wager", ">win probability", ">return", ">house edge", ">variance"),
        [(odds.name, *alike[odds.name]) for odds in every],
    )


def _fractions(odds: Odds) -> tuple[str, ...]:
    return (
        str(odds.win_probability),
        str(odds.return_to_player),
        str(odds.house_edge),
        str(odds.variance),
    )


def band_tables(sheet: ParSheet) -> list[TextTable]:
    """Return a table for each level: bands by sort and number of rounds."""
    return [
        TextTable(
            f"Return of {level} % of all spells of play, by rounds",
            ("sort", *(f">{rounds:,}" for rounds in ROUNDS), "method"),
            [
                (_named(kind), *map(_band, bands), _methods(bands))
                for kind in sheet.kinds
                for bands in [[b for b in kind.bands if b.level == level]]
            ],
        )
        for level in LEVELS
    ]


def _band(band: ReturnBand) -> str:
    about = "≈ " if band.method is BandMethod.CORNISH_FISHER else ""
    return f"{about}{band.low * 100:.2f} – {band.high * 100:.2f} %"


def _methods(bands: list[ReturnBand]) -> str:
    used = {band.method for band in bands}
    return ", ".join(method.value for method in BandMethod if method in used)


def _source_table(title: str, sources: tuple[Citation, ...]) -> TextTable:
    rows: list[tuple[str, ...]] = [(each.number, each.says) for each in sources]
    return TextTable(title, ("number", "what it says, in our words"), rows)


def wager_rows(sheet: ParSheet) -> list[dict[str, Any]]:
    """Return every wager with all its figures and its game."""
    game = sheet.model.game
    kinds = {name: kind for kind in sheet.kinds for name in kind.wagers}
    return [
        {
            "game": game.name,
            "document": game.document,
            "wager": odds.name,
            "pieces": odds.pieces,
            "win_probability": odds.win_probability,
            "return": odds.return_to_player,
            "house_edge": odds.house_edge,
            "variance": odds.variance,
            "standard_deviation": odds.standard_deviation,
            "skewness": odds.skewness,
            "ahead_probability": odds.ahead_probability,
            "maximum_win": odds.maximum_win,
            "volatility_index": kinds[odds.name].volatility_index,
        }
        for odds in (*sheet.wagers, *sheet.multiple_piece_wagers)
    ]


def sheet_csv(sheet: ParSheet) -> str:
    rows = wager_rows(sheet)
    return csv_text(tuple(rows[0]), (map(str, row.values()) for row in rows))


def sheet_page(sheet: ParSheet, footer: str = "") -> Page:
    """Return the sheet as a page; `footer` names the program."""
    model = sheet.model
    title = f"“{model.title}”: " if model.title else ""
    warning = f"{NO_APPROVED_GAME.capitalize()}. {title}{model.based_on}, changed"
    if not model.changes:
        warning = f"{NO_APPROVED_GAME.capitalize()}."
    return Page(
        f"PAR sheet: {sheet.game.document}",
        _facts(sheet),
        _sections(sheet),
        warning="" if model.is_approved else warning,
        reasons=model.changes,
        footer=footer,
    )


def _facts(sheet: ParSheet) -> list[tuple[str, str]]:
    game, terms = sheet.game, sheet.terms
    effect = "" if sheet.model.changes else f", in effect from {game.effective}"
    is_fair = sheet.model.has_equal_chances
    chances = "equally likely (A24)" if is_fair else "not equally likely"
    facts = [
        ("Game", game.name),
        ("Document", game.document + effect),
        ("Compartments", f"{len(game.numbers)}, {chances}"),
    ]
    if not sheet.model.changes:
        facts.insert(2, ("Operator", game.operator.full_name))
    if size := draw_size(game):
        facts.append(
            ("Bonus draws", f"{size} of {len(game.numbers)}: {all_draws(game):,} draws")
        )
    facts += [
        ("Limits", "; ".join(write_limits(terms.limits)) or "none stated"),
        ("Settings", "; ".join(write_settings(terms.settings)) or "as usual"),
    ]
    if sheet.liability is not None:
        facts.append(("Liability of a round", str(sheet.liability)))
    return facts


def _sections(sheet: ParSheet) -> list[PageSection]:
    clauses = _source_table(f"Clauses of {sheet.game.document}", sheet.clauses)
    readings = _source_table("Our readings, where the document is open", sheet.readings)
    key = Legend(
        "Bands:",
        tuple((f"b{level}", f"{level} %") for level in LEVELS),
        "dashed: the return on average",
    )
    plots = [kind.plot() for kind in sheet.kinds]
    return [
        PageSection("Wagers", [kind_table(sheet), _exact_table(sheet)]),
        PageSection("Volatility", [sheet.plot()]),
        PageSection("The return after many rounds", [key, *plots, *band_tables(sheet)]),
        PageSection("Methods", [METHODS]),
        PageSection("Sources", [clauses, readings]),
        PageSection("Every wager", [wager_table(sheet)]),
        PageSection("Results", [_distribution_table(sheet)]),
    ]


def sheet_tables(sheet: ParSheet, pairs: Sequence[Correlation]) -> list[TextTable]:
    wagers = wager_table(sheet), kind_table(sheet)
    return [*wagers, *band_tables(sheet), *pair_tables(pairs)]


def sheet_notes(sheet: ParSheet) -> list[str]:
    """Return the paragraphs below the tables."""
    liability = sheet.liability
    cited = ", ".join(each.number for each in (*sheet.clauses, *sheet.readings))
    first = [] if liability is None else [f"Liability of a round: {liability}"]
    return [*first, f"By {cited}", fill(METHODS, 88)]


def sheet_json(sheet: ParSheet, pairs: Sequence[Correlation] = ()) -> dict[str, Any]:
    """Return the sheet for JSON; `as_document` converts its values."""
    model, terms = sheet.model, sheet.terms
    found = {
        **model.document(),
        "compartments": len(sheet.game.numbers),
        "chances": {n: model.chance(n) for n in sheet.game.numbers},
        "bonus_draws": all_draws(sheet.game),
        "limits": write_limits(terms.limits),
        "settings": write_settings(terms.settings),
        "wagers": [odds.as_json() for odds in sheet.wagers],
        "multiple_piece_wagers": [o.as_json() for o in sheet.multiple_piece_wagers],
        "kinds": [_kind_json(kind) for kind in sheet.kinds],
        "liability": None if sheet.liability is None else sheet.liability.as_json(),
        "clauses": sheet.clauses,
        "readings": sheet.readings,
    }
    if pairs:
        found["correlations"] = [correlation_json(pair) for pair in pairs]
    return found


def _kind_json(kind: WagerKind) -> dict[str, Any]:
    return {
        "title": kind.title,
        "wagers": kind.wagers,
        "volatility_index": kind.volatility_index,
        "bands": kind.bands,
        "distribution": distribution_json(kind.odds.net, "net"),
    }
