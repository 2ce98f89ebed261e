r"""Reads bodies and parameters as strictly as the OpenAPI document describes them.

- A number such as `10.0` or `1e3` is an integer, as in JSON Schema.
- No text holds the character NUL, which PostgreSQL can't store.

Types of requests refuse unknown fields and bound their integers, and their patterns end
with `\Z`: in Python `$` matches before a last newline, too. A test checks this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import inspect

from croupier.web.problems import BadRequest
from croupier.web.reasons import WebReason

_ESCAPED_NUL = re.compile(rb"(?<!\\)(\\\\)*\\u0000")
"""In JSON; a text may also show `\u0000`, with its backslash escaped."""
_NUMBER_OR_BOOL = re.compile(r"-?(0|[1-9][0-9]*)(\.0+)?|true|false")


class BodyDecoder:
    """Reads a JSON body of one type."""

    def __init__(self, type_: Any) -> None:
        self._type = type_
        self._decoder = msgspec.json.Decoder(type_)

    def decode(self, body: bytes) -> Any:
        """Return the value; raise `BadRequest` with the path of a faulty field."""
        try:
            if _ESCAPED_NUL.search(body):
                raise BadRequest(WebReason.BODY_NOT_RIGHT(why="NUL in a text"))
            return self._decode(body)
        except msgspec.ValidationError as error:
            raise BadRequest(WebReason.BODY_NOT_RIGHT(why=str(error))) from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRequest(WebReason.BODY_NOT_JSON(why=str(error))) from error
        except RecursionError as error:
            raise BadRequest(WebReason.BODY_TOO_DEEP()) from error

    def _decode(self, body: bytes) -> Any:
        try:
            return self._decoder.decode(body)
        except msgspec.ValidationError:
            raw = msgspec.json.Decoder(float_hook=_number).decode(body)
            return msgspec.convert(raw, self._type, str_keys=True)


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() else value


class ParameterDecoder:
    """Reads one parameter of the path or the query from its texts."""

    def __init__(self, name: str, type_: Any, default: Any) -> None:
        self._name, self._type, self._default = name, type_, default
        if get_origin(type_) in {Union, UnionType}:
            # A caller leaves an optional parameter out instead of sending null.
            [self._type] = (e for e in get_args(type_) if e is not NoneType)
        info = inspect.type_info(self._type)
        while isinstance(info, inspect.Metadata):  # such as a description
            info = info.type
        self._is_text = not isinstance(info, inspect.IntType | inspect.BoolType)

    def decode(self, texts: Sequence[str]) -> Any:
        if not texts:
            if self._default is msgspec.NODEFAULT:
                raise self._wrong("it is missing")
            return self._default
        if len(texts) > 1:
            raise self._wrong("it is given more than once")
        [text] = texts
        if "\0" in text:
            raise self._wrong("it holds the character NUL")
        try:
            if self._is_text:
                return msgspec.convert(text, self._type)
            if not _NUMBER_OR_BOOL.fullmatch(text):
                raise self._wrong("it is neither an integer nor true or false")
            return msgspec.json.decode(text.partition(".")[0], type=self._type)
        except msgspec.MsgspecError as error:
            raise self._wrong(str(error)) from error

    def _wrong(self, why: str) -> BadRequest:
        return BadRequest(WebReason.PARAMETER_NOT_RIGHT(name=self._name, why=why))
