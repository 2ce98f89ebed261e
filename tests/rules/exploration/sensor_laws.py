"""Laws of the wheel's sensor: what is announced over it, and who answers it."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules import events as ev
from croupier.rules.operator import Role
from tests.rules.exploration.people_laws import BY_SHIFT_MANAGER
from tests.rules.exploration.record import SHIFT_MANAGERS
from tests.rules.exploration.step import LADDER, Law, Step


def nothing_is_announced_over_a_sensor(step: Step) -> Iterator[str]:
    """A40, A45, A52: no outcome while a report or a rest is unanswered."""
    was = step.was
    for event in step.events(ev.OutcomeAnnounced):
        assert isinstance(event, ev.OutcomeAnnounced)
        if was.few or was.pending:
            yield f"announced over {was.few} {set(was.pending)}"
        if was.sensor_rest not in {None, event.number} or was.stray:
            yield f"{event.number} against {was.sensor_rest}, stray {was.stray}"
    winner, seen = step.now.winner, step.now.sensor_rest
    if winner is not None and seen not in {None, winner}:
        yield from (f"{winner} against {seen}" for _ in step.events(ev.PlayContinued))


def a_count_across_the_line_holds(step: Step) -> Iterator[str]:
    """A45, A52: the Dealer's count and the sensor's, on both sides of four."""
    now = step.now
    if now.void is not None or now.held or now.winner is not None:
        return
    if (now.revolutions or 0) >= 4 and now.few:
        yield f"{now.revolutions} and {now.counts} go on"


def one_person_only_upholds(step: Step) -> Iterator[str]:
    """A45, A52: two people reject; one upholds, before the rest and the outcome."""
    roles = {person.role for person in step.act.people}
    two = len({each.name for each in step.act.people}) > 1
    two = two and Role.DEALER in roles and any(each in LADDER[1:] for each in roles)
    for event in step.events(ev.ReportAnswered):
        assert isinstance(event, ev.ReportAnswered)
        late = step.was.winner is not None or step.was.rest is not None
        if (not event.upheld or late) and not two:
            yield f"{step.act.people} answered {event}"
        if step.game in BY_SHIFT_MANAGER and not event.upheld:
            yield f"{step.act.people} rejected a report (A12)"
        if event.upheld and step.now.void is None:
            yield "upheld, and not void"


def a_correction_keeps_to_the_wheel(step: Step) -> Iterator[str]:
    """A46: against a sensor, or two people who confirmed, with a Shift Manager."""
    by = {person.role for person in step.act.people}
    for was, now in step.rounds():
        if was.winner is None or now.winner == was.winner or was.held:
            continue
        against = {was.sensor_seen, was.confirmed} - {None, now.winner}
        if against and not by & SHIFT_MANAGERS:
            yield f"corrected to {now.winner} against {against}"


SENSOR_LAWS: tuple[Law, ...] = (
    nothing_is_announced_over_a_sensor,
    a_count_across_the_line_holds,
    one_person_only_upholds,
    a_correction_keeps_to_the_wheel,
)
