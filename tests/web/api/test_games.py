"""Games over HTTP: layouts to draw, clauses to read, wagers taken to pieces."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from croupier.games import all_games
from croupier.house.views.parts import sections_of
from tests.cli.running import run_here
from tests.web.a_house import TEXT, House

pytestmark = pytest.mark.anyio

COMPLETE = TEXT.replace("mbs-roulette-v3", "mbs-complete-bet-v2")


def printed(*words: str) -> Any:
    return run_here(*words, "--json").json()


async def test_the_five_games_are_listed(house: House) -> None:
    games = await house.get("/api/games")

    listed = printed("games")["games"]
    assert [each["game"] for each in games] == [each["game"] for each in listed]
    assert [len(each["numbers"]) for each in games] == [
        each["compartments"] for each in listed
    ]
    assert all(each["approved"] is True for each in games)


async def test_a_layout_is_compressed_for_clients_that_accept_it(house: House) -> None:
    path = "/api/games/mbs-fast-action-v2/layout"
    plain = await house.ask("GET", path)
    for takes, is_packed in (("br, gzip", True), ("gzip;q=0", False), ("", False)):
        told = await house.ask("GET", path, headers={"accept-encoding": takes})
        assert told.headers["vary"] == "Accept-Encoding"
        assert ("content-encoding" in told.headers) is is_packed
        assert int(told.headers["content-length"]) == len(told.body)
        body = gzip.decompress(told.body) if is_packed else told.body
        assert body == plain.body
        assert is_packed is (len(told.body) < len(body) / 5)


async def test_a_layout_has_the_areas_of_the_command_line_and_their_places(
    house: House,
) -> None:
    for game in all_games():
        shown = await house.get(f"/api/games/{game.name}/layout")
        keys = ("area", "type", "numbers", "pays")
        areas = [{key: each[key] for key in keys} for each in shown["areas"]]
        assert areas == printed("layout", game.name)["areas"]
        assert [each["number"] for each in shown["numbers"]] == list(game.numbers)
        assert [tuple(each["sections"]) for each in shown["numbers"]] == [
            sections_of(game, number) for number in game.numbers
        ]
        assert shown["ring"] == list(game.ring)
        boxes = {each["area"] for each in shown["areas"] if each["rect"]}
        assert boxes >= {"red", "straight_up:17"} & {a.name for a in game.areas}
        for area in shown["areas"]:
            assert area["at"] == list(game.area_by_name[area["area"]].at)
        track = shown["racetrack"]
        if track is not None:
            ends = ("right", "bottom", "left", "top")
            around = [number for end in ends for number in track[end]]
            assert sorted(around) == sorted(game.ring)
    error = await house.refused(404, "GET", "/api/games/poker/layout")
    assert error.startswith("there is no game 'poker'")


async def test_clauses_and_readings_are_told_in_our_words(house: House) -> None:
    clauses = await house.get("/api/games/mbs-roulette-v3/clauses")
    readings = await house.get("/api/readings")

    late = next(each for each in clauses if each["clause"] == "5.13")
    assert late["of_software"]
    assert late["asks"]
    assert [each["id"] for each in readings] == [
        each["id"] for each in printed("readings")["readings"]
    ]
    await house.refused(404, "GET", "/api/games/poker/clauses")


@pytest.mark.house_file(COMPLETE)
async def test_a_wager_is_taken_to_pieces_before_it_is_placed(house: House) -> None:
    path = "/api/tables/t2/pieces"
    tiers = await house.post(path, {"wager": "tiers", "stake_cents": 500})
    complete = await house.post(path, {"wager": "complete_maximum:17"})

    assert (len(tiers["pieces"]), tiers["total_cents"]) == (6, 3_000)
    assert complete["total_cents"] == sum(
        each["stake_cents"] for each in complete["pieces"]
    )
    assert complete["pieces"][0] == {
        "area": "straight_up:17",
        "stake_cents": 100_000,
    }


async def test_a_wager_that_would_be_refused_says_why(house: House) -> None:
    path = "/api/tables/t1/pieces"
    for body, status, clause in (
        ({"wager": "split:1/36", "stake_cents": 500}, 409, "3.4"),
        ({"wager": "red"}, 409, None),
        ({"wager": "nonsense", "stake_cents": 500}, 400, None),
        ({"wager": "complete:17", "stake_cents": 500}, 409, None),
    ):
        answer = await house.ask("POST", path, body)
        assert answer.status == status, answer.body
        if clause is not None:
            assert answer.json()["clause"] == clause, answer.body
    red = {"wager": "red", "stake_cents": 10**9}
    over = await house.ask("POST", path, red)
    assert (over.status, over.json()["clause"]) == (409, "3.3")
    await house.refused(404, "POST", "/api/tables/t9/pieces", red)


async def test_the_odds_are_those_of_the_command_line(house: House) -> None:
    shown: list[dict[str, str]] = []
    for game in all_games():
        shown = await house.get(f"/api/games/{game.name}/odds")
        sheet = printed("odds", game.name)["wagers"]
        keys = ("wager", "win_probability", "house_edge")
        assert [[each[key] for key in keys] for each in shown] == [
            [each[key] for key in keys] for each in sheet
        ]
    red = next(each for each in shown if each["wager"] == "red")
    assert (red["win_percent"], red["edge_percent"]) == ("46.15%", "7.69%")
    await house.refused(404, "GET", "/api/games/none/odds")
