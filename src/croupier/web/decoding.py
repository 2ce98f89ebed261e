r"""Reads bodies and parameters as strictly as the OpenAPI document describes them.

- A number such as `10.0` or `1e3` is an integer, as in JSON Schema.
- An integer fits into 64 bits.
- No text holds the character NUL, which PostgreSQL can't store.
- A pattern ends with `\Z`: in Python a newline may stand after `$`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from croupier.web.problems import BadRequest
from croupier.web.reasons import WebReason

INT64 = range(-(2**63), 2**63)
_LONG_NUMBER = re.compile(rb"\d{19}")
_FORMS: dict[type[inspect.Type], tuple[re.Pattern[str], str]] = {
    inspect.IntType: (
        re.compile(r"-?(0|[1-9][0-9]{0,18})(\.0+)?"),
        "it is not an integer of 64 bits",
    ),
    inspect.FloatType: (
        re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"),
        "it is not a number",
    ),
    inspect.BoolType: (re.compile("true|false"), "it is neither true nor false"),
}
"""The form of parameters that are not texts, and the fault if it does not match."""


class BodyDecoder:
    """Reads a JSON body of one type."""

    def __init__(self, type_: Any) -> None:
        self._type = type_
        self._decoder = msgspec.json.Decoder(type_)

    def decode(self, body: bytes) -> Any:
        """Return the value; raise `BadRequest` with the path of a faulty field."""
        try:
            if _LONG_NUMBER.search(body) or b"\\u0000" in body:
                _check_values(msgspec.json.decode(body))
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
            raw = _with_integers(msgspec.json.decode(body))
            return msgspec.convert(raw, self._type, str_keys=True)


def _check_values(raw: Any) -> None:
    for path, value in _leaves(raw):
        if isinstance(value, str) and "\0" in value:
            raise BadRequest(WebReason.BODY_TEXT_WITH_NUL(place=path))
        if isinstance(value, int) and value not in INT64:
            raise BadRequest(WebReason.BODY_NUMBER_TOO_LARGE(place=path))


def _leaves(raw: Any) -> Iterator[tuple[str, Any]]:
    """Yield every key, text and number with its path, without recursion."""
    waiting = [("$", raw)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            yield from ((f"key in {path}", key) for key in value)
            waiting += [(f"{path}.{key}", each) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{path}[{i}]", each) for i, each in enumerate(value)]
        else:
            yield path, value


def _with_integers(raw: Any) -> Any:
    """Replace `10.0` by `10` in place and without recursion; return the value."""
    holder = [raw]
    waiting: list[Any] = [holder]
    while waiting:
        value = waiting.pop()
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in list(items):
            if isinstance(each, float) and each.is_integer() and int(each) in INT64:
                value[key] = int(each)
            elif isinstance(each, (dict, list)):
                waiting.append(each)
    return holder[0]


class ParameterDecoder:
    """Reads one parameter of the path or the query from its texts."""

    def __init__(self, name: str, type_: Any, default: Any) -> None:
        self._name, self._type, self._default = name, type_, default
        self._info = _bare(inspect.type_info(type_))
        if isinstance(self._info, inspect.UnionType):
            # A caller leaves an optional parameter out instead of sending null.
            [info] = (
                e for e in self._info.types if not isinstance(e, inspect.NoneType)
            )
            self._info = _bare(info)

    def decode(self, texts: Sequence[str]) -> Any:
        if not texts:
            if self._default is msgspec.NODEFAULT:
                raise self._wrong("it is missing")
            return self._default
        if isinstance(self._info, inspect.CollectionType):
            item = _bare(self._info.item_type)
            return self._convert([self._value(item, text) for text in texts])
        if len(texts) > 1:
            raise self._wrong("it is given more than once")
        return self._convert(self._value(self._info, texts[0]))

    def _value(self, info: inspect.Type, text: str) -> Any:
        """Return the text as the JSON value of its type."""
        if "\0" in text:
            raise self._wrong("it holds the character NUL")
        if type(info) not in _FORMS:
            return text
        form, wrong = _FORMS[type(info)]
        if not form.fullmatch(text):
            raise self._wrong(wrong)
        if not isinstance(info, inspect.IntType):
            return msgspec.json.decode(text)
        value = int(text.partition(".")[0])
        if value not in INT64:
            raise self._wrong(wrong)
        return value

    def _convert(self, value: Any) -> Any:
        try:
            return msgspec.convert(value, self._type)
        except msgspec.ValidationError as error:
            raise self._wrong(str(error)) from error

    def _wrong(self, why: str) -> BadRequest:
        return BadRequest(WebReason.PARAMETER_NOT_RIGHT(name=self._name, why=why))


def _bare(info: inspect.Type) -> inspect.Type:
    while isinstance(info, inspect.Metadata):
        info = info.type
    return info


def check_request_type(type_: Any) -> None:
    r"""Assert that a type is read as strictly as its schema says.

    Structs refuse unknown fields, and patterns end with `\Z`. Only structs of a union
    have tags: msgspec reads a single struct without its tag too.
    """
    made, components = msgspec.json.schema_components((type_,), ref_template="{name}")
    schemas = list(_schemas_in([*made, components]))
    told_apart = {
        name
        for each in schemas
        for name in each.get("discriminator", {}).get("mapping", {}).values()
    }
    for each in schemas:
        assert not str(each.get("pattern")).endswith("$"), f"{each}: end it with \\Z"
        is_loose = each.get("type") == "object" and "additionalProperties" not in each
        assert not is_loose, f"{each}: no `Body`"
    for name, component in components.items():
        fields = component.get("properties", {}).values()
        is_tagged = any(len(each.get("enum", ())) == 1 for each in fields)
        assert not is_tagged or name in told_apart, f"the tag of {name} tells nothing"


def _schemas_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    if isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _schemas_in(each)
