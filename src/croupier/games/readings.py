"""How we read the five documents where they are silent, garbled or open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """One assumption of ours, cited by its id as a clause is by its number."""

    id: str
    question: str
    answer: str
    setting: str | None = None
    """The table setting that chooses otherwise, where there is one."""


READINGS: tuple[Reading, ...] = (
    Reading(
        "A1",
        "Which wagers join 0 with 1, 2 and 3 (v3 4.2)?",
        "Those with a point on the layout: the splits 0/1, 0/2 and 0/3, the streets "
        "0/1/2 and 0/2/3, the corner 0/1/2/3. Each pays by how many numbers it "
        "covers. There is no 0/1/3. So also in v2 and Complete Bet.",
    ),
    Reading(
        "A2",
        "Is a zero an even number (v2)?",
        "No. 0, 00 and 000 lose every outside wager.",
    ),
    Reading(
        "A3",
        "Which numbers are red?",
        "1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36. The rest of 1 to 36 are "
        "black, the zeros green.",
    ),
    Reading(
        "A4",
        "What is Complete Bet's 25/29 with two pieces (3.5.3)?",
        "Two pieces on the corner 25/26/28/29: 25 and 29 share no line, and Triple "
        "Zero writes the corner out.",
    ),
    Reading(
        "A5",
        "In which order do the numbers lie on the single-zero wheel?",
        "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 "
        "22 18 29 7 28 12 35 3 26.",
    ),
    Reading(
        "A6",
        "How is a complete wager staked?",
        "Complete: one piece of the stated unit on every inside area with the number, "
        "and chips for exactly that. Complete maximum: each of those areas at the "
        "stated maximum of its own type, in whatever proportion these stand.",
    ),
    Reading(
        "A7",
        "Which areas does a complete wager on a dozen take?",
        "By default, touching: each inside area with at least one number of the "
        "dozen, once, which makes 54, 54 and 48 pieces. Or inside: the areas wholly "
        "within the dozen, 42 pieces. The pieces are shown before the wager is "
        "confirmed.",
        setting="complete_dozen",
    ),
    Reading(
        "A8",
        "For whom do the limits hold (v3 3.3.1)?",
        "For each Player on each area, all chips there together: plain, by racetrack "
        "or by complete wager. A table may also cap an area over all Players; by "
        "default it does not.",
        setting="area_maximum",
    ),
    Reading(
        "A9",
        "How often does an under-minimum wager stand (v3 5.15)?",
        "In one round for each Player at the table: the first with an outcome, where "
        "all of that Player's under-minimum wagers stand. From then on each is "
        "returned, win or lose, of any type. A void round does not use it up.",
    ),
    Reading(
        "A10",
        "How is an over-maximum wager settled (v3 5.16)?",
        "Won: paid on the maximum, and the whole stake back. Lost: the maximum is "
        "collected, the excess returned. Where several wagers exceed it together, "
        "those placed first use it up first.",
    ),
    Reading(
        "A11",
        "What if a wager is outside the limits and no clause says?",
        "It is refused when it is placed, by the document's limit clause or, failing "
        "one, by A11. So is every electronic one. Only v3 and Fast Action let chips "
        "laid on the layout lie outside the limits until the outcome.",
    ),
    Reading(
        "A12",
        "What if a document has no clause for an act?",
        "None is borrowed. What interrupts play holds the round until a Shift Manager "
        "has it concluded with an outcome or void. What is merely not provided for is "
        "refused: staff placing (v2 and Complete Bet 3.3, Triple Zero 3.4), rulings "
        "in Triple Zero (5.7).",
    ),
    Reading(
        "A13",
        "What can a ruling do (v3 3.9)?",
        "Give the wager a position or an amount, or return it. It is recorded with "
        "the person who ruled.",
    ),
    Reading(
        "A14",
        "What does void mean at MBS?",
        "Every wager of the round is returned in full, as in Triple Zero 1.11 and 5.9.",
    ),
    Reading(
        "A15",
        "When are the ten Bonus Numbers drawn?",
        "After “No more bets” and before the outcome. When all ten have been lit and "
        "recorded, a light that fails later is not 5.11. More than ten are referred "
        "by 6.2.",
    ),
    Reading(
        "A16",
        "Has Triple Zero areas at the zeros beyond Appendix A?",
        "No: 0/3, 00/1, 0/2/3 and 0/1/2/3 do not exist.",
    ),
    Reading(
        "A17",
        "Does any zero save every wager on zeros (Triple Zero 3.8)?",
        "No. A wager wins only on a number that it covers: 3.1 and 4.1 come before "
        "the letter of 3.8.",
    ),
    Reading(
        "A18",
        "Is Green the street 0/00/000?",
        "No. They are two areas on the same numbers, paying the same, each with "
        "stakes and limits of its own.",
    ),
    Reading(
        "A19",
        "Which numbers are Finale 0 in Triple Zero?",
        "By default, all: 0, 00, 000, 10, 20 and 30, six pieces. Or single: 0, 10, 20 "
        "and 30.",
        setting="finale_zero",
    ),
    Reading(
        "A20",
        "Where do Triple Zero 5.1 and 5.2 part?",
        "5.1 is for wheel, console and server, 5.2 for terminals, some or all. An "
        "outcome is established when the ball rests in a compartment. A wager is "
        "registered when the journal has committed it before the close.",
    ),
    Reading(
        "A21",
        "Which rounds does a broken ball affect (Triple Zero 5.4)?",
        "Those that a Table Games Shift Manager or above names. Settled ones among "
        "them are reversed by new entries; nothing is deleted.",
    ),
    Reading(
        "A22",
        "May a round be put right after the next has begun (Triple Zero 5.6)?",
        "Yes. 5.6 protects the later rounds; the wrong one is settled to the wheel "
        "(5.5).",
    ),
    Reading(
        "A23",
        "How many neighbours does a Neighbours wager take?",
        "On either side two in Complete Bet; one, two or three in Triple Zero.",
    ),
    Reading(
        "A24",
        "How likely is each number?",
        "All compartments are equally likely: 37, 40 or 39 of them.",
    ),
    Reading(
        "A25",
        "What if an MBS outcome was recorded wrongly (6.4)?",
        "The compartment decides. In v3 and Fast Action the Dealer and a Pit "
        "Supervisor or above correct it by 6.4, before settlement or after it, by "
        "reversal and new settlement. In v2 and Complete Bet a Shift Manager decides "
        "(A12).",
    ),
    Reading(
        "A26",
        "What if the power fails after the drop (v3 5.11, Fast Action 5.12)?",
        "The outcome exists, and play is concluded.",
    ),
    Reading(
        "A27",
        "Which position is higher (v3 6.3)?",
        "In rising order: Dealer, Pit Supervisor, Pit Manager, Gaming Shift Manager. "
        "Triple Zero has no ladder, only persons acting in a position (1.5), and “or "
        "above” in 5.10 alone. In v2 and Complete Bet only the Dealer acts, and a "
        "Shift Manager decides what is held.",
    ),
    Reading(
        "A28",
        "What if “No more bets” comes after the drop (v3 3.7)?",
        "It is accepted and flagged. If a wager was placed after the drop, the round "
        "is held for a decision (6.2).",
    ),
    Reading(
        "A29",
        "Who corrects a wrong outcome (Triple Zero 5.5, v3 6.4)?",
        "Two different people: the Dealer and a Pit Supervisor or above. The control "
        "is ours; without the second person the refusal cites A29.",
    ),
    Reading(
        "W1",
        "In which order do the zeros lie on the triple-zero wheel?",
        "By default 0 000 00, then 32 to 26 as in A5. It matters to Neighbours only.",
        setting="ring",
    ),
    Reading(
        "W2",
        "In which order do the numbers lie on Fast Action's wheel?",
        "That is unknown, and no wager needs it. Pictures show 0 00 S MBS, then 32 to "
        "26 as in A5, and say that they are illustrative.",
    ),
    Reading(
        "S1",
        "How is Fast Action's fourth symbol written?",
        "As the text MBS.",
    ),
    Reading(
        "N1",
        "Until when is “no spin” taken (v3 5.12, Fast Action 5.13)?",
        "Until the outcome is announced. From then until settlement it holds the "
        "round (6.2); after settlement it is refused.",
    ),
)
