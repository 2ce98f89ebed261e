"""Read acts: the part of a line behind the colon becomes a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from croupier.rules import commands
from croupier.rules.game import Irregularity
from croupier.rules.notation import MultipleText, shown, suggestion
from croupier.rules.reasons import Reason, did_you_mean
from croupier.rules.wheel import Number
from croupier.transcript.reasons import TranscriptReason
from croupier.transcript.words import (
    ActReader,
    ReadAct,
    TranscriptError,
    Words,
    read_name,
)

_FORM = "straight_up:17 10 as w1"
_CHIPS = re.compile(r"[1-9][0-9]{0,5}")
_COLOUR = re.compile(r"[^\W\d_][\w-]{0,19}")


@dataclass(slots=True)
class _PlacingOptions:
    """Options of a line beside its wager."""

    form: str
    """An example with the same verb, for errors."""
    stake: int | None = None
    colour: int | None = None
    wager_id: str = ""
    terminal: str | None = None
    registered: bool = True
    marker: bool = True
    chips_cents: int | None = None
    seen: set[str] = field(default_factory=set)


def _read_placing(reader: ActReader, rest: Words, name: str) -> ReadAct:
    """`WAGER STAKE [_COLOUR] as ID`, then options in any order."""
    form = f"{name} {_FORM}"
    if not rest:
        raise rest.error(TranscriptReason.WRITE(form=form))
    wager = reader.wager(rest, 0)
    options = _read_options(reader, rest, form)
    if not options.wager_id:
        raise rest.error(TranscriptReason.WAGER_ID_MISSING(form=form), len(rest))
    word = wager.word if isinstance(wager, MultipleText) else ""
    at_maximum = word == "complete_maximum"
    if at_maximum and options.stake is not None:
        raise rest.error(TranscriptReason.STAKE_WITH_MAXIMUM(), options.stake)
    if not at_maximum and options.stake is None:
        raise rest.error(TranscriptReason.STAKE_WORD_MISSING(form=form), 1)
    chips, cents = _stake(reader, rest, options)
    _check_complete(rest, options, word in {"complete", "complete_maximum"}, cents)
    command = commands.PlaceWager(
        wager_id=options.wager_id,
        player=reader.player,
        wager=wager,
        stake_cents=cents,
        electronic=name == "place",
        registered=options.registered,
        terminal=options.terminal,
        colour=None if options.colour is None else rest.texts()[options.colour],
        colour_chips=chips,
        marker=options.marker,
        chips_cents=options.chips_cents,
    )
    return ReadAct(name, command, options.wager_id)


def _stake(
    reader: ActReader, rest: Words, options: _PlacingOptions
) -> tuple[int, int | None]:
    """Read the stake: a number of colour chips, or cents."""
    if options.stake is None:
        return 0, None
    if options.colour is None:
        return 0, reader.cents(rest, options.stake)
    if not _CHIPS.fullmatch(rest.texts()[options.stake]):
        raise rest.error(TranscriptReason.CHIPS_NOT_COUNTED(), options.stake)
    return int(rest.texts()[options.stake]), None


def _check_complete(
    rest: Words, options: _PlacingOptions, is_complete: bool, unit: int | None
) -> None:
    """Raise for a button or chips that such a wager does not have.

    The rules, not the parser, refuse too many or too few whole units.
    """
    texts = rest.texts()
    for word in ("without", "chips"):
        if word in options.seen and not is_complete:
            place = texts.index(word)
            raise rest.error(TranscriptReason.COMPLETE_ONLY(text=word), place)
    chips = options.chips_cents
    if chips is not None and unit is not None and chips % unit:
        raise rest.error(
            TranscriptReason.CHIPS_NOT_UNITS(chips_cents=chips, unit_cents=unit),
            texts.index("chips") + 1,
        )


def _read_options(reader: ActReader, rest: Words, form: str) -> _PlacingOptions:
    options = _PlacingOptions(form)
    place = 1
    while place < len(rest):
        place += _read_one(reader, rest, place, options)
    return options


def _read_one(
    reader: ActReader, rest: Words, place: int, options: _PlacingOptions
) -> int:
    """Read the option at `place` into `options`; return its number of words."""
    texts = rest.texts()[place:]
    if texts[0] in options.seen:
        raise rest.error(TranscriptReason.SAID_TWICE(text=repr(texts[0])), place)
    match texts:
        case ("as", *_):
            options.wager_id = reader.wager_id(rest, place + 1)
        case ("at", terminal, *_):
            options.terminal = terminal
        case ("chips", *_):
            options.chips_cents = reader.cents(rest, place + 1)
        case ("without", "marker", *_):
            options.marker = False
        case ("unregistered", *_):
            options.registered = False
            options.seen.add("unregistered")
            return 1
        case _:
            return _read_stake_or_colour(rest, place, options)
    options.seen.add(texts[0])
    return 2


def _read_stake_or_colour(rest: Words, place: int, options: _PlacingOptions) -> int:
    is_colour = _COLOUR.fullmatch(rest.texts()[place]) and options.colour is None
    if options.stake is None and place == 1:
        if is_colour and rest.texts()[0].startswith("complete_maximum:"):
            options.colour = place  # it has no stake of its own
        else:
            options.stake = place
        return 1
    if options.stake is None or place != options.stake + 1 or not is_colour:
        raise rest.error(
            TranscriptReason.WORD_MISPLACED(
                text=shown(rest.texts()[place]), form=options.form
            ),
            place,
        )
    options.colour = place
    return 1


def read_act(reader: ActReader, words: Words) -> ReadAct:
    """Read an act, and the reason behind it (A43)."""
    texts = words.texts()
    place = texts.index(_BECAUSE) if _BECAUSE in texts else len(texts)
    act, reason = words.before(place), words.after(place)
    for start, read in _ACTS:
        if texts[: len(start)] == start:
            found = read(reader, act.after(len(start)), " ".join(start))
            return _with_reason(found, reason) if reason else found
    raise words.error(_not_an_act(words))


_BECAUSE = "because"


def _with_reason(act: ReadAct, words: Words) -> ReadAct:
    """Add the words behind `because` to the act; raise if it takes no reason."""
    text = " ".join(words.texts()[1:])
    if not text:
        raise words.error(TranscriptReason.WORD_MISSING(), 1)
    command = act.command
    if commands.reason_of(command) is None:
        raise words.error(TranscriptReason.NO_REASON_TAKEN(act=act.words))
    return replace(act, command=commands.with_reason(command, text))


def _not_an_act(words: Words) -> Reason:
    if not words:
        return TranscriptReason.NO_ACT()
    known = [" ".join(start) for start, _ in _ACTS]
    close = suggestion(" ".join(words.texts()[:3]), known) or suggestion(
        words.texts()[0], [name.split()[0] for name in known]
    )
    text = shown(" ".join(words.texts()[:3]))
    return did_you_mean(TranscriptReason.NOT_AN_ACT(text=text), close)


_Read = Callable[[ActReader, Words, str], ReadAct]


def _plain(command: commands.Command) -> _Read:
    """Return a reader of an act without arguments."""

    def read(_: ActReader, rest: Words, name: str) -> ReadAct:
        rest.expect(0, name)
        return ReadAct(name, command)

    return read


def _with_number(build: Callable[[Number], commands.Command]) -> _Read:
    """Return a reader of an act with one number behind it."""

    def read(reader: ActReader, rest: Words, name: str) -> ReadAct:
        rest.expect(1, f"{name} 17")
        return ReadAct(name, build(reader.number(rest, 0)))

    return read


def _spin(reader: ActReader, rest: Words, name: str) -> ReadAct:
    if not rest:
        return ReadAct(name, commands.SpinBall())
    direction = {("against", "wheel"): True, ("with", "wheel"): False}
    against = direction.get(rest.texts()[-2:])  # type: ignore[arg-type]
    counted = rest if against is None else rest.before(len(rest) - 2)
    if not counted:
        return ReadAct(name, commands.SpinBall(against_wheel=against))
    counted.expect(1, "spin, spin 3 for three revolutions, spin 6 against wheel")
    return ReadAct(name, commands.SpinBall(reader.count(counted, 0), against))


def _draw(reader: ActReader, rest: Words, name: str) -> ReadAct:
    drawn = tuple(reader.number(rest, place) for place in range(len(rest)))
    return ReadAct(name, commands.DrawBonusNumbers(drawn))


def _increase(reader: ActReader, rest: Words, name: str) -> ReadAct:
    rest.expect(2, "increase w1 5")
    wager_id, cents = reader.wager_id(rest, 0), reader.cents(rest, 1)
    command = commands.IncreaseWager(wager_id, reader.player, cents)
    return ReadAct(name, command, wager_id)


def _withdraw(reader: ActReader, rest: Words, name: str) -> ReadAct:
    rest.expect(1, "withdraw w1")
    wager_id = reader.wager_id(rest, 0)
    return ReadAct(name, commands.WithdrawWager(wager_id, reader.player), wager_id)


def _unclear(reader: ActReader, rest: Words, name: str) -> ReadAct:
    rest.expect(1, "unclear w1")
    wager_id = reader.wager_id(rest, 0)
    return ReadAct(name, commands.MarkUnclear(wager_id), wager_id)


def _rule(reader: ActReader, rest: Words, name: str) -> ReadAct:
    wager_id = reader.wager_id(rest, 0)
    treatment = reader.treatment(rest.after(1), name)
    return ReadAct(name, commands.RuleOnWager(wager_id, treatment), wager_id)


def _decide_wager(reader: ActReader, rest: Words, name: str) -> ReadAct:
    wager_id = reader.wager_id(rest, 0)
    words = rest.after(1)
    if words.starts_with("to"):
        if len(words) == 1:
            raise words.error(TranscriptReason.WRITE(form=f"{name} w2 to Ben"), 1)
        treatment: commands.Treatment | commands.GiveTo = commands.GiveTo(
            _player(rest, list(words.texts()[1:]))
        )
    else:
        treatment = reader.treatment(words, name)
    return ReadAct("decide", commands.DecideWager(wager_id, treatment), wager_id)


def _decide_outcome(reader: ActReader, rest: Words, name: str) -> ReadAct:
    rest.expect(1, f"{name} 17")
    return ReadAct("decide", commands.DecideOutcome(reader.number(rest, 0)))


def _decide_void(_: ActReader, rest: Words, name: str) -> ReadAct:
    rest.expect(0, name)
    return ReadAct("decide", commands.DecideVoid())


def _decide_continue(_: ActReader, rest: Words, __: str) -> ReadAct:
    rest.expect(0, "decide continue")
    return ReadAct("decide", commands.DecideContinue())


def _decide_round(reader: ActReader, rest: Words, _: str) -> ReadAct:
    """`round 3 outcome 17`, `round 3 void`, `round 3 w2 return`."""
    number = _round_number(reader, rest, 0)
    words, name = rest.after(1), f"decide round {number}"
    if words.starts_with("outcome"):
        read = _decide_outcome(reader, words.after(1), f"{name} outcome")
    elif words.starts_with("void"):
        read = _decide_void(reader, words.after(1), f"{name} void")
    elif len(words) > 1:
        read = _decide_wager(reader, words, name)
    else:
        raise words.error(TranscriptReason.WRITE(form=f"{name} outcome 17"))
    decision = cast(
        commands.DecideOutcome | commands.DecideVoid | commands.DecideWager,
        read.command,
    )
    return ReadAct("decide", commands.DecideRound(number, decision), read.wager_id)


def _round_number(reader: ActReader, rest: Words, place: int) -> int:
    number = reader.count(rest, place)
    if number == 0:
        raise rest.error(TranscriptReason.ROUNDS_FROM_ONE(), place)
    return number


def _irregularity(reader: ActReader, rest: Words, name: str) -> ReadAct:
    (kind,) = rest.expect(1, "irregularity foreign_object")
    irregularity = _read_irregularity(rest, kind)
    if reader.is_sensor:
        return ReadAct(name, commands.ReportSensor(irregularity.value))
    return ReadAct(name, commands.ReportIrregularity(irregularity))


def _sensor_spun(reader: ActReader, rest: Words, name: str) -> ReadAct:
    """`spun`, `spun 3`, `spun 6 same direction`."""
    texts = rest.texts()
    against = False if texts[-2:] == ("same", "direction") else None
    counted = rest if against is None else rest.before(len(rest) - 2)
    laps = None
    if counted:
        counted.expect(1, "spun 6, or spun 6 same direction")
        laps = reader.count(counted, 0)
    return ReadAct(name, commands.ReportSensor("spun", None, laps, against))


def _sensor_dropped(reader: ActReader, rest: Words, name: str) -> ReadAct:
    return ReadAct(name, commands.ReportSensor("dropped", None, _after(reader, rest)))


def _sensor_at_rest(reader: ActReader, rest: Words, name: str) -> ReadAct:
    number, laps = reader.number(rest, 0), _after(reader, rest.after(1))
    return ReadAct(name, commands.ReportSensor("at_rest", number, laps))


def _after(reader: ActReader, rest: Words) -> int | None:
    """Read an optional `after 3`: the revolutions that a sensor counted."""
    if not rest:
        return None
    if len(rest) != 2 or not rest.starts_with("after"):
        raise rest.error(TranscriptReason.WRITE(form="after 3"))
    return reader.count(rest, 1)


def _answer(*, upheld: bool) -> _Read:
    def read(_: ActReader, rest: Words, name: str) -> ReadAct:
        (kind,) = rest.expect(1, f"{name} foreign_object")
        answer = commands.AnswerReport(_read_irregularity(rest, kind), upheld)
        return ReadAct(name, answer)

    return read


def _read_irregularity(words: Words, text: str, place: int = 0) -> Irregularity:
    known = {each.value: each for each in Irregularity}
    if text in known:
        return known[text]
    close = suggestion(text, known)
    reason = TranscriptReason.NOT_AN_IRREGULARITY(text=shown(text))
    if close is None:
        names = ", ".join(known)
        reason = TranscriptReason.IRREGULARITIES_ARE(text=shown(text), names=names)
    raise words.error(did_you_mean(reason, close), place)


def _terminals(_: ActReader, rest: Words, name: str) -> ReadAct:
    if not rest:
        raise rest.error(TranscriptReason.TERMINALS_MISSING())
    return ReadAct(name, commands.ReportTerminalsInterrupted(rest.texts()))


def _correct(reader: ActReader, rest: Words, _: str) -> ReadAct:
    if rest.after(1).starts_with("bonus", "numbers"):
        drawn = rest.after(3)
        numbers = tuple(reader.number(drawn, place) for place in range(len(drawn)))
        number = _round_number(reader, rest, 0)
        return ReadAct("correct", commands.CorrectBonusNumbers(number, numbers))
    texts = rest.expect(3, "correct round 1 to 32")
    if texts[1] != "to":
        raise rest.error(TranscriptReason.WRITE(form="correct round 1 to 32"), 1)
    command = commands.CorrectOutcome(
        _round_number(reader, rest, 0), reader.number(rest, 2)
    )
    return ReadAct("correct", command)


def _correct_ball(reader: ActReader, rest: Words, _: str) -> ReadAct:
    texts = rest.expect(2, "correct ball to 18")
    if texts[0] != "to":
        raise rest.error(TranscriptReason.WRITE(form="correct ball to 18"))
    return ReadAct("correct", commands.CorrectBall(reader.number(rest, 1)))


def _void_rounds(reader: ActReader, rest: Words, name: str) -> ReadAct:
    last = len(rest) - 1
    if last < 1:
        raise rest.error(TranscriptReason.WRITE(form="void rounds 2 3 ball_broke"))
    rounds = tuple(reader.count(rest, place) for place in range(last))
    reason = _read_irregularity(rest, rest.texts()[last], last)
    return ReadAct(name, commands.VoidRounds(rounds, reason))


def _colour(reader: ActReader, rest: Words, name: str) -> ReadAct:
    """`colour blue to Anna 5 [marker stand]`, or `colour blue from Anna`."""
    texts = rest.texts()
    if texts and not _COLOUR.fullmatch(texts[0]):
        raise rest.error(TranscriptReason.NOT_A_COLOUR())
    match texts:
        case (colour, "from", *player) if player:
            return ReadAct(name, commands.ReturnColour(colour, _player(rest, player)))
        case (colour, "to", *player, _, marker, place) if player and marker in _MARKERS:
            if place not in _MARKER_PLACES:
                last = len(rest) - 1
                raise rest.error(TranscriptReason.NOT_A_MARKER_PLACE(), last)
            command = commands.IssueColour(
                colour,
                _player(rest, player),
                reader.cents(rest, len(rest) - 3),
                commands.ValueMarker(marker),
                commands.MarkerPlace(place),
            )
            return ReadAct(name, command)
        case (colour, "to", *player, _) if player:
            cents = reader.cents(rest, len(rest) - 1)
            return ReadAct(
                name, commands.IssueColour(colour, _player(rest, player), cents)
            )
    raise rest.error(TranscriptReason.WRITE(form="colour blue to Anna 5 marker stand"))


_MARKERS = frozenset(each.value for each in commands.ValueMarker)
_MARKER_PLACES = frozenset(each.value for each in commands.MarkerPlace)


def _player(rest: Words, words: list[str]) -> str:
    try:
        return read_name(" ".join(words), rest.line)
    except TranscriptError as error:
        raise rest.error(error.reason, 2) from error


_ACTS: Sequence[tuple[tuple[str, ...], _Read]] = (
    (("place", "your", "bets"), _plain(commands.PlaceYourBets())),
    (("allow", "early", "close"), _plain(commands.AllowEarlyClose())),
    (("spin",), _spin),
    (("no", "more", "bets"), _plain(commands.NoMoreBets())),
    (("no", "spin"), _plain(commands.AnnounceNoSpin())),
    (("bonus", "numbers"), _draw),
    (("unlit",), _with_number(commands.ReportUnlit)),
    (("ball", "dropped"), _plain(commands.ReportBallDropped())),
    (("ball", "at", "rest"), _with_number(commands.ReportBallAtRest)),
    (("outcome",), _with_number(commands.AnnounceOutcome)),
    (("settle",), _plain(commands.Settle())),
    (("lay",), _read_placing),
    (("place",), _read_placing),
    (("increase",), _increase),
    (("withdraw",), _withdraw),
    (("unclear",), _unclear),
    (("rule",), _rule),
    (("irregularity",), _irregularity),
    (("spun",), _sensor_spun),
    (("dropped",), _sensor_dropped),
    (("at", "rest"), _sensor_at_rest),
    (("uphold",), _answer(upheld=True)),
    (("reject",), _answer(upheld=False)),
    (("power", "failure"), _plain(commands.ReportPowerFailure())),
    (("interruption", "round"), _plain(commands.ReportRoundInterrupted())),
    (("interruption", "terminals"), _terminals),
    (("display",), _with_number(commands.ShowDisplay)),
    (("correct", "round"), _correct),
    (("correct", "ball"), _correct_ball),
    (("void", "rounds"), _void_rounds),
    (("decide", "outcome"), _decide_outcome),
    (("decide", "void"), _decide_void),
    (("decide", "continue"), _decide_continue),
    (("decide", "round"), _decide_round),
    (("decide",), _decide_wager),
    (("colour",), _colour),
)
