"""Judge the placing, increase and withdrawal of wagers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from croupier.rules import commands, events
from croupier.rules.cents import is_amount
from croupier.rules.clause import Refusal, Rule
from croupier.rules.layout import BettingArea
from croupier.rules.notation import is_at_maximum
from croupier.rules.operator import Person, Role
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import Verdict, outside_limit, refuse, wager_of_staff
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.wagers import Wager


def place_wager(
    state: RoundOfPlay, person: Person, command: commands.PlaceWager
) -> Verdict:
    placement = _find_wager(state, person, command)
    if isinstance(placement, Refusal):
        return placement
    return lay_wager(state, person, command, placement)


def _find_wager(
    state: RoundOfPlay, person: Person, command: commands.PlaceWager
) -> Placement | Refusal:
    """Return the areas of a wager, or refuse it; look at no other chips."""
    refusal = refuse_now(state, person, command)
    return refusal or find_placement(state.game, state.settings, command.wager)


def lay_wager(
    state: RoundOfPlay,
    person: Person,
    command: commands.PlaceWager,
    placement: Placement,
) -> Verdict:
    """Judge a wager's id, its stake, and the limits with the chips on the layout."""
    cents = _stakes(state, command, placement)
    if isinstance(cents, Refusal):
        return cents
    pieces = _pieces(placement.areas, cents)
    if command.registered:
        refusal = _outside_limits(
            state, command.player or "", pieces, electronic=command.electronic
        )
        if refusal is not None:
            return refusal
    return (_placed(state, person, command, placement, pieces),)


def _pieces(
    areas: tuple[BettingArea, ...], cents: tuple[int, ...]
) -> Sequence[tuple[BettingArea, int]]:
    if len(areas) == 1:
        return ((areas[0], cents[0]),)
    return tuple(zip(areas, cents, strict=True))


def place_together(
    state: RoundOfPlay, wagers: Sequence[tuple[Person, commands.PlaceWager]]
) -> Verdict:
    """Judge wagers that are laid at the same time; their order does not matter.

    The limits judge their sum on each area (A8), not one wager after another.
    """
    placed: dict[str, events.WagerPlaced] = {}
    # A complete maximum wager is refused on other chips (A6): it comes last.
    in_turn = sorted(wagers, key=lambda each: is_at_maximum(each[1].wager.name))
    for person, command in in_turn:
        wager = _judge_wager(state, person, command)
        if isinstance(wager, Refusal):
            return wager
        placed[command.wager_id] = wager
        state = apply(state, wager)
    for _, command in wagers:
        wager = placed[command.wager_id]
        areas = [state.game.area_by_name[piece.area] for piece in wager.pieces]
        refusal = _outside_limits(
            state,
            wager.player,
            [(area, 0) for area in areas if command.registered],
            electronic=command.electronic,
        )
        if refusal is not None:
            return refusal
    return tuple(placed[command.wager_id] for _, command in wagers)


def _judge_wager(
    state: RoundOfPlay, person: Person, command: commands.PlaceWager
) -> events.WagerPlaced | Refusal:
    """Judge a wager by everything but the limits."""
    placement = _find_wager(state, person, command)
    if isinstance(placement, Refusal):
        return placement
    cents = _stakes(state, command, placement)
    if isinstance(cents, Refusal):
        return cents
    pieces = _pieces(placement.areas, cents)
    return _placed(state, person, command, placement, pieces)


def _stakes(
    state: RoundOfPlay, command: commands.PlaceWager, placement: Placement
) -> tuple[int, ...] | Refusal:
    """Return the stake on each piece; refuse a used id or an incomplete wager."""
    if state.board.has_used(command.wager_id):
        return refuse(
            state, Rule.WAGERS, RuleReason.WAGER_ID_USED(wager_id=command.wager_id)
        )
    cents = _piece_cents(state, command, placement)
    if placement.is_complete and not isinstance(cents, Refusal):
        return _incomplete(state, command, placement, sum(cents)) or cents
    return cents


