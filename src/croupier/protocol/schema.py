"""The message protocol as one JSON Schema document, for terminals in any language."""

from __future__ import annotations

from types import UnionType
from typing import Any, get_args

import msgspec

from croupier.protocol.answers import FromHouse
from croupier.protocol.messages import LARGEST, ToHouse

PROTOCOL_VERSION = 1
"""Goes up if a message changes so that an older reader would misread it."""
_REFERENCE = "#/$defs/{name}"


def protocol_schema() -> dict[str, Any]:
    """Return all messages of both directions as JSON Schema 2020-12, by `type`."""
    directions = {"ToHouse": ToHouse, "FromHouse": FromHouse}
    kinds = [kind for union in directions.values() for kind in get_args(union)]
    _, parts = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    definitions = {name: _union(union) for name, union in directions.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:croupier:protocol:{PROTOCOL_VERSION}",
        "title": "The message protocol of a Croupier house",
        "description": (
            "One WebSocket carries one table. Each text frame is one message of at"
            f" most {LARGEST} bytes to the house; the first is hello. A reader ignores"
            " types and fields that it does not know."
        ),
        "version": PROTOCOL_VERSION,
        "oneOf": [{"$ref": _REFERENCE.format(name=name)} for name in directions],
        "$defs": {**definitions, **parts},
    }


def _union(union: UnionType) -> dict[str, Any]:
    """Return the schema of any message of one direction, by `type`."""
    by_tag = {
        str(kind.__struct_config__.tag): _REFERENCE.format(name=kind.__name__)
        for kind in get_args(union)
    }
    return {
        "oneOf": [{"$ref": reference} for reference in by_tag.values()],
        "discriminator": {"propertyName": "type", "mapping": by_tag},
    }
