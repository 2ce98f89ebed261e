"""Two-person acts as data: what one person proposes and another confirms.

The same values stand in the journal, in a request to propose and in what is served.
A further act is a further member of the union.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.rules.cents import MAXIMUM_CENTS, write_cents
from croupier.rules.game import Irregularity
from croupier.rules.wheel import Number

_Round = Annotated[int, Meta(ge=1, le=2**53)]
_Reason = Annotated[str, Meta(min_length=1, max_length=200)]


class _Act(
    msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True
): ...


class OutcomeCorrection(_Act, frozen=True, tag="correct"):
    """Another number is the outcome of a round."""

    round_number: _Round
    number: Annotated[Number, Meta(min_length=1, max_length=3)]

    def __str__(self) -> str:
        return f"correct round {self.round_number} to {self.number}"


class RoundsVoiding(_Act, frozen=True, tag="void"):
    """Rounds are void after all."""

    round_numbers: Annotated[tuple[_Round, ...], Meta(min_length=1, max_length=100)]
    reason: Irregularity | None
    """None: a limit was breached, for which no document reopens a round."""

    def __str__(self) -> str:
        rounds = " ".join(map(str, self.round_numbers))
        reason = "limit_breach" if self.reason is None else self.reason.value
        return f"void rounds {rounds} {reason}"


class CreditAdjustment(_Act, frozen=True, tag="adjust"):
    """The credit of a seat is set right."""

    seat: Annotated[str, Meta(min_length=1, max_length=40)]
    cents: Annotated[int, Meta(ge=-MAXIMUM_CENTS, le=MAXIMUM_CENTS)]
    """Added to the credit; negative to take away."""
    reason: _Reason

    def __str__(self) -> str:
        return f"adjust {self.seat} {write_cents(self.cents)} {self.reason}"


TwoPersonAct = OutcomeCorrection | RoundsVoiding | CreditAdjustment
