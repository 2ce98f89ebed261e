#!/usr/bin/env python3
"""Answer the questions of the conformance suite with Croupier."""

import json
import sys
from collections import Counter
from functools import cache

from croupier.games import find_game
from croupier.odds import odds_of
from croupier.rules.clause import Refusal
from croupier.rules.decisions import decide_act
from croupier.rules.game import Settings
from croupier.rules.notation import read_wager
from croupier.rules.pieces import find_placement
from croupier.rules.series import Series, apply_recorded, begin_round
from croupier.transcript import play, played_json, read_line, read_transcript


def count_areas(ask: dict) -> dict:
    game = find_game(ask["game"])
    counted = Counter(area.wager_type.value for area in game.areas)
    pays = next(
        pays for kind, pays in game.pay_table.items() if kind.value == ask["type"]
    )
    listed = [pays] if isinstance(pays, int) else list(pays.values())
    return {"areas": counted[ask["type"]], "pays": listed}


def find_area(ask: dict) -> dict:
    area = find_game(ask["game"]).area_by_name[ask["area"]]
    numbers = [
        str(number) for number in find_game(ask["game"]).numbers if area.covers(number)
    ]
    return {"type": area.wager_type.value, "numbers": numbers}


def find_pieces(ask: dict) -> dict:
    placed = find_placement(
        find_game(ask["game"]), Settings(), read_wager(ask["wager"])
    )
    pieces = [area.name for area in placed.areas]
    return {"pieces": pieces, "count": len(pieces)}


def settle(ask: dict) -> dict:
    stake = ask["stake_cents"]
    lines = [f"game {ask['game']}", "round", "Dealer: place your bets"]
    lines += [f"Anna: place {ask['area']} {stake // 100}.{stake % 100:02} as w1"]
    lines += ["Dealer: spin", "Dealer: no more bets"]
    if "bonus_numbers" in ask:
        lines += [f"RNG: bonus numbers {' '.join(ask['bonus_numbers'])}"]
    lines += [f"Dealer: outcome {ask['number']}", "Dealer: settle"]
    [wager] = transcript({"lines": lines})["wagers"]
    return wager


def odds(ask: dict) -> dict:
    found = odds_of(ask["game"], ask["wager"])
    return {
        "win_probability": str(found.win_probability),
        "return": str(1 - found.house_edge),
        "house_edge": str(found.house_edge),
        "variance": str(found.variance),
    }


def act(ask: dict) -> dict:
    series = series_after(ask["game"], tuple(ask["after"]))
    answer = decide_act(series, read_line(find_game(ask["game"]), ask["act"]).act)
    return {"refused": answer.clause.number if isinstance(answer, Refusal) else None}


@cache
def series_after(game: str, lines: tuple[str, ...]) -> Series:
    series = Series(find_game(game))
    for record in begin_round(series):
        series = apply_recorded(series, record)
    for line in lines:
        series = next_series(series, line)
    return series


def next_series(series: Series, line: str) -> Series:
    """Return the series after an accepted act; raise ValueError if it is refused."""
    answer = decide_act(series, read_line(series.game, line).act)
    if isinstance(answer, Refusal):
        raise ValueError(f"refused: {line}")
    for record in answer:
        series = apply_recorded(series, record)
    return series


def count_sequences(ask: dict) -> dict:
    found = [series_after(ask["game"], ())]
    for _ in range(ask["depth"]):
        found = [after for series in found for after in successors(series, ask["acts"])]
    return {"sequences": len(found)}


def successors(series: Series, lines: list) -> list:
    found = []
    for line in lines:
        try:
            found.append(next_series(series, line))
        except ValueError:
            continue
    return found


def transcript(ask: dict) -> dict:
    played = play(read_transcript(ask["lines"]))
    rounds = played_json(played)["rounds"]
    wagers = [
        {"round": each["round"], **wager} for each in rounds for wager in each["wagers"]
    ]
    refused = {
        str(line["line"]): line["clause"] for each in rounds for line in each["refused"]
    }
    return {"refused": refused, "rounds": rounds, "wagers": wagers}


ANSWERS = {
    each.__name__: each
    for each in (
        *(count_areas, find_area, find_pieces, settle, odds),
        *(act, count_sequences, transcript),
    )
}


def main() -> None:
    for line in sys.stdin:
        ask = json.loads(line)
        answer = (
            ANSWERS[ask["do"]](ask) if ask["do"] in ANSWERS else {"unsupported": True}
        )
        print(json.dumps({**answer, "id": ask["id"]}))


if __name__ == "__main__":
    main()
