"""The parts of a table's views, from its state; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec.structs import replace

from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.table import LightsConfirmed
from croupier.protocol import answers
from croupier.rules import events
from croupier.rules.bonus import super_bonus_numbers
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.round import ColourChips, Phase, RoundOfPlay
from croupier.rules.terms import Limits
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number, colour_of
from croupier.table.answers import Refused
from croupier.table.state import TableState


def limits_shown(game: Game, limits: Limits) -> tuple[answers.LimitsView, ...]:
    """Return the limits of each wager type of the game, in the order of its areas."""
    types = dict.fromkeys(area.wager_type for area in game.areas)
    shown = []
    for wager_type in types:
        limit = limits.of(wager_type)
        shown.append(
            answers.LimitsView(
                wager_type.value,
                limit.minimum_cents if limit else None,
                limit.maximum_cents if limit else None,
            )
        )
    return tuple(shown)


def colour_shown(chips: ColourChips) -> answers.ColourView:
    marker = chips.marker.value if chips.marker else None
    stands_on = chips.stands_on.value if chips.stands_on else None
    return answers.ColourView(chips.player, chips.value_cents, marker, stands_on)


def wager_shown(
    wager: Wager, current: RoundOfPlay, low: Iterable[BettingArea], prefix: str = ""
) -> answers.WagerView:
    """Return the view of a wager, with its id without the `prefix`.

    `low` has the areas on which its own chips are below the minimum.
    """
    cents = wager.piece_cents
    names = [area.name for area in wager.areas]
    return answers.WagerView(
        id=wager.wager_id.removeprefix(prefix),
        player=wager.player,
        wager=wager.name,
        stake_cents=sum(cents),
        pieces=tuple(zip(names, cents, strict=True)),
        registered=wager.registered,
        terminal=wager.terminal,
        unclear=wager.wager_id in current.unclear,
        under_minimum=_under_minimum(wager, current, low),
    )


def shown_again(
    wager: Wager,
    before: answers.WagerView,
    current: RoundOfPlay,
    low: Iterable[BettingArea],
) -> answers.WagerView:
    """Return the view of an unchanged wager, made from its view `before`.

    Its Player's other chips on its areas may have changed, and `unclear` too.
    """
    under = _under_minimum(wager, current, low)
    unclear = wager.wager_id in current.unclear
    if under == before.under_minimum and unclear == before.unclear:
        return before
    return replace(before, under_minimum=under, unclear=unclear)


def low_areas(wager: Wager, limits: Limits) -> tuple[BettingArea, ...]:
    """Return the areas on which a wager's own chips are below the minimum."""
    if not wager.registered:
        return ()
    low = []
    for area, cents in zip(wager.areas, wager.piece_cents, strict=True):
        limit = limits.of(area.wager_type)
        if limit is not None and cents < limit.minimum_cents:
            low.append(area)
    return tuple(low)


def _under_minimum(
    wager: Wager, current: RoundOfPlay, low: Iterable[BettingArea]
) -> tuple[str, ...]:
    """Return the areas on which the Player's chips together are below the minimum."""
    under = []
    for area in low:
        limit = current.limits.of(area.wager_type)
        together = current.board.player_on(wager.player, area)
        if limit is not None and together < limit.minimum_cents:
            under.append(area.name)
    return tuple(under)


def settled_shown(
    wagers: Iterable[events.SettledWager], prefix: str = ""
) -> tuple[answers.SettledWagerView, ...]:
    return tuple(_settled_wager(wager, prefix) for wager in wagers)


def _settled_wager(wager: events.SettledWager, prefix: str) -> answers.SettledWagerView:
    pieces = wager.pieces
    return answers.SettledWagerView(
        id=wager.wager_id.removeprefix(prefix),
        player=wager.player,
        wager=wager.wager,
        stake_cents=sum(piece.stake_cents for piece in pieces),
        paid_cents=sum(piece.paid_cents for piece in pieces),
        collected_cents=sum(piece.collected_cents for piece in pieces),
        returned_cents=sum(piece.returned_cents for piece in pieces),
        pieces=tuple(
            answers.SettledPieceView(*piece[:5], piece.clause) for piece in pieces
        ),
    )


