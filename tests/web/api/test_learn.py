"""The training room over HTTP: the same marks as in the package, and one record."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from croupier.journal.events.codec import decode
from croupier.journal.events.house import TrainingRecorded
from croupier.learn import AssessedResult, GivenAnswer, assessment, mark_round
from tests.web.a_house import House

pytestmark = pytest.mark.anyio

GAME = "mbs-roulette-v3"


def answered(seed: int, spins: int) -> dict[str, Any]:
    """Return an assessed round in which every answer is right."""
    given = [GivenAnswer(each.task.due, 900) for each in assessment(GAME, seed, spins)]
    file = {"seed": seed, "spins": spins, "given": given}
    return dict(msgspec.to_builtins(file))


async def test_a_question_is_asked_and_marked(house: House) -> None:
    games = await house.get("/api/learn")
    path = f"/api/learn/{GAME}/payouts"
    asked = await house.get(f"{path}?level=2&seed=5")
    wrong = await house.post(path, {"level": 2, "seed": 5, "answer": {"cents": 1}})
    due = {"level": 2, "seed": 5, "answer": wrong["due"]}
    right = await house.post(path, due)

    assert len(games) == 5
    assert asked["form"] == "money"
    assert (wrong["verdict"], right["verdict"]) == ("wrong", "right")
    assert right["clause"]["number"] == "4.1"


async def test_a_drill_that_the_game_lacks_is_404_with_a_sentence(house: House) -> None:
    answer = await house.ask("GET", f"/api/learn/{GAME}/announced")

    assert answer.status == 404
    assert "has no drill announced" in answer.json()["error"]


async def test_an_assessed_round_is_marked_as_in_the_package(house: House) -> None:
    moments = await house.get(f"/api/learn/{GAME}?seed=1&spins=2")
    result = await house.post(f"/api/learn/{GAME}", answered(1, 2))

    given = [GivenAnswer(each.task.due, 900) for each in assessment(GAME, 1, 2)]
    assert len(moments) == len(given)
    assert msgspec.convert(result, AssessedResult) == mark_round(GAME, 1, 2, given)


async def test_a_manager_files_the_training_of_another(house: House) -> None:
    mira = await house.log_on("Mira")
    file = answered(1, 2) | {"game": GAME}

    filed = await house.post("/api/staff/Dana/training", file, mira)
    own = await house.ask("POST", "/api/staff/Mira/training", file, token=mira)
    missing = await house.ask("POST", "/api/staff/Nina/training", file, token=mira)

    assert (own.status, missing.status) == (409, 404)
    [event] = [
        event
        for row in house.store.events("house")
        if isinstance(event := decode(row.schema, row.kind, row.body), TrainingRecorded)
    ]
    assert (event.by, event.name, event.spins) == ("Mira", "Dana", 2)
    assert event.digest == filed["digest"]
