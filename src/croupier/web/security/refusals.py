"""Refused requests: counted always, logged once a second by kind and address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import structlog

from croupier.web.security.rate_limits import Clock

_log = structlog.get_logger("croupier.web")
_APART_S = 1.0
_KEYS_MAX = 10_000
_TEXT_MAX = 200


class RefusalLog:
    """Writes one line for the first of a kind, with how many there were since."""

    def __init__(
        self, clock: Clock, count: Callable[[str], None] = lambda _kind: None
    ) -> None:
        self._clock = clock
        self._count = count
        self._since: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def note(self, kind: str, client: str, **more: object) -> None:
        """Count a refusal of this kind, and log it unless one was logged just now."""
        self._count(kind)
        key, now = (kind, client), self._clock()
        logged, missed = self._since.pop(key, (float("-inf"), 0))
        if now - logged < _APART_S:
            self._since[key] = (logged, missed + 1)
            return
        self._since[key] = (now, 0)
        if len(self._since) > _KEYS_MAX:
            self._since.popitem(last=False)
        shown = {
            name: value[:_TEXT_MAX] if isinstance(value, str) else value
            for name, value in more.items()
        }
        if missed:
            shown["more_before"] = missed
        _log.info("refused", kind=kind, client=client, **shown)