def refused(message_id: str, answer: Refused) -> answers.Answered:
    refusal, sequence = answer.refusal, answer.sequence
    reason = answers.stated(refusal.reason, refusal.clause.number)
    return answers.Answered(message_id, sequence, registered=False, refusal=reason)


def standing_of(current: RoundOfPlay | None) -> answers.StatedReason | None:
    if current is None or current.standing is None:
        return None
    return answers.stated(current.standing.reason, current.standing.clause.number)


def status_of(state: TableState) -> str:
    """Return the table's status in one word: see `TableView.status`."""
    if state.is_interrupted:
        return "interrupted"
    if not state.is_open:
        return "shut"
    phase = state.phase
    if phase is Phase.CLOSED:
        return "spinning" if state.series.current.facts.spun else "closed"
    if phase is Phase.DECIDED:
        return "outcome"
    if phase is Phase.ENDED:
        return "void" if state.series.current.winning_number is None else "settled"
    return str(phase.value)


_USUAL_WAIT_MS = {"dealer": 6_000, "house": 30_000}
"""The next round is late after these times. The house begins one within seconds while a
screen is connected; after half a minute without a round, no screen was."""


def next_round_of(
    state: TableState, since_ms: int | None, *, by_hand: bool, least_round_ms: int = 0
) -> answers.NextRoundView | None:
    """Return the view of the next round; None if one is in play or none can begin.

    The automatic dealer leaves `least_round_ms` between the beginnings of its rounds.
    """
    by = "dealer" if by_hand else "house"
    status, phase = status_of(state), state.phase
    if status == "awaiting":
        return answers.NextRoundView(by, None)
    if status not in {"settled", "void"} or phase is not Phase.ENDED:
        return None
    wait_ms = _USUAL_WAIT_MS[by] + (0 if by_hand else least_round_ms)
    late_from_ms = None if since_ms is None else since_ms + wait_ms
    return answers.NextRoundView(by, late_from_ms)


def takes_wagers(state: TableState) -> bool:
    if state.is_interrupted or not state.is_open or not state.series.last:
        return False
    return state.series.current.takes_wagers


STEP_OF: Mapping[type[JournalEvent], str] = {
    events.PlaceYourBetsAnnounced: "open",
    events.BallSpun: "spin",
    events.NoMoreBetsAnnounced: "close",
    LightsConfirmed: "lights",
    events.OutcomeAnnounced: "outcome",
    events.OutcomeDecided: "outcome",
    events.RoundSettled: "settle",
}
"""The step of a round that an event takes."""


def steps_of(
    state: TableState, times: Mapping[str, int], *, lights_confirmed: bool
) -> tuple[answers.StepView, ...]:
    """Return the steps of the round in play: done, next, or later."""
    game, phase = state.series.game, state.phase
    current = state.series.in_play
    is_decided = current is not None and current.winning_number is not None
    done = {
        "open": phase is not Phase.AWAITING,
        "spin": current is not None and current.facts.spun,
        "close": current is not None and current.facts.closed,
        "lights": lights_confirmed,
        "outcome": is_decided and phase in {Phase.DECIDED, Phase.ENDED},
        "settle": phase is Phase.ENDED,
    }
    if not game.provides(Rule.BONUS_DRAW):
        del done["lights"]
    late = {"close"} if current is not None and current.facts.closed_late else set()
    left_out = set() if phase in {Phase.AWAITING, Phase.BETTING} else {"close"}
    ahead = [
        step for step, is_done in done.items() if not is_done and step not in left_out
    ]
    # The chips of a void round are returned next, even if steps were left out.
    next_step = "settle" if phase is Phase.VOID else ahead[0] if ahead else None
    return tuple(
        answers.StepView(
            step,
            "done" if is_done else "now" if step == next_step else "later",
            times.get(step),
            step in late,
        )
        for step, is_done in done.items()
    )


