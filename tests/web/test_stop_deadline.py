"""A stopping process ends by its deadline, and says so."""

from __future__ import annotations

import os
from threading import Event
from unittest.mock import patch

from croupier.web.server import STATUS_CANT_GO_ON, StopDeadline


def test_what_does_not_stop_in_time_is_ended() -> None:
    ended, statuses = Event(), list[int]()

    def end(status: int) -> None:
        statuses.append(status)
        ended.set()

    with patch.object(os, "_exit", end):
        deadline = StopDeadline(0.01)
        deadline.start()
        deadline.start()
        assert ended.wait(10)

    assert statuses == [STATUS_CANT_GO_ON]


def test_time_does_not_begin_before_it_is_told_to_stop() -> None:
    with patch.object(os, "_exit") as end:
        StopDeadline(0)
        assert not Event().wait(0.05)

    assert end.call_count == 0
