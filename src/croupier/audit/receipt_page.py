"""The page that checks a receipt in a browser: one file, which needs no network.

The rules of all installed games are written into it, area by area and outcome by
outcome, so that the page settles a round again from the same tables.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from croupier.games import all_games
from croupier.journal.log.notes import VerifierKey
from croupier.rules.bonus import draw_size, paying_areas
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status

_STATUSES = (Status.NON_BONUS, Status.BONUS, Status.SUPER_BONUS)
"""Statuses in the order of their numbers on the page."""


def receipt_page(keys: Sequence[VerifierKey] = ()) -> str:
    page = _template().replace("/*RULES*/{}", _rules())
    return page.replace("/*KEYS*/[]", _script_text([key.text for key in keys]))


def page_policy(page: str) -> str:
    """Return the page's Content-Security-Policy: only its own script and style."""
    script, style = (_hash(_inside(page, name)) for name in ("script", "style"))
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _inside(page: str, name: str) -> str:
    return page.partition(f"<{name}>")[2].partition(f"</{name}>")[0]


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _template() -> str:
    return (files("croupier.audit") / "receipt_page.html").read_text("utf-8")


@cache
def _rules() -> str:
    return _script_text({game.document: _table(game) for game in all_games()})


def _script_text(value: Any) -> str:
    """Return the value as JSON that can't end the script around it."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _table(game: Game) -> dict[str, Any]:
    areas = [area.name for area in game.areas]
    places = {name: place for place, name in enumerate(areas)}
    draws = bool(draw_size(game))
    wins = {
        f"{number} {place} {int(scatter)}": [
            [places[area], pays]
            for area, pays in paying_areas(game, number, status, scatter).items()
        ]
        for number in game.numbers
        for place, status in enumerate(_STATUSES if draws else _STATUSES[:1])
        for scatter in ((False, True) if draws else (False,))
    }
    has_links = game.provides(Rule.LINKS)
    return {
        "areas": areas,
        "links": game.layout.links if has_links else (),
        "super": has_links and game.provides(Rule.SUPER_BONUS),
        "scatter": has_links and game.provides(Rule.SCATTER),
        "wins": wins,
    }
