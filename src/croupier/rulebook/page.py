"""HTML pages of the rulebook and of the comparison, to read, print and file."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256

from croupier.games.digest import game_digest
from croupier.rulebook.agreement import disagreements
from croupier.rulebook.comparison import DocumentComparison, odds_table
from croupier.rulebook.document import RuleDocument
from croupier.rulebook.rulebook import rulebook_of
from croupier.rulebook.sentences import Mark
from croupier.rules.game import Game
from croupier.tabular.pages import render

_SIGNS = {
    Mark.SOFTWARE: "✓",
    Mark.PERSON: "☞",
    Mark.READING: "◆",
    Mark.INFORMATION: "i",
    Mark.NOT_COVERED: "✗",
}
"""Shapes differ, so that a grey copy stays readable."""
_ROLES = ("Everyone", "Player", "Dealer", "Pit", "House")
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class ActivePage:
    """A page with its only style sheet and script."""

    html: str
    style: str
    script: str

    @property
    def content_security_policy(self) -> str:
        """Return a policy that allows only this style sheet and this script."""
        return (
            f"default-src 'none'; style-src {_hashed(self.style)};"
            f" script-src {_hashed(self.script)}; base-uri 'none'; form-action 'none';"
            " frame-ancestors 'none'"
        )


def _hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _active_page(
    template: str, style: str, script: str, **values: object
) -> ActivePage:
    """Return the template with the shared style sheet, its own, and its script."""
    shared = render("style.css")
    style = f"\n{shared}\n{render('rulebook.css')}\n{style}\n"
    script = f"\n{render(script)}\n" if script else ""
    html = render(template, style=style, script=script, **values)
    return ActivePage(html, style, script)


def rulebook_page(game: Game, document: RuleDocument | None = None) -> ActivePage:
    """Return the page of a game; with the document's text it quotes each sentence."""
    book = rulebook_of(game, document)
    digest = game_digest(game)[:_DIGITS]
    source = (
        "Quoted from the operator's file."
        if document
        else "In our words: no file of the document is attached."
    )
    sums = [
        (mark.name.lower(), _SIGNS[mark], mark.value, book.counts[mark])
        for mark in Mark
    ]
    widths = (n for *_, n in sums if n)
    style = "\n".join(
        f".croupier .bar .n{place}{{flex:{n}}}" for place, n in enumerate(widths, 1)
    )
    return _active_page(
        "rulebook.html",
        style,
        "rulebook.js",
        title=game.document,
        book=book,
        digest=digest,
        source=source,
        findings=disagreements(game, document) if document else (),
        sums=sums,
        signs=_SIGNS,
        roles=_ROLES,
    )


def comparison_page(both: DocumentComparison) -> ActivePage:
    """Return the page of two documents side by side."""
    return _active_page(
        "compare.html",
        "",
        "",
        title=f"{both.one.game.document} and {both.two.game.document}",
        both=both,
        odds=odds_table(both),
    )
