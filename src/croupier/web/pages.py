"""The built pages: one document and its assets.

Files are read when the routes are made; requests touch no disk. The name of an asset
changes with its content, so a browser may keep it forever.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from croupier.web.routing import accepted_encodings

BUILT = Path(__file__).parent / "pages"
"""The output of `npm run build`, which git ignores."""
NOT_BUILT = (
    "The pages are not built here: run `make pages`, or install a released wheel."
)
PATHS = (
    "/",
    "/seat/{table}",
    "/seats",
    "/console/{table}",
    "/board/{table}",
    "/pit",
    "/cashier",
    "/inspector",
    "/learn",
    "/sheet",
)
"""The paths of screens, all of the one document."""
_INDEX = "index.html"
_ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""Encodings, best first, with the suffix of their files."""
_FOR_PROGRAMS = ("/api", "/assets/", "/health", "/ready", "/metrics")
_FOR_GOOD = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class _File:
    """A built file, plain and compressed."""

    content: bytes
    media_type: str
    compressed: dict[str, bytes]
    cache_control: str

    @classmethod
    def read(cls, path: Path, cache_control: str) -> _File:
        media_type, _ = guess_type(path.name)
        packed = {name: Path(f"{path}{ending}") for name, ending in _ENCODINGS}
        return cls(
            path.read_bytes(),
            media_type or "application/octet-stream",
            {
                name: each.read_bytes()
                for name, each in packed.items()
                if each.is_file()
            },
            cache_control,
        )

    async def answer_missing(self, request: Request) -> Response:
        """Answer 404 with this file, which says that there is no such page."""
        response = await self.answer(request)
        if response.status_code == 200:  # 304 stays: the browser has the file
            response.status_code = 404
        return response

    async def answer(self, request: Request) -> Response:
        encoding = _encoding(request, self.compressed)
        content = self.compressed.get(encoding or "", self.content)
        etag = f'"{sha256(content).hexdigest()[:32]}"'
        headers = {
            "ETag": etag,
            "Cache-Control": self.cache_control,
            "Vary": "Accept-Encoding",
        }
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if encoding is not None:
            headers["Content-Encoding"] = encoding
        return Response(content, headers=headers, media_type=self.media_type)


def _encoding(request: Request, there: dict[str, bytes]) -> str | None:
    taken = accepted_encodings(request)
    return next(
        (name for name, _ in _ENCODINGS if name in taken and name in there), None
    )


class _MissingPage(Route):
    """Any other page that a browser requests; programs get an `ApiProblem`."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        named = Headers(scope=scope) if scope["type"] == "http" else Headers()
        is_page = "text/html" in named.get("accept", "") and scope["method"] == "GET"
        if not is_page or scope["path"].startswith(_FOR_PROGRAMS):
            return Match.NONE, {}
        return super().matches(scope)


def page_routes(built: Path = BUILT) -> list[BaseRoute]:
    """Return a route for each page and asset; without a build, pages answer 503."""
    if not (built / _INDEX).is_file():
        return [Route(path, _not_built) for path in PATHS]
    index = _File.read(built / _INDEX, "no-cache")
    return [
        *(Route(path, index.answer) for path in PATHS),
        *(
            Route(f"/assets/{path.name}", _File.read(path, _FOR_GOOD).answer)
            for path in sorted((built / "assets").iterdir())
            if path.suffix not in {ending for _, ending in _ENCODINGS}
        ),
        _MissingPage("/{path:path}", index.answer_missing),
    ]


async def _not_built(_: Request) -> Response:
    return PlainTextResponse(NOT_BUILT, 503)