_SECTIONS = tuple(
    map(WagerType, ("odd", "even", "low", "high", "dozen", "column", "green"))
)


@cache
def sections_of(game: Game, number: Number) -> tuple[str, ...]:
    """Return the larger areas that cover a number: `odd`, `low`, `dozen:2`."""
    covering = [
        area
        for area in game.areas
        if area.wager_type in _SECTIONS and area.covers(number)
    ]
    covering.sort(key=lambda area: _SECTIONS.index(area.wager_type))
    return tuple(area.name for area in covering)


def bonus_status(current: RoundOfPlay) -> str | None:
    """Return the winning number's kind in a game that draws Bonus Numbers."""
    number = current.winning_number
    if number is None or not current.game.provides(Rule.BONUS_DRAW):
        return None
    if number in super_bonus_shown(current):
        return "super_bonus"
    return "bonus" if number in (current.facts.bonus_numbers or ()) else "non_bonus"


def totals_of(wagers: Iterable[events.SettledWager]) -> answers.TotalsView:
    pieces = [piece for wager in wagers for piece in wager.pieces]
    paid = sum(piece.paid_cents for piece in pieces)
    collected = sum(piece.collected_cents for piece in pieces)
    return answers.TotalsView(
        stake_cents=sum(piece.stake_cents for piece in pieces),
        paid_cents=paid,
        collected_cents=collected,
        returned_cents=sum(piece.returned_cents for piece in pieces),
        net_cents=paid - collected,
    )


def by_player(
    wagers: Iterable[events.SettledWager],
) -> dict[str, list[events.SettledWager]]:
    found: dict[str, list[events.SettledWager]] = {}
    for wager in wagers:
        found.setdefault(wager.player, []).append(wager)
    return found


def totals_by_player(settled: events.RoundSettled) -> dict[str, answers.TotalsView]:
    return {
        player: totals_of(mine) for player, mine in by_player(settled.wagers).items()
    }


def wager_changes(
    before: Iterable[answers.WagerView], after: Iterable[answers.WagerView]
) -> tuple[tuple[answers.WagerView, ...], tuple[str, ...]]:
    known = {wager.id: wager for wager in before}
    changed = tuple(each for each in after if known.pop(each.id, None) != each)
    return changed, tuple(known)


def without_players(
    colours: Mapping[str, answers.ColourView],
) -> dict[str, answers.ColourView]:
    return {name: replace(each, player="") for name, each in colours.items()}


def super_bonus_shown(current: RoundOfPlay) -> tuple[str, ...]:
    drawn = frozenset(current.facts.bonus_numbers or ())
    lit = super_bonus_numbers(current.game, drawn)
    return tuple(number for number in current.game.numbers if number in lit)


def read_back(current: RoundOfPlay, number: Number) -> str:
    """Return an outcome in words and colour: `17, black, odd, low`."""
    halves = {"odd", "even", "low", "high"}
    sections = [each for each in sections_of(current.game, number) if each in halves]
    words = [number, colour_of(number).value, *sections]
    drawn = current.facts.bonus_numbers or ()
    if number in drawn:
        lit = super_bonus_shown(current)
        words.append("super bonus" if number in lit else "bonus")
    return ", ".join(words)


def wheel_seen(current: RoundOfPlay | None) -> answers.WheelSeen | None:
    """Return the sensor's reports in the round in play."""
    if current is None or not current.is_under_way:
        return None
    sensor, game = current.facts.sensor, current.game
    referral = game.clause(Rule.REFERRAL)
    seen = answers.WheelSeen(
        spun=sensor.spun,
        revolutions=sensor.revolutions,
        at_rest=sensor.at_rest,
        stray_rest=sensor.stray_rest,
        unanswered=tuple(
            answers.UnansweredReport(
                each.value, game.voiding.get(each, referral).number
            )
            for each in sensor.pending
        ),
    )
    return None if seen == _NOTHING_SEEN else seen


_NOTHING_SEEN = answers.WheelSeen(False, None, None, None, ())
