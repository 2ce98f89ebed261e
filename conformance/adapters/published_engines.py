#!/usr/bin/env python3
r"""Answer settlement questions of the single-zero games with three engines from PyPI.

pip install penny-ante==1.0.0 pyyaml pyroulette==0.0.5 roulette==1.5
python conformance/run.py --level settlement -- \
    python conformance/adapters/published_engines.py penny_ante
"""

import json
import sys

GAMES = {"mbs-roulette-v2", "mbs-roulette-v3", "mbs-complete-bet-v2"}
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
ORDINALS = {"1": "first", "2": "second", "3": "third"}


def penny_ante(area: str, number: int, stake: int) -> int | None:
    """Return what penny-ante gives back for a bet, stake included."""
    from penny_ante.bet import Bet, BetType
    from penny_ante.space import Space

    kind, _, which = area.partition(":")
    if kind in {"column", "dozen"}:
        kind, which = f"{ORDINALS[which]}_{kind}", ""
    space = Space(number)
    space.color = "GREEN" if number == 0 else "RED" if number in RED else "BLACK"
    bet = Bet(BetType(kind), which.split("/") if which else [], stake)
    return bet.calculate_payout(space)


def pyroulette(area: str, number: int, stake: int) -> int | None:
    """Return what pyroulette gives back: 36 times the share on the number that won."""
    from pyroulette.roulette import ALIASES, FEASIBLE_MOVES, interpret_bet

    kind, _, which = area.partition(":")
    numbers = [int(each) for each in which.split("/")] if which else []
    words = {
        "straight_up": which,
        "street": f"street-{(numbers[0] + 2) // 3}" if numbers else "",
        "corner": "corner-" + "-".join(map(str, numbers)),
        "column": f"col-{which}",
        "dozen": {"1": "1-12", "2": "13-24", "3": "25-36"}.get(which, ""),
        "low": "1-18",
        "high": "19-36",
    }
    on = words.get(kind, kind)
    if on not in FEASIBLE_MOVES and on not in ALIASES:
        return None
    return round(36 * interpret_bet(on, stake, None).get(number))


def roulette(area: str, number: int, stake: int) -> int | None:
    """Return what the package roulette gives back; its bets name no inside numbers."""
    from roulette.vars.bets import bets

    kind, _, which = area.partition(":")
    names = {
        "column": f"{which}{ {'1': 'st', '2': 'nd', '3': 'rd'}.get(which, '') } column",
        "dozen": f"{which}{ {'1': 'st', '2': 'nd', '3': 'rd'}.get(which, '') } dozen",
        "low": "1 to 18",
        "high": "19 to 36",
        "straight_up": "Straight up",
    }
    name = names.get(kind, kind).lower()
    for bet in bets:
        if bet["name"].lower() == name:
            won = (
                number == int(which)
                if kind == "straight_up"
                else number in bet["winningSpaces"]
            )
            above, below = bet["payout"]
            return stake + stake * above // below if won else 0
    return None


def main(engine) -> None:
    for line in sys.stdin:
        ask = json.loads(line)
        back = None
        if ask["do"] == "settle" and ask["game"] in GAMES:
            back = engine(ask["area"], int(ask["number"]), ask["stake_cents"])
        if back is None:
            answer = {"unsupported": True}
        else:
            stake = ask["stake_cents"]
            paid = max(back - stake, 0)
            answer = {
                "paid_cents": paid,
                "collected_cents": stake - (stake if back else 0),
            }
            answer["returned_cents"] = stake if back else 0
        print(json.dumps({**answer, "id": ask["id"]}))


if __name__ == "__main__":
    main(
        {each.__name__: each for each in (penny_ante, pyroulette, roulette)}[
            sys.argv[1]
        ]
    )
