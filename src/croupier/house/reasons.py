"""The reasons for which the house refuses what is asked of it."""

from __future__ import annotations

from enum import unique

from croupier.rules.reasons import ReasonCode


@unique
class HouseReason(ReasonCode):
    """Why the house refuses something."""

    LIGHTS_NOT_CONFIRMED = "not every Bonus Number is confirmed lit"
    PLAYER_EXCLUDED = "{player} is excluded from play"
    STAKE_LIMIT = "{player} stakes at most {limit_cents} in a round"
    LOSS_LIMIT = "{player} loses at most {limit_cents} in a gaming day"
    NO_PLACE_IN_LOG = "{text} is no place in the log"
