"""Maps that never change equal plain dicts after every change."""

from __future__ import annotations

import random

import pytest

from croupier.rules.buckets import BucketMap

KEYS = range(1_500)


@pytest.mark.parametrize("seed", range(3))
def test_a_map_is_a_dict_and_those_before_it_stay_as_they_were(seed: int) -> None:
    dice = random.Random(seed)
    kept: BucketMap[int, int] = BucketMap()
    plain: dict[int, int] = {}
    before: list[tuple[BucketMap[int, int], dict[int, int]]] = []
    for _ in range(60):
        draft = kept.draft_sums()
        for _ in range(dice.choice((1, 3, 100))):
            key = dice.choice(KEYS)
            if key in plain and dice.random() < 0.2:
                draft.remove(key)
                del plain[key]
            elif dice.random() < 0.5:
                draft.put(key, key)
                plain[key] = key
            else:
                draft.add(key, 5)
                plain[key] = plain.get(key, 0) + 5
            assert (key in draft, draft.get(key)) == (key in plain, plain.get(key))
        before.append((kept := draft.frozen(), plain.copy()))

    assert len(plain) > 600  # several times more than the small bucket holds
    for each, expected in before:
        assert dict(each.items()) == expected
        assert sorted(each.values()) == sorted(expected.values())
        assert len(each) == len(expected)
        assert [each.get(key) for key in KEYS] == [expected.get(key) for key in KEYS]


def test_maps_of_the_same_entries_are_equal_however_they_came_about() -> None:
    one: BucketMap[int, str] = BucketMap()
    for key in KEYS:
        one = one.with_entry(key, "a")
    draft = one.draft()
    for key in KEYS[:700]:
        draft.remove(key)
    fewer = draft.frozen()
    other: BucketMap[int, str] = BucketMap()
    for key in reversed(KEYS[700:]):
        other = other.with_entry(key, "a")

    assert fewer == other
    assert fewer != one
    assert 3 not in fewer
    assert 3 in one