def increase_wager(
    state: RoundOfPlay, person: Person, command: commands.IncreaseWager
) -> Verdict:
    wager = _wager_to_change(state, person, command)
    if isinstance(wager, Refusal):
        return wager
    added = command.stake_cents
    if not is_amount(added):
        return refuse(state, Rule.WAGERS, RuleReason.INCREASE_NOT_AN_AMOUNT())
    refusal = _not_whole_chips(state, wager.colour, (added,))
    if refusal is not None:
        return refusal
    refusal = _outside_limits(
        state,
        wager.player,
        [(area, added) for area in wager.areas],
        electronic=wager.electronic,
    )
    if refusal is not None:
        return refusal
    marker = None
    if wager.marker is not None and wager.marker.unit_cents is not None:
        marker = replace(wager.marker, unit_cents=wager.marker.unit_cents + added)
    increased = events.WagerIncreased(
        person, wager.wager_id, added, marker, command.for_round
    )
    return (increased,)


def _not_whole_chips(
    state: RoundOfPlay, colour: str | None, cents: tuple[int, ...]
) -> Refusal | None:
    """Refuse amounts that are no whole number of such chips (v3 1.1.1)."""
    chips = state.colours.get(colour) if colour is not None else None
    if chips is None or not any(each % chips.value_cents for each in cents):
        return None
    reason = RuleReason.COLOUR_IN_WHOLE_CHIPS(
        colour=colour or "", value_cents=chips.value_cents
    )
    return refuse(state, Rule.COLOUR_CHIPS, reason)


def withdraw_wager(
    state: RoundOfPlay, person: Person, command: commands.WithdrawWager
) -> Verdict:
    wager = _wager_to_change(state, person, command)
    if isinstance(wager, Refusal):
        return wager
    refusal = _leaves_too_little(state, wager, command.beside)
    if refusal is not None:
        return refusal
    return (events.WagerWithdrawn(person, wager.wager_id, late=state.facts.dropped),)


def _leaves_too_little(
    state: RoundOfPlay, wager: Wager, beside: tuple[str, ...]
) -> Refusal | None:
    """Refuse to leave less than the minimum, if less can't be placed either (A36)."""
    board = state.board
    going = {wager.wager_id, *beside}
    found = (board.wagers.get(wager_id) for wager_id in going - board.lifted)
    taken = _cents_by_area(
        each for each in found if each is not None and each.player == wager.player
    )
    for area in dict.fromkeys(wager.areas):
        limit = state.limits.of(area.wager_type)
        rest = board.player_on(wager.player, area) - taken[area.name]
        if limit is None or not 0 < rest < limit.minimum_cents:
            continue
        if state.game.provides(Rule.UNDER_MINIMUM) and not any(
            other.electronic and other.registered and area in other.areas
            for other in board.wagers.values()
            if other.player == wager.player
            and other.wager_id not in going
            and other.wager_id not in board.lifted
        ):
            continue  # chips on the layout may lie under the minimum (5.15)
        reason = RuleReason.LEAVES_UNDER_MINIMUM(
            player=wager.player,
            sum_cents=rest,
            area=area.name,
            low_cents=limit.minimum_cents,
        )
        return refuse(state, Rule.LIMITS, reason)
    return None


def _cents_by_area(wagers: Iterable[Wager]) -> Counter[str]:
    """Add up the registered wagers on each area."""
    cents: Counter[str] = Counter()
    for wager in wagers:
        if wager.registered:
            for area, on_it in zip(wager.areas, wager.piece_cents, strict=True):
                cents[area.name] += on_it
    return cents


_OwnCommand = commands.PlaceWager | commands.IncreaseWager | commands.WithdrawWager


def refuse_now(
    state: RoundOfPlay, person: Person, command: _OwnCommand
) -> Refusal | None:
    """Refuse a late wager, another's wager, a wrong way to place, or an early one."""
    facts = state.facts
    by_rest = facts.closed_by_rest and state.standing is None
    if (facts.closed and not by_rest) or state.phase is Phase.ENDED:
        if isinstance(command, commands.WithdrawWager):
            return refuse(state, Rule.LATE_WITHDRAWAL, RuleReason.WAGER_STANDS())
        return refuse(state, Rule.LATE_WAGER, RuleReason.BETTING_CLOSED())
    if facts.at_rest is not None:  # A28
        reason = RuleReason.AT_REST_ELSEWHERE(number=facts.at_rest)
        return refuse(state, Rule.OUTCOME, reason)
    refusal = _not_theirs(state, person, command)
    if refusal is None and isinstance(command, commands.PlaceWager):
        refusal = _way_refused(state, command)
    if refusal is None and state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    return refusal


