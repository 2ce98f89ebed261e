"""The types of requests, held against the laws of `croupier.web.decoding`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


def check_request_type(type_: Any) -> None:
    r"""Assert that a type is read as strictly as its schema says.

    Structs refuse unknown fields, patterns end with `\Z`, and integers have bounds.
    Only structs of a union have tags: msgspec reads a single one without its tag too.
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
        is_bounded = {"minimum", "maximum"} <= each.keys()
        assert each.get("type") != "integer" or is_bounded, f"{each}: no bounds"
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
