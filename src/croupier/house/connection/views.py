"""The parts of a table's views, from its state; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec.structs import replace

from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import accounts as acc
from croupier.protocol import answers as say
from croupier.rules import events as ev
from croupier.rules.bonus import super_bonus_numbers
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.layout import WagerType
from croupier.rules.round import ColourChips, Phase, RoundOfPlay
from croupier.rules.terms import Limits
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number, colour_of
from croupier.table.answers import Refused
from croupier.table.state import TableState


def limits_shown(game: Game, limits: Limits) -> tuple[say.LimitsView, ...]:
    """Return the limits of each wager type of the game, in the order of its areas."""
    types = dict.fromkeys(area.wager_type for area in game.areas)
    shown = []
    for wager_type in types:
        limit = limits.of(wager_type)
        shown.append(
            say.LimitsView(
                wager_type.value,
                limit.minimum_cents if limit else None,
                limit.maximum_cents if limit else None,
            )
        )
    return tuple(shown)


def colour_shown(chips: ColourChips) -> say.ColourView:
    marker = chips.marker.value if chips.marker else None
    stands_on = chips.stands_on.value if chips.stands_on else None
    return say.ColourView(chips.player, chips.value_cents, marker, stands_on)


def wager_shown(
    wager: Wager, current: RoundOfPlay, prefix: str = "", *, stands_alone: bool = False
) -> say.WagerView:
    """Return a wager as it lies; `prefix` is taken off its id for its own terminal."""
    cents = wager.piece_cents
    names = [area.name for area in wager.areas]
    pieces = tuple(zip(names, cents, strict=True))
    low = () if stands_alone else _under_minimum(wager, pieces, current)
    return say.WagerView(
        id=wager.wager_id.removeprefix(prefix),
        player=wager.player,
        wager=wager.name,
        stake_cents=sum(cents),
        pieces=pieces,
        registered=wager.registered,
        terminal=wager.terminal,
        unclear=wager.wager_id in current.unclear,
        under_minimum=low,
    )


def stands_alone(wager: Wager, limits: Limits) -> bool:
    """Return whether a wager is above the minimum, whatever else its Player has."""
    if wager.registered:
        for area, cents in zip(wager.areas, wager.piece_cents, strict=True):
            limit = limits.of(area.wager_type)
            if limit is not None and cents < limit.minimum_cents:
                return False
    return True


def shown_again(
    wager: Wager, before: say.WagerView, current: RoundOfPlay, *, stands_alone: bool
) -> say.WagerView:
    """Return the view of a wager that itself has not changed since `before`.

    What else its Player has on an area may have changed, and whether it is unclear.
    """
    low = () if stands_alone else _under_minimum(wager, before.pieces, current)
    unclear = wager.wager_id in current.unclear
    if low == before.under_minimum and unclear == before.unclear:
        return before
    return replace(before, under_minimum=low, unclear=unclear)


def _under_minimum(
    wager: Wager, pieces: tuple[tuple[str, int], ...], current: RoundOfPlay
) -> tuple[str, ...]:
    if not wager.registered:
        return ()
    low = []
    for area, (name, cents) in zip(wager.areas, pieces, strict=True):
        limit = current.limits.of(area.wager_type)
        if limit is None or cents >= limit.minimum_cents:
            continue
        if current.board.player_on(wager.player, area) < limit.minimum_cents:
            low.append(name)
    return tuple(low)


def settled_shown(
    wagers: Iterable[ev.SettledWager], prefix: str = ""
) -> tuple[say.SettledWagerView, ...]:
    return tuple(_settled_wager(wager, prefix) for wager in wagers)


def _settled_wager(wager: ev.SettledWager, prefix: str) -> say.SettledWagerView:
    pieces = wager.pieces
    return say.SettledWagerView(
        id=wager.wager_id.removeprefix(prefix),
        player=wager.player,
        wager=wager.wager,
        stake_cents=sum(piece.stake_cents for piece in pieces),
        paid_cents=sum(piece.paid_cents for piece in pieces),
        collected_cents=sum(piece.collected_cents for piece in pieces),
        returned_cents=sum(piece.returned_cents for piece in pieces),
        pieces=tuple(
            say.SettledPieceView(*piece[:5], piece.clause) for piece in pieces
        ),
    )


def past_round(
    number: int, winning: str | None, bonus: tuple[str, ...]
) -> say.PastRound:
    colour = None if winning is None else colour_of(Number(winning)).value
    return say.PastRound(number, winning, colour, bonus)


def refused(message_id: str, answer: Refused) -> say.Answered:
    refusal, sequence = answer.refusal, answer.sequence
    reason = say.stated(refusal.reason, refusal.clause.number)
    return say.Answered(message_id, sequence, registered=False, refusal=reason)


def standing_of(current: RoundOfPlay | None) -> say.StatedReason | None:
    """Return why a round is void or held."""
    if current is None or current.standing is None:
        return None
    return say.stated(current.standing.reason, current.standing.clause.number)


def status_of(state: TableState) -> str:
    """Return the one word for how the table stands: see `TableView.status`."""
    if state.interruption is not None:
        return "interrupted"
    if not state.is_open:
        return "shut"
    phase = phase_of(state)
    if phase is Phase.CLOSED:
        return "spinning" if state.series.current.facts.spun else "closed"
    if phase is Phase.DECIDED:
        return "outcome"
    if phase is Phase.ENDED:
        return "void" if state.series.current.winning_number is None else "settled"
    return str(phase.value)


_USUAL_WAIT_MS = {"dealer": 6_000, "house": 30_000}
"""A Dealer who has settled is not waited for at once. The house by itself takes a few
seconds while somebody watches: after half a minute nobody has."""


def next_round_of(
    state: TableState, since_ms: int | None, *, by_hand: bool
) -> say.NextRoundView | None:
    """Return who begins the next round, or None while one is in play or none can be."""
    by = "dealer" if by_hand else "house"
    status, phase = status_of(state), phase_of(state)
    if status == "awaiting":
        return say.NextRoundView(by, None)
    if status not in {"settled", "void"} or phase is not Phase.ENDED:
        return None
    late_from_ms = None if since_ms is None else since_ms + _USUAL_WAIT_MS[by]
    return say.NextRoundView(by, late_from_ms)


def takes_wagers(state: TableState) -> bool:
    """Return whether wagers may be placed, increased and withdrawn now."""
    if state.interruption is not None or not state.is_open or not state.series.last:
        return False
    return state.series.current.takes_wagers


STEP_OF: Mapping[type[JournalEvent], str] = {
    ev.PlaceYourBetsAnnounced: "open",
    ev.BallSpun: "spin",
    ev.NoMoreBetsAnnounced: "close",
    hap.LightsConfirmed: "lights",
    ev.OutcomeAnnounced: "outcome",
    ev.OutcomeDecided: "outcome",
    ev.RoundSettled: "settle",
}
"""The step of a round that an event takes."""


def steps_of(
    state: TableState, times: Mapping[str, int], *, lights_confirmed: bool
) -> tuple[say.StepView, ...]:
    """Return the steps of the round in play, each with how far it is."""
    game, phase = state.series.game, phase_of(state)
    current = state.series.current if state.series.last else None
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
    # The chips of a void round are returned next, whatever was left out.
    next_step = "settle" if phase is Phase.VOID else ahead[0] if ahead else None
    return tuple(
        say.StepView(
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
    """Return what the winning number is in a game that draws Bonus Numbers."""
    number = current.winning_number
    if number is None or not current.game.provides(Rule.BONUS_DRAW):
        return None
    if number in super_bonus_shown(current):
        return "super_bonus"
    return "bonus" if number in (current.facts.bonus_numbers or ()) else "non_bonus"


def totals_of(wagers: Iterable[ev.SettledWager]) -> say.TotalsView:
    """Return what a settlement came to over some wagers."""
    pieces = [piece for wager in wagers for piece in wager.pieces]
    paid = sum(piece.paid_cents for piece in pieces)
    collected = sum(piece.collected_cents for piece in pieces)
    return say.TotalsView(
        stake_cents=sum(piece.stake_cents for piece in pieces),
        paid_cents=paid,
        collected_cents=collected,
        returned_cents=sum(piece.returned_cents for piece in pieces),
        net_cents=paid - collected,
    )


def by_player(
    wagers: Iterable[ev.SettledWager],
) -> dict[str, list[ev.SettledWager]]:
    """Return settled wagers by their Player."""
    found: dict[str, list[ev.SettledWager]] = {}
    for wager in wagers:
        found.setdefault(wager.player, []).append(wager)
    return found


def totals_by_player(settled: ev.RoundSettled) -> dict[str, say.TotalsView]:
    return {
        player: totals_of(mine) for player, mine in by_player(settled.wagers).items()
    }


def wager_changes(
    before: Iterable[say.WagerView], after: Iterable[say.WagerView]
) -> tuple[tuple[say.WagerView, ...], tuple[str, ...]]:
    """Return the wagers that are new or changed, and the ids of those gone."""
    known = {wager.id: wager for wager in before}
    changed = tuple(each for each in after if known.pop(each.id, None) != each)
    return changed, tuple(known)


def without_players(
    colours: Mapping[str, say.ColourView],
) -> dict[str, say.ColourView]:
    """Return colours without whose they are, for boards and other seats."""
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


def wheel_seen(current: RoundOfPlay | None) -> say.WheelSeen | None:
    """Return what the sensor has reported in the round in play."""
    if current is None or not current.is_under_way:
        return None
    sensor, game = current.facts.sensor, current.game
    referral = game.clause(Rule.REFERRAL)
    seen = say.WheelSeen(
        spun=sensor.spun,
        revolutions=sensor.revolutions,
        at_rest=sensor.at_rest,
        stray_rest=sensor.stray_rest,
        unanswered=tuple(
            say.UnansweredReport(each.value, game.voiding.get(each, referral).number)
            for each in sensor.pending
        ),
    )
    return None if seen == _NOTHING_SEEN else seen


_NOTHING_SEEN = say.WheelSeen(False, None, None, None, ())


def phase_of(state: TableState) -> Phase:
    series = state.series
    return series.current.phase if series.last else Phase.AWAITING


def drawn_of(state: TableState) -> tuple[Number, ...] | None:
    """Return the Bonus Numbers of the latest round, once they are drawn."""
    series = state.series
    return series.current.facts.bonus_numbers if series.last else None


def is_present(state: TableState, number: int, wager: ev.SettledWager) -> bool:
    """Return whether who had a wager of a round is at that seat still (A37)."""
    found = state.series.find(number)
    lying = found.board.wagers.get(wager.wager_id) if found is not None else None
    if lying is None or lying.stay is None:
        return True
    return lying.player != wager.player or lying.stay == state.stay_at(wager.player)


def credit_of(state: TableState, seat: str) -> int:
    return state.balance(acc.seat(seat))


def claim_of(state: TableState, seat: str) -> int:
    """Return what the Player at a seat owes."""
    stay = state.stay_at(seat)
    own = acc.claim(seat if stay is None else acc.stay_name(seat, stay))
    return -state.balance(own)
