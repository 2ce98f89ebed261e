"""The rulebook of a game as a page; a table's also quotes the operator's file."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from starlette.responses import Response

from croupier.games import find_game
from croupier.house.configuration.setup import content_of
from croupier.rulebook.document import UnreadableDocument, read_document
from croupier.rulebook.page import ActivePage, rulebook_page
from croupier.web.api.base import HouseApi, Name
from croupier.web.security.authentication import HouseRequest

api = HouseApi("games")

_HTML = "text/html"


@api("GET /api/games/{game}/rulebook", media_type=_HTML)
async def show_rulebook(request: HouseRequest, *, game: Name) -> Response:  # noqa: ARG001
    """Show a page with each clause of a game and the software's part in it."""
    return _answer(await asyncio.to_thread(_page, find_game(game).name, ""))


@api("GET /api/tables/{table}/rulebook", errors={409}, media_type=_HTML)
async def show_rulebook_of_table(request: HouseRequest, *, table: Name) -> Response:
    """Show the rulebook of a table; it quotes an attached file that is text."""
    game = request.floor.table(table).game
    attached = request.record.state.rules.get(table)
    content = await asyncio.to_thread(content_of, attached) if attached else b""
    return _answer(await asyncio.to_thread(_page, game.name, _text(content)))


def _text(content: bytes) -> str:
    """Return the file's text; empty for a PDF or another format."""
    try:
        return "" if content.startswith(b"%PDF") else content.decode()
    except UnicodeDecodeError:
        return ""


@lru_cache(maxsize=16)
def _page(name: str, text: str) -> ActivePage:
    game = find_game(name)
    try:
        document = read_document(text, [row.number for row in game.clauses])
    except UnreadableDocument:
        return rulebook_page(game)
    return rulebook_page(game, document)


def _answer(page: ActivePage) -> Response:
    headers = {"Content-Security-Policy": page.content_security_policy}
    return Response(page.html, media_type=_HTML, headers=headers)
