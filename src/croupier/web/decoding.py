r"""Bodies and parameters read as strictly as the OpenAPI document describes them.

- A number such as `10.0` or `1e3` is an integer, as JSON Schema has it.
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

INT64 = range(-(2**63), 2**63)
_LONG_NUMBER = re.compile(rb"\d{19}")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.0+)?")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": True, "false": False}


class BodyDecoder:
    """Reads a JSON body of one type."""

    def __init__(self, type_: Any) -> None:
        self._type = type_
        self._decoder = msgspec.json.Decoder(type_)

    def decode(self, body: bytes) -> Any:
        """The value; raises `BadRequest` with the path of the field that is wrong."""
        try:
            if _LONG_NUMBER.search(body) or b"\\u0000" in body:
                _check_values(msgspec.json.decode(body))
            return self._decoded(body)
        except msgspec.ValidationError as error:
            raise BadRequest(f"the body is not right: {error}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRequest(f"the body is not JSON: {error}") from error
        except RecursionError as error:
            raise BadRequest("the body is nested too deeply") from error

    def _decoded(self, body: bytes) -> Any:
        try:
            return self._decoder.decode(body)
        except msgspec.ValidationError:
            raw = _with_integers(msgspec.json.decode(body))
            return msgspec.convert(raw, self._type, str_keys=True)


def _check_values(raw: Any) -> None:
    for path, value in _leaves(raw):
        if isinstance(value, str) and "\0" in value:
            raise BadRequest(f"the body is not right: NUL in a text - at `{path}`")
        if isinstance(value, int) and value not in INT64:
            raise BadRequest(f"the body is not right: too large - at `{path}`")


def _leaves(raw: Any) -> Iterator[tuple[str, Any]]:
    """Every text and number with its path, keys too; without recursion."""
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
    """The same with `10` for `10.0`, in place and without recursion."""
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
        self._name = name
        self._default = default
        self._type = type_
        self._info = parameter_info(type_)

    def decode(self, texts: Sequence[str]) -> Any:
        if not texts:
            if self._default is msgspec.NODEFAULT:
                raise self._wrong("it is missing")
            return self._default
        if isinstance(self._info, inspect.CollectionType):
            item = _bare(self._info.item_type)
            return self._converted([self._value(item, text) for text in texts])
        if len(texts) > 1:
            raise self._wrong("it is given more than once")
        return self._converted(self._value(self._info, texts[0]))

    def _value(self, info: inspect.Type, text: str) -> Any:
        """The text as JSON would have it."""
        if "\0" in text:
            raise self._wrong("it holds the character NUL")
        if isinstance(info, inspect.IntType):
            if (
                not _INTEGER.fullmatch(text)
                or int(text.split(".", maxsplit=1)[0]) not in INT64
            ):
                raise self._wrong("it is not an integer of 64 bits")
            return int(text.split(".", maxsplit=1)[0])
        if isinstance(info, inspect.FloatType):
            if not _NUMBER.fullmatch(text):
                raise self._wrong("it is not a number")
            return float(text)
        if isinstance(info, inspect.BoolType):
            if text not in _BOOLEANS:
                raise self._wrong("it is neither true nor false")
            return _BOOLEANS[text]
        return text

    def _converted(self, value: Any) -> Any:
        try:
            return msgspec.convert(value, self._type)
        except msgspec.ValidationError as error:
            raise self._wrong(str(error)) from error

    def _wrong(self, why: str) -> BadRequest:
        return BadRequest(f"the parameter {self._name} is not right: {why}")


def parameter_info(type_: Any) -> inspect.Type:
    """The type of a parameter, which may be left out where it may be none."""
    info = _bare(inspect.type_info(type_))
    if isinstance(info, inspect.UnionType):
        [info] = [each for each in info.types if not isinstance(each, inspect.NoneType)]
    return _bare(info)


def _bare(info: inspect.Type) -> inspect.Type:
    while isinstance(info, inspect.Metadata):
        info = info.type
    return info


def check_request_type(type_: Any) -> None:
    r"""Assert that a type is read as strictly as its schema says.

    Structs refuse unknown fields, patterns end with `\Z`, and a tag stands only where
    it tells structs apart: msgspec reads a lone one without its tag too.
    """
    for info in _types_in(inspect.type_info(type_)):
        if isinstance(info, inspect.StrType) and info.pattern is not None:
            assert not info.pattern.endswith("$"), f"{info.pattern}: end it with \\Z"
        structs = [e for e in _options(info) if isinstance(e, inspect.StructType)]
        for struct in structs:
            assert struct.forbid_unknown_fields, f"{struct.cls.__name__} is no `Body`"
        is_lone = len(structs) == 1 and structs[0].tag is not None
        assert not is_lone, f"the tag of {structs} tells nothing apart"


def _types_in(info: inspect.Type) -> Iterator[inspect.Type]:
    """The type and all that it is made of, each class once."""
    seen: set[Any] = set()
    waiting = [_bare(info)]
    while waiting:
        info = waiting.pop()
        yield info
        for option in _options(info):
            cls = getattr(option, "cls", None)
            if cls is None or cls not in seen:
                waiting += map(_bare, _parts(option))
            seen.add(cls)


def _options(info: inspect.Type) -> list[inspect.Type]:
    """What a value of the type may be."""
    return [_bare(e) for e in getattr(info, "types", (info,))]


def _parts(info: inspect.Type) -> list[inspect.Type]:
    parts: list[inspect.Type] = [each.type for each in getattr(info, "fields", ())]
    parts += getattr(info, "item_types", ())
    for name in ("item_type", "key_type", "value_type"):
        parts += [getattr(info, name)] if hasattr(info, name) else []
    return parts
