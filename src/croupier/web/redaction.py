"""Secrets taken out of what is logged: by the name of a field, and in any text.

A name is secret by one of its words (`pairing_code`, `X-CSRF-Token`). In a text, what
follows such a name is taken out (`?token=…`, `"password": "…"`, `pin=…`), and so is
what looks like a token of ours: a long random word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

REDACTED = "***"
_DEEPEST = 8
_LONGEST = 20_000
_SECRET_HEADERS = frozenset({"authorization", "cookie", "cookies"})
_SECRET_WORDS = _SECRET_HEADERS | {
    *("code", "codes", "credential", "credentials", "csrf", "passphrase", "passwd"),
    *("password", "passwords", "pin", "pins", "secret", "secrets", "token", "tokens"),
}
_HARMLESS = frozenset({"close_code", "exit_code", "status_code"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_NAMES = "|".join(sorted(_SECRET_WORDS - _SECRET_HEADERS))
_NAME = (
    rf"(?<![A-Za-z])(?:[\w-]{{0,40}}[_-])?(?:{_NAMES})(?:[_-](?:hash|header|value))?"
)
_QUOTED = r"""\\*"(?:[^"\\]|\\.)*"?|\\*'(?:[^'\\]|\\.)*'?"""
_HEADERS = re.compile(
    r"(?i)\b(?P<name>(?:set-|proxy-)?(?:cookies?|authorization))"
    r"(?P<sign>\\*[\"']?\s*(?:[:=]|,(?=\s*b?[\"']))\s*)[^\r\n]*"
)
_FIELDS = re.compile(
    rf"(?i)(?P<name>{_NAME})(?P<sign>\\*[\"']?\s*(?:%3D|[:=]|,(?=\s*b?[\"']))\s*)"
    rf"(?P<value>b?(?:{_QUOTED})|[^\s&;,\"'}})\]]+)"
)
_PROSE = re.compile(
    rf"(?i)(?P<name>{_NAME})(?P<sign>\s+(?:(?:is|was)\s+)?)"
    rf"(?P<value>{_QUOTED}|(?=\S*\d)[\w./+=-]{{4,}})"
)
_BEARER = re.compile(r"(?i)\b(?P<name>bearer|basic)(?P<sign>\s+)[\w.~+/=-]+")
_ADDRESS = re.compile(r"(?P<name>://[^\s:/@\"']{0,100})(?P<sign>:)[^\s\"']{0,200}(?=@)")
_RANDOM = re.compile(
    r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?P<name>)(?P<sign>)[A-Za-z0-9_-]{32,}"
)
_PATTERNS = (_BEARER, _HEADERS, _FIELDS, _PROSE, _ADDRESS, _RANDOM)


def is_secret(name: str) -> bool:
    """Whether a field of that name is never logged."""
    if name.lower() in _HARMLESS:
        return False
    words = {word.lower() for word in _WORD.findall(name)}
    return bool(words & _SECRET_WORDS) or ("key" in words and len(words) > 1)


def redact_text(text: str) -> str:
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    for pattern in _PATTERNS:
        text = pattern.sub(_replaced, text)
    return text


def _replaced(match: re.Match[str]) -> str:
    name, sign = match["name"], match["sign"]
    if name.lower() in _HARMLESS:
        return match[0]
    return f"{name}{sign}{REDACTED}"


def redact(value: Any, depth: int = 0) -> Any:
    """The value with its secrets taken out; what is no JSON is written as text."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, (bytes, bytearray)):
        return redact_text(bytes(value).decode("utf-8", "replace"))
    if isinstance(value, Mapping):
        return {
            redact_text(_text(key)): _field(_text(key), each, depth)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple, set, frozenset)):
        return _items(list(value), depth)
    return redact_text(_shown(value))


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except Exception as error:  # noqa: BLE001 - whatever it is, the line is written
        return f"<{type(value).__name__}: {type(error).__name__}>"


def _field(name: str, value: Any, depth: int) -> Any:
    return REDACTED if is_secret(name) else redact(value, depth + 1)


def _items(items: list[Any], depth: int) -> list[Any]:
    """A list; of two things the first may be the name of a header."""
    if len(items) == 2 and isinstance(items[0], (str, bytes)):
        name = _text(items[0])
        if is_secret(name):
            return [name, REDACTED]
    return [redact(each, depth + 1) for each in items]


def _text(name: object) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