def _not_theirs(
    state: RoundOfPlay, person: Person, command: _OwnCommand
) -> Refusal | None:
    game = state.game
    if not game.provides(Rule.WAGERS):
        return refuse(state, Rule.WAGERS, RuleReason.NO_WAGERS())
    if command.player is None:
        return refuse(state, Rule.WAGERS, RuleReason.NOT_A_PLAYER(person=person.named))
    is_wager = not isinstance(command, commands.WithdrawWager)
    refusal = wager_of_staff(state, command.player) if is_wager else None
    if refusal is not None:
        return refusal
    if person.role is Role.PLAYER and person.name == command.player:
        return None
    if not game.provides(Rule.STAFF_PLACING):
        return refuse(state, Rule.WAGERS, RuleReason.PLAYERS_OWN_WAGERS())
    if not game.may(person, Rule.STAFF_PLACING):
        return refuse(
            state,
            Rule.STAFF_PLACING,
            RuleReason.MAY_NOT_ACT_FOR(person=person.named, player=command.player),
        )
    if not is_wager:
        return refuse(state, Rule.STAFF_PLACING, RuleReason.STAFF_ONLY_PLACE())
    return wager_of_staff(state, command.player, acting=person)


def _way_refused(state: RoundOfPlay, command: commands.PlaceWager) -> Refusal | None:
    """Refuse chips in a game without a felt, and terminals in one without terminals."""
    game = state.game
    if not command.electronic and not game.provides(Rule.CHIPS_ON_LAYOUT):
        return refuse(state, Rule.WAGERS, RuleReason.TERMINAL_ONLY())
    if command.electronic and not game.provides(Rule.ELECTRONIC_PLACING):
        return refuse(state, Rule.ELECTRONIC_PLACING, RuleReason.NO_TERMINALS())
    if not command.registered and not game.provides(Rule.UNREGISTERED_RETURNED):
        return refuse(
            state, Rule.UNREGISTERED_RETURNED, RuleReason.NO_UNREGISTERED_WAGERS()
        )
    return None


def _piece_cents(
    state: RoundOfPlay, command: commands.PlaceWager, placement: Placement
) -> tuple[int, ...] | Refusal:
    """Return the stake on each piece; refuse wrong chips or a missing stake."""
    unit = command.stake_cents
    if command.colour is not None:
        chips = state.colours.get(command.colour)
        if chips is None or chips.player != command.player:
            return refuse(
                state,
                Rule.COLOUR_CHIPS,
                RuleReason.NOT_YOUR_CHIPS(
                    colour=command.colour, player=command.player or ""
                ),
            )
        unit = command.colour_chips * chips.value_cents
    if placement.is_at_maximum:
        cents = _maximum_cents(state, command, placement)
        if isinstance(cents, Refusal):
            return cents
        return _not_whole_chips(state, command.colour, cents) or cents
    if unit is None or not is_amount(unit):
        return refuse(state, Rule.WAGERS, RuleReason.STAKE_NEEDED(wager=placement.name))
    return (unit,) * len(placement.areas)


def _maximum_cents(
    state: RoundOfPlay, command: commands.PlaceWager, placement: Placement
) -> tuple[int, ...] | Refusal:
    """Stake each area at its own type's maximum, if it is empty (A6)."""
    clause = state.game.cite(state.game.multiples["complete_maximum"][0].number)
    if command.stake_cents is not None:
        return Refusal(clause, RuleReason.STAKE_AT_MAXIMUM(wager=placement.name))
    cents: list[int] = []
    for area in placement.areas:
        limit = state.limits.of(area.wager_type)
        if limit is None:
            return Refusal(clause, RuleReason.NO_MAXIMUM(area=area.name))
        if state.board.player_on(command.player or "", area):
            return Refusal(
                clause,
                RuleReason.CHIPS_THERE_ALREADY(
                    player=command.player or "", area=area.name
                ),
            )
        cents.append(limit.maximum_cents)
    return tuple(cents)


