"""Values as documents that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def as_document(value: object) -> Any:
    """Return the value in plain types, structures by their fields.

    A fraction becomes the text `a/b`, an enumeration's member its value.
    """
    from msgspec import to_builtins

    return to_builtins(value, enc_hook=_as_known)


def _as_known(value: object) -> object:
    """Return what msgspec does not know by itself as something that it does."""
    return dict(value) if isinstance(value, Mapping) else str(value)
