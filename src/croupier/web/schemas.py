"""JSON Schemas made as strict as the server is: 64 bits, no NUL, no slash in a path."""

from __future__ import annotations

from typing import Any

from croupier.web.decoding import INT64

_NO_NUL = r"^[^\x00]*$"
_ONE_SEGMENT = r"^[^\x00/]+$"
_TELLING = {"pattern", "format", "contentEncoding", "enum", "const"}


def as_document(value: Any) -> Any:
    """The document with every schema in it made strict."""
    if isinstance(value, list):
        return [as_document(each) for each in value]
    if not isinstance(value, dict):
        return value
    return _strict({key: as_document(each) for key, each in value.items()})


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    if kind == "integer":
        return _bounded(schema)
    if kind == "string" and isinstance(schema.get("pattern"), str):
        return {**schema, "pattern": _ecmascript(schema["pattern"])}
    if kind == "string" and not _TELLING & schema.keys():
        return {**schema, "pattern": _NO_NUL}
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        names = {"pattern": _NO_NUL, **schema.get("propertyNames", {})}
        names["pattern"] = _ecmascript(names["pattern"])
        return {**schema, "propertyNames": names}
    return schema


def _bounded(schema: dict[str, Any]) -> dict[str, Any]:
    least, most = {"minimum": INT64[0]}, {"maximum": INT64[-1]}
    return {
        **({} if "exclusiveMinimum" in schema else least),
        **({} if "exclusiveMaximum" in schema else most),
        **schema,
    }


def _ecmascript(pattern: str) -> str:
    r"""What Python writes as `\Z` is `$` in JSON Schema."""
    return f"{pattern[:-2]}$" if pattern.endswith(r"\Z") else pattern


def without_none(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter is left out instead of being null."""
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) != 1:
        return schema
    rest = {key: each for key, each in schema.items() if key != "anyOf"}
    return {**options[0], **rest}


def in_path(schema: dict[str, Any]) -> dict[str, Any]:
    """A text in the path is one segment of it."""
    if schema.get("type") == "string" and not _TELLING & schema.keys():
        return {"minLength": 1, **schema, "pattern": _ONE_SEGMENT}
    return schema