def _incomplete(
    state: RoundOfPlay, command: commands.PlaceWager, placement: Placement, total: int
) -> Refusal | None:
    """Refuse a complete wager that lacks its button or the exact chips."""
    if not state.game.provides(Rule.MARKER_AND_CHIPS):
        return None
    if not command.marker:
        return refuse(
            state, Rule.MARKER_AND_CHIPS, RuleReason.MARKER_NEEDED(wager=placement.name)
        )
    if command.chips_cents not in {None, total}:
        return refuse(
            state,
            Rule.MARKER_AND_CHIPS,
            RuleReason.CHIPS_NOT_EXACT(
                wager=placement.name, count=len(placement.areas), sum_cents=total
            ),
        )
    return None


def _outside_limits(
    state: RoundOfPlay,
    player: str,
    pieces: Sequence[tuple[BettingArea, int]],
    *,
    electronic: bool,
) -> Refusal | None:
    """Refuse a breach of limits, unless a clause treats it at the outcome (A11)."""
    game, limits, board = state.game, state.limits, state.board
    below_refused = electronic or not game.provides(Rule.UNDER_MINIMUM)
    above_refused = electronic or not game.provides(Rule.OVER_MAXIMUM)
    for area, cents in _by_area(pieces):
        limit = limits.of(area.wager_type)
        total = board.player_on(player, area) + cents
        if limit is not None and (
            (below_refused and total < limit.minimum_cents)
            or (above_refused and total > limit.maximum_cents)
        ):
            return outside_limit(state, player, area, total, limit)
        if _over_area_maximum(state, area, cents):
            return refuse(
                state, Rule.AREA_MAXIMUM, RuleReason.AREA_FULL(area=area.name)
            )
    return None


def _by_area(
    pieces: Sequence[tuple[BettingArea, int]],
) -> Iterable[tuple[BettingArea, int]]:
    """Add up the pieces on each area."""
    if len(pieces) == 1:
        return pieces
    added: dict[str, tuple[BettingArea, int]] = {}
    for area, cents in pieces:
        before = added.get(area.name, (area, 0))[1]
        added[area.name] = (area, before + cents)
    return added.values()


def _over_area_maximum(state: RoundOfPlay, area: BettingArea, cents: int) -> bool:
    caps = state.settings.area_maximum_cents
    if not caps or not state.game.provides(Rule.AREA_MAXIMUM):
        return False
    cap = caps.get(area.wager_type, caps.get(None))
    return cap is not None and state.board.all_on(area) + cents > cap


def _wager_to_change(
    state: RoundOfPlay,
    person: Person,
    command: commands.IncreaseWager | commands.WithdrawWager,
) -> Wager | Refusal:
    """Return the Player's own wager if it may be changed now."""
    refusal = refuse_now(state, person, command)
    if refusal is not None:
        return refusal
    wager = state.board.wagers.get(command.wager_id)
    if command.wager_id in state.board.lifted:
        wager = None
    if wager is None or wager.player != command.player or not wager.registered:
        return refuse(
            state,
            Rule.WAGERS,
            RuleReason.NO_WAGER_OF_PLAYER(
                player=command.player or "", wager_id=command.wager_id
            ),
        )
    return wager


def _placed(
    state: RoundOfPlay,
    person: Person,
    command: commands.PlaceWager,
    placement: Placement,
    pieces: Sequence[tuple[BettingArea, int]],
) -> events.WagerPlaced:
    return events.WagerPlaced(
        by=person,
        wager_id=command.wager_id,
        player=command.player or "",
        wager=placement.name,
        pieces=tuple([events.PiecePlaced(area.name, stake) for area, stake in pieces]),
        electronic=command.electronic,
        registered=command.registered,
        terminal=command.terminal,
        stay=command.stay,
        colour=command.colour,
        marker=_marker(state, placement, pieces) if placement.is_complete else None,
        for_round=command.for_round,
    )


def _marker(
    state: RoundOfPlay,
    placement: Placement,
    pieces: Sequence[tuple[BettingArea, int]],
) -> events.MarkerButton | None:
    at_maximum = placement.is_at_maximum
    rule = Rule.MAXIMUM_MARKER if at_maximum else Rule.COMPLETE_MARKER
    if not state.game.provides(rule):
        return None
    on, cents = placement.name.partition(":")[2], tuple([each for _, each in pieces])
    if at_maximum:
        return events.MarkerButton(None, on, cents)
    return events.MarkerButton(cents[0], on)
