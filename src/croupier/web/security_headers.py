"""The headers that every answer has, so that a browser helps no attacker."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Send

_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(),"
        " magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_TWO_YEARS = "max-age=63072000; includeSubDomains"


def with_security_headers(send: Send, path: str, own: str | None) -> Send:
    """`send` that adds the headers; `own` is the server's origin, where it is known."""

    async def send_with(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_FIXED)
            headers.setdefault("Content-Security-Policy", content_security_policy(own))
            if path == "/api" or path.startswith("/api/"):
                headers.setdefault("Cache-Control", "no-store")
            if own is not None and own.startswith("https:"):
                headers["Strict-Transport-Security"] = _TWO_YEARS
        await send(message)

    return send_with


def content_security_policy(own: str | None) -> str:
    """Everything from here and nothing inline; older browsers need the socket named."""
    socket = "" if own is None else f" ws{own.removeprefix('http')}"
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        f" font-src 'self'; connect-src 'self'{socket}; frame-ancestors 'none';"
        " base-uri 'none'; form-action 'self'"
    )
