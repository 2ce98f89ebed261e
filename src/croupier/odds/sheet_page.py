"""A PAR sheet as one HTML page that needs nothing else: to read, print and file."""

from __future__ import annotations

from html import escape

from croupier.odds.cases import all_draws, draw_size
from croupier.odds.model import NO_APPROVED_GAME
from croupier.odds.sheet import ParSheet
from croupier.odds.sheet_tables import (
    band_tables,
    distribution_table,
    exact_table,
    kind_table,
    source_table,
    wager_table,
)
from croupier.rules.terms import write_limits, write_settings

METHODS = (
    "Every outcome is counted and settled by the same rules that settle at a table;"
    " probability, return, house edge and variance are exact fractions. Win"
    " probability is that at least one piece is paid. Deviation is the standard"
    " deviation of a unit, and volatility the volatility index: the deviation times"
    " the normal quantile of 90 % (1.645); divided by the root of the number of rounds"
    " it is about half the 90 % band. A band is central: as many spells of play end"
    " below it as above. Methods “binomial” and “convolution”: the true quantiles,"
    " counted out or convolved in float64 and given only where rounding can’t change"
    " them. Method “Cornish-Fisher”, marked ≈: normal quantiles corrected by the exact"
    " skewness, an approximation."
)

_STYLE = """
:root{color-scheme:light dark;--page:#fbf9f3;--ink:#14201b;--ink-2:#4a5a52;
--hair:#d5d0c1;--head:#f2eee3;--brass:#6b4800;--bad:#a5161f;--bar:#12704a;
--b90:#12704a;--b95:#4c9a78;--b99:#a9cdb9;--mean:#d99a1c}
@media (prefers-color-scheme:dark){:root{--page:#121a17;--ink:#f5f0e2;--ink-2:#b3c0b9;
--hair:#2c3a34;--head:#1a2420;--brass:#ecc36f;--bad:#ff9488;--bar:#3f9f78;
--b90:#3f9f78;--b95:#2b6f55;--b99:#1d4a3a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:24px;background:var(--page);
color:var(--ink);font:400 15px/1.45 "Segoe UI Variable","Segoe UI",-apple-system,
BlinkMacSystemFont,Roboto,"Noto Sans","Liberation Sans",system-ui,sans-serif;
font-variant-numeric:tabular-nums}
h1{font-size:28px;line-height:1.2;margin:0 0 4px}
h2{font-size:20px;margin:32px 0 8px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:16px 0}
dt{color:var(--ink-2)}dd{margin:0}
.label{border:2px solid var(--bad);color:var(--bad);border-radius:10px;
padding:10px 14px;font-weight:600;margin:16px 0}
.label ul{margin:6px 0 0;font-weight:400}
.scroll{overflow-x:auto;margin:8px 0 20px}
table{border-collapse:collapse;width:100%;font-size:13px}
caption{text-align:left;color:var(--ink-2);padding:4px 0}
th,td{border-bottom:1px solid var(--hair);padding:4px 8px;text-align:left;
vertical-align:top}
thead th{background:var(--head)}
tbody th{font-weight:600}
.r{text-align:right;white-space:nowrap}
figure{display:inline-block;margin:0 12px 12px 0}
figcaption{font-size:13px;font-weight:600}
svg{display:block;max-width:100%;height:auto}
footer{color:var(--ink-2);margin-top:24px}
.key span{display:inline-block;width:14px;height:14px;border-radius:3px;
vertical-align:-2px;margin:0 4px 0 12px}
.key .b90{background:var(--b90)}.key .b95{background:var(--b95)}
.key .b99{background:var(--b99)}
@media print{:root{color-scheme:light;--page:#fff;--ink:#000;--ink-2:#333;
--hair:#bbb;--head:#eee;--brass:#6b4800;--bad:#a5161f;--bar:#12704a;--b90:#12704a;
--b95:#4c9a78;--b99:#a9cdb9}body{padding:0;max-width:none}
.scroll{overflow:visible}tr,figure{break-inside:avoid}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""


def sheet_page(sheet: ParSheet, footer: str = "") -> str:
    """The page, whole; `footer` is for who reckoned it, with what, and when."""
    game = sheet.game
    title = f"PAR sheet: {game.document}"
    head = f"{_label(sheet)}{_facts(sheet)}"
    return whole_page(title, head, _body(sheet), footer)


def whole_page(title: str, head: str, body: str, footer: str) -> str:
    """A page that needs nothing else; title and footer are text, the rest HTML."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{head}</header>"
        f"<main>{body}</main><footer>{escape(footer)}</footer></body></html>\n"
    )


def _label(sheet: ParSheet) -> str:
    """What has been changed, where this is no game of a document."""
    model = sheet.model
    if model.is_approved:
        return ""
    said = "".join(f"<li>{escape(change)}</li>" for change in model.changes)
    title = f"“{escape(model.title)}”: " if model.title else ""
    label = f"{NO_APPROVED_GAME.capitalize()}. {title}{escape(model.based_on)}, changed"
    return f'<div class="label" role="note">{label}:<ul>{said}</ul></div>'


def _facts(sheet: ParSheet) -> str:
    game, terms = sheet.game, sheet.terms
    facts = [
        ("Game", game.name),
        ("Document", game.document + _in_effect(sheet)),
        ("Compartments", f"{len(game.numbers)}, {_chances(sheet)}"),
    ]
    if sheet.model.is_approved:
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
    rows = "".join(f"<dt>{name}</dt><dd>{escape(said)}</dd>" for name, said in facts)
    return f"<dl>{rows}</dl>"


def _in_effect(sheet: ParSheet) -> str:
    if not sheet.model.is_approved:
        return ""
    return f", in effect from {sheet.game.effective}"


def _chances(sheet: ParSheet) -> str:
    if sheet.model.has_equal_chances:
        return "equally likely (A24)"
    return "not equally likely"


def _body(sheet: ParSheet) -> str:
    plots = "".join(
        f"<figure><figcaption>{escape(kind.title)} <small>{escape(kind.odds.name)}"
        f"</small></figcaption>{kind.plot()}</figure>"
        for kind in sheet.kinds
    )
    key = "".join(f'<span class="b{level}"></span>{level} %' for level in (90, 95, 99))
    clauses = source_table(f"Clauses of {sheet.game.document}", sheet.clauses)
    readings = source_table("Our readings, where the document is open", sheet.readings)
    return (
        f"<h2>Wagers</h2>{kind_table(sheet).html()}{exact_table(sheet).html()}"
        f"<h2>Volatility</h2>{sheet.plot()}"
        f"<h2>The return after many rounds</h2><p class=key>Bands:{key}"
        f" · dashed: the return on average</p>{plots}"
        f"{''.join(table.html() for table in band_tables(sheet))}"
        f"<h2>Methods</h2><p>{escape(METHODS)}</p>"
        f"<h2>Sources</h2>{clauses.html()}{readings.html()}"
        f"<h2>Every wager</h2>{wager_table(sheet).html()}"
        f"<h2>Results</h2>{distribution_table(sheet).html()}"
    )
