#!/usr/bin/env python3
"""Run the conformance suite against any roulette engine that speaks JSON lines.

    python conformance/run.py [--game GAME] [--level LEVEL] -- COMMAND [ARGUMENT…]

The engine reads one question a line on standard input and writes one answer a line on
standard output. README.md lists the questions.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

SUITE = Path(__file__).parent / "v1"
LEVELS = ("areas", "pieces", "settlement", "odds", "rounds", "exceptional", "sequences")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--level", choices=LEVELS, help="only this level")
    parser.add_argument("--show", type=int, default=5, help="differences to print")
    parser.add_argument("engine", nargs="+", help="the engine's command")
    asked = parser.parse_args()
    vectors = [
        vector
        for level in LEVELS
        if asked.level in (None, level)
        for vector in read(level)
    ]
    vectors = [each for each in vectors if asked.game in (None, each["game"])]
    if not vectors:
        parser.error(f"no vectors for {asked.game}")
    scores, wrong = score(vectors, answers_of(asked.engine, vectors))
    print_scores(scores)
    for line in wrong[: asked.show]:
        print(line)
    return 0 if all(key[1] == "right" for key in scores) else 1


def read(level: str) -> list:
    files = sorted((SUITE / level).glob("*.jsonl"))
    return [
        json.loads(line) for file in files for line in file.read_text().splitlines()
    ]


def answers_of(engine: list, vectors: list) -> list:
    """Ask all questions at once; a question without an answer counts as wrong."""
    states = json.loads((SUITE / "states.json").read_text())
    questions = []
    for vector in vectors:
        ask = {"id": vector["id"], "game": vector["game"], **vector["ask"]}
        if "after" in ask:
            ask["after"] = states[vector["game"]][ask["after"]]
        questions.append(json.dumps(ask))
    done = subprocess.run(
        engine,
        input="\n".join(questions) + "\n",
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def score(vectors: list, answers: list) -> tuple:
    """Count the answers of each level by kind, and describe the wrong ones."""
    by_id = {answer.get("id"): answer for answer in answers}
    scores: Counter = Counter()
    wrong = []
    for vector in vectors:
        answer = by_id.get(vector["id"], {"error": "no answer"})
        level = vector["id"].partition("/")[0]
        if answer.get("unsupported"):
            scores[level, "unsupported"] += 1
            continue
        differs = differences(vector["expect"], answer)
        scores[level, "wrong" if differs else "right"] += 1
        if differs:
            basis = vector.get("clause") or vector.get("reading") or ""
            wrong.append(
                f"{vector['id']} [{basis}] {vector['ask']}: {'; '.join(differs)}"
            )
    return scores, wrong


def differences(expected: dict, answer: dict) -> list:
    """List the expected fields that differ; an answer may say more."""
    found = []
    for key, wanted in expected.items():
        got = answer.get(key, "nothing")
        if not matches(wanted, got):
            found.append(f"{key} is {got}, not {wanted}")
    return found


def matches(wanted: object, got: object) -> bool:
    if isinstance(wanted, list) and wanted and isinstance(wanted[0], dict):
        if not isinstance(got, list):
            return False
        return all(
            any(each.items() <= other.items() for other in got) for each in wanted
        )
    return wanted == got


def print_scores(scores: Counter) -> None:
    print(f"{'level':<12} {'right':>6} {'wrong':>6} {'unsupported':>12}")
    for level in LEVELS:
        counts = [scores[level, kind] for kind in ("right", "wrong", "unsupported")]
        if any(counts):
            print(f"{level:<12} {counts[0]:>6} {counts[1]:>6} {counts[2]:>12}")


if __name__ == "__main__":
    sys.exit(main())
