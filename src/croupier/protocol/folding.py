"""A table's view kept current: a view and a message in, the next view out; pure.

What a message does not say stays as it was. Messages are folded in the order in which
they come, each once: who hears again what is in the view already leaves it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from croupier.games import UnknownGame, find_game
from croupier.protocol import answers as say
from croupier.protocol.lying import (
    answered,
    increased,
    marked_unclear,
    placed,
    told_at_once,
    withdrawn,
)
from croupier.rules.bonus import super_bonus_numbers
from croupier.rules.layout import WagerType
from croupier.rules.terms import read_limits, read_settings, write_settings
from croupier.rules.wheel import Number, colour_of

HISTORY = 200
"""Past rounds that a view keeps."""

_Fold = Callable[[say.TableView, say.TableEvent], say.TableView]


def apply_message(view: say.TableView, message: say.FromHouse) -> say.TableView:
    """The view after a message; a pong, a problem or a goodbye leaves it as it is."""
    match message:
        case say.TableSnapshot():
            return message.view
        case say.TableEvent():
            return _happened(view, message)
        case say.Answered():
            return answered(view, message)
        case say.Stakes():
            return _stakes(view, message)
        case say.Changed():
            return replace(
                view,
                closes_at_ms=message.closes_at_ms,
                keyed=message.keyed,
                notices=message.notices,
                lit=message.lit,
                lights_confirmed=message.lights_confirmed,
                dealer=message.dealer,
            )
    return view


def _happened(view: say.TableView, message: say.TableEvent) -> say.TableView:
    of_table = _OF_THE_TABLE.get(message.event)
    if of_table is not None:
        return of_table(view, message)
    if message.event == "RoundSettled":
        view = _with_history(view, message)
    if message.round != view.round:
        return view
    fold = _OF_THE_ROUND.get(message.event)
    phase = _PHASE_AFTER.get(message.event)
    if fold is not None:
        view = fold(view, message)
    return view if phase is None else replace(view, phase=phase)


def _stakes(view: say.TableView, message: say.Stakes) -> say.TableView:
    return replace(
        view,
        wagers=told_at_once(view, message.wagers),
        stake_cents=message.stake_cents,
        wager_count=message.wager_count,
        terminals=message.terminals,
        terminals_lost=message.terminals_lost,
    )


# Events of the table


def _round_begun(view: say.TableView, message: say.TableEvent) -> say.TableView:
    fields = message.fields
    return replace(
        view,
        round=fields["round_number"],
        phase="awaiting",
        standing=None,
        closes_at_ms=None,
        spun=False,
        dropped=False,
        at_rest=None,
        keyed=None,
        lights_confirmed=False,
        lit=(),
        winning_number=None,
        colour=None,
        bonus=(),
        super_bonus=(),
        limits=_limits(view, fields["limits"]),
        next_limits=None,
        wagers=(),
        settled=(),
        stake_cents=0,
        wager_count=0,
        notices=tuple(each for each in view.notices if each.kind == "buy_in"),
    )


def _limits(view: say.TableView, lines: Iterable[str]) -> tuple[say.LimitsView, ...]:
    limits = read_limits(lines)
    shown = []
    for each in view.limits:
        limit = limits.of(WagerType(each.wager_type))
        shown.append(
            say.LimitsView(
                each.wager_type,
                limit.minimum_cents if limit else None,
                limit.maximum_cents if limit else None,
            )
        )
    return tuple(shown)


def _terms_changed(view: say.TableView, message: say.TableEvent) -> say.TableView:
    limits = _limits(view, message.fields["limits"])
    settings = _settings(view, message.fields["settings"])
    if view.round == 0:
        return replace(view, limits=limits, next_limits=None, settings=settings)
    later = None if limits == view.limits else limits
    return replace(view, next_limits=later, settings=settings)


def _settings(view: say.TableView, lines: Iterable[str]) -> tuple[str, ...]:
    """As the house writes them, where the game is known here."""
    try:
        return write_settings(read_settings(find_game(view.game), lines))
    except UnknownGame:
        return tuple(lines)


def _opened(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, is_open=True)


def _closed(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, is_open=False)


def _interrupted(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, interrupted=True, ball_stated=None)


def _ball_stated(view: say.TableView, message: say.TableEvent) -> say.TableView:
    return replace(view, ball_stated=message.fields["at_rest"] or "nowhere")


def _ball_confirmed(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, interrupted=False, ball_stated=None)


def _colour_issued(view: say.TableView, message: say.TableEvent) -> say.TableView:
    fields = message.fields
    chips = (fields["player"], fields["value_cents"])
    return replace(view, colours={**view.colours, fields["colour"]: chips})


def _colour_returned(view: say.TableView, message: say.TableEvent) -> say.TableView:
    gone = message.fields["colour"]
    kept = {name: chips for name, chips in view.colours.items() if name != gone}
    return replace(view, colours=kept)


def _with_history(view: say.TableView, message: say.TableEvent) -> say.TableView:
    """A settled round takes its place, or the place of its first settlement."""
    number = message.fields["winning_number"]
    before = {each.round: each for each in view.history}
    known = before.get(message.round)
    bonus = view.bonus if message.round == view.round else known.bonus if known else ()
    past = say.PastRound(message.round, number, _colour(number), bonus)
    if known is None:
        return replace(view, history=(*view.history, past)[-HISTORY:])
    rounds = {**before, message.round: past}
    return replace(view, history=tuple(rounds.values()))


def _colour(number: str | None) -> str | None:
    return None if number is None else colour_of(Number(number)).value


# Events of the round in play


def _spun(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, spun=True)


def _no_more_bets(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, closes_at_ms=None)


def _drawn(view: say.TableView, message: say.TableEvent) -> say.TableView:
    numbers: tuple[str, ...] = tuple(message.fields["numbers"])
    return replace(view, bonus=numbers, super_bonus=_super_bonus(view.game, numbers))


def _super_bonus(name: str, drawn: tuple[str, ...]) -> tuple[str, ...]:
    try:
        game = find_game(name)
    except UnknownGame:
        return ()
    lit = super_bonus_numbers(game, frozenset(map(Number, drawn)))
    return tuple(number for number in game.numbers if number in lit)


def _dropped(view: say.TableView, _: say.TableEvent) -> say.TableView:
    return replace(view, dropped=True)


def _at_rest(view: say.TableView, message: say.TableEvent) -> say.TableView:
    return replace(view, dropped=True, at_rest=message.fields["number"])


def _outcome(view: say.TableView, message: say.TableEvent) -> say.TableView:
    number = message.fields["number"]
    return replace(
        _at_rest(view, message),
        winning_number=number,
        colour=_colour(number),
        standing=None,
        keyed=None,
    )


def _corrected(view: say.TableView, message: say.TableEvent) -> say.TableView:
    number = message.fields["corrected_to"]
    return replace(view, winning_number=number, colour=_colour(number))


def _stands(view: say.TableView, message: say.TableEvent) -> say.TableView:
    fields = message.fields
    standing = f"{fields['reason']} [{fields['clause']['number']}]"
    return replace(view, standing=standing, closes_at_ms=None)


def _settled(view: say.TableView, message: say.TableEvent) -> say.TableView:
    told = message.fields["wagers"]
    return replace(
        view, settled=msgspec.convert(told, tuple[say.SettledWagerView, ...])
    )


_OF_THE_TABLE: dict[str, _Fold] = {
    "RoundBegun": _round_begun,
    "TermsChanged": _terms_changed,
    "TableOpened": _opened,
    "TableClosed": _closed,
    "TableInterrupted": _interrupted,
    "BallStated": _ball_stated,
    "BallConfirmed": _ball_confirmed,
    "ColourIssued": _colour_issued,
    "ColourReturned": _colour_returned,
}
_OF_THE_ROUND: dict[str, _Fold] = {
    "WagerPlaced": placed,
    "WagerIncreased": increased,
    "WagerWithdrawn": withdrawn,
    "WagerMarkedUnclear": marked_unclear,
    "WagerRuled": marked_unclear,
    "BallSpun": _spun,
    "NoMoreBetsAnnounced": _no_more_bets,
    "BonusNumbersDrawn": _drawn,
    "BallDropped": _dropped,
    "BallAtRest": _at_rest,
    "OutcomeAnnounced": _outcome,
    "OutcomeDecided": _outcome,
    "OutcomeCorrected": _corrected,
    "RoundVoided": _stands,
    "RoundHeld": _stands,
    "RoundSettled": _settled,
}
_PHASE_AFTER = {
    "PlaceYourBetsAnnounced": "betting",
    "NoMoreBetsAnnounced": "closed",
    "OutcomeAnnounced": "decided",
    "OutcomeDecided": "decided",
    "RoundVoided": "void",
    "RoundHeld": "held",
    "RoundSettled": "ended",
}
