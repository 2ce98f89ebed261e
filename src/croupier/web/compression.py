"""Compression of what is sent: which encodings a caller takes, and answers in gzip."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response


def accepted_encodings(request: Request) -> frozenset[str]:
    """Return the encodings that the caller takes."""
    accepted = request.headers.get("accept-encoding", "").replace(" ", "").lower()
    return frozenset(
        each.partition(";")[0] for each in accepted.split(",") if ";q=0" not in each
    )


def compress(response: Response, request: Request) -> None:
    """Make an answer smaller, for a caller that takes it so."""
    response.headers["Vary"] = "Accept-Encoding"
    if "gzip" in accepted_encodings(request):
        response.body = gzip.compress(response.body, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
