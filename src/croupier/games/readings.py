"""Our readings of the five documents where they are silent, garbled or open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reading:
    """One assumption of ours, cited by its id as a clause is by its number."""

    id: str
    question: str
    answer: str
    setting: str | None = None
    """The table setting that chooses otherwise, if there is one."""


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
        "How late may be bet before “No more bets”?",
        "Until the ball is recorded at rest. From then on placing, increasing and "
        "withdrawing are refused by the clause of the outcome, and hold nothing. "
        "“No more bets” between drop and rest is late: it is flagged, and if a "
        "wager was placed, increased or withdrawn after the drop, the round is held "
        "from that announcement on. Chips count as they lay then; a wager taken off "
        "after the drop stays listed and is returned, unless a decision gives it an "
        "amount. A house with a wheel sensor closes the betting at the drop "
        "(close_on_drop, on). "
        "A Dealer's report of the drop closes nothing.",
        setting="close_on_drop",
    ),
    Reading(
        "A29",
        "Who corrects a wrong outcome (Triple Zero 5.5, v3 6.4)?",
        "Two different people: the Dealer and a Pit Supervisor or above. The control "
        "is ours; without the second person the refusal cites A29.",
    ),
    Reading(
        "A30",
        "What do the limits count after a ruling (v3 3.9 with 5.15 and 5.16)?",
        "What rulings and decisions have left on the layout. A returned wager counts "
        "nowhere and uses up no maximum; an amount given counts as that amount, a "
        "wager moved counts where it lies now. Where limits are held at placing alone "
        "(v2, Complete Bet, Triple Zero), a decision may leave more or less on an "
        "area than they allow: no clause caps or returns it, none is borrowed, and "
        "the Shift Manager's word stands.",
    ),
    Reading(
        "A31",
        "What if a wager is ruled on twice?",
        "The rulings add up: the last position and the last amount hold. A return is "
        "final, except for a higher position. Nobody changes what a higher position "
        "ruled (A31). Rulings are taken from the rest of the ball until settlement, "
        "announced or not.",
    ),
    Reading(
        "A32",
        "What if a report contradicts the record, or comes late?",
        "Then the fact is in dispute, and the round is held. Before the announcement "
        "that concerns foreign_object, wheel_stopped, ball_not_in_compartment and "
        "ball_out_of_wheel once the ball is at rest, and fewer_than_four_revolutions "
        "where four or more were counted, at rest or not. Other reports void the "
        "round, and before a spin all do. After the announcement every report holds "
        "it: no single person takes back a winner.",
    ),
    Reading(
        "A33",
        "Whom does a Shift Manager's decision bind?",
        "Everybody but the same position and those above. Reports, “no spin”, "
        "corrections and rulings on a decided wager are refused by the clause of the "
        "decision, before A31, A32 and N1 are asked; wagers not decided on may still "
        "be ruled on. Nor may a decision contradict a compartment on record: that is "
        "refused by the clause of the outcome until the record is corrected (A34).",
    ),
    Reading(
        "A34",
        "What if the compartment was keyed wrongly and nothing is announced yet?",
        "Two people (A29) restate it, also while the round is held; in v2 and "
        "Complete Bet the Gaming Shift Manager alone (A12). With no rest on record, "
        "or after the announcement, that is refused by the clause of corrections.",
    ),
    Reading(
        "A35",
        "Can Fast Action be decided without its ten numbers (1.1.1)?",
        "No: the missing draw comes first, and is taken while the round is held. One "
        "of the ten that never lit is 5.11; more than ten are held by 6.2, and those "
        "recorded count. A light reported dark after the announcement holds the "
        "round. Two people correct a draw that was recorded wrongly, from the draw on "
        "and also before the outcome: they restate a record, as in A34. "
        "A house in play draws them itself.",
    ),
    Reading(
        "A36",
        "May a withdrawal leave less than the minimum on an area?",
        "Not where less could not have been placed: Triple Zero refuses it by 3.3, v2 "
        "and Complete Bet by A11, v3 and Fast Action by 3.3.1 if any of what is left "
        "was placed electronically. Chips laid there stay, under the minimum.",
    ),
    Reading(
        "A37",
        "Whose money does a correction move at a terminal (Triple Zero 5.4, 5.5)?",
        "That of the Player who sat there in that round. An anonymous stay, from its "
        "first credit to its last cash-out, has an id of its own: what it is owed is "
        "kept and paid at the cashier, what it owes is a claim, and whoever sat down "
        "later is not touched. A claim is set off against what the same Player wins "
        "or cashes out later.",
    ),
    Reading(
        "A38",
        "How does a round go on after a crash (Triple Zero 5.1)?",
        "With the betting over and only registered wagers in it. It is concluded "
        "(5.1.1) if its spin is on record, or both people state it, and the ball "
        "rests in a compartment; otherwise it is void (5.1.2). Both are shown what a "
        "sensor had reported, and an answer against that is referred (5.10). Nothing "
        "is recorded that nobody said.",
    ),
    Reading(
        "A39",
        "When is a wager not registered (Triple Zero 5.2.2)?",
        "When the terminal's message, which names its round, arrives after the close "
        "of that round or in another one. It is answered with 5.2.2 and recorded, the "
        "stake stays with the Player, and no later round takes it.",
    ),
    Reading(
        "A40",
        "What if console and wheel sensor differ (Triple Zero 5.5, 5.3)?",
        "The wheel decides. Another number at the console, an unanswered report of an "
        "irregularity, or a rest outside this spin holds the round with an alarm, "
        "until two people (A29) confirm what the wheel shows. "
        "The audit lists every case that went on without them.",
    ),
    Reading(
        "A41",
        "Can a settled round be referred, or one that was left held (6.2, 5.10)?",
        "Yes, to the document's Shift Manager alone, with a reason: its outcome, its "
        "void, or the treatment of one wager, also to another Player. It is reversed "
        "and settled anew. An open round is refused, and a void one by the clause "
        "that voided it, unless a decision did. Later rounds stay settled, and what "
        "A9 has used up stays used up.",
    ),
    Reading(
        "A42",
        "May staff have a wager in the round?",
        "No. Who has or had one does no staff act in it, not even a report or a "
        "confirmation; who acted as staff in it places none, and is given none by a "
        "decision. The control is ours, and the refusal cites A42. Issuing a colour "
        "and taking it back are such acts. Here a round lasts from “Place your bets” "
        "until its settlement: who does it before the opening or between rounds may "
        "bet. Money at the table, and its opening, closing and terms, are no acts in "
        "a round.",
    ),
    Reading(
        "A43",
        "Which acts take a reason?",
        "“No spin”, an unlisted irregularity, rulings, decisions, corrections and "
        "voids of rounds: after “because” in a transcript, where it may be left out. "
        "The house asks for it.",
    ),
    Reading(
        "A44",
        "Can a decision let play go on?",
        "Yes: the round goes on where it was held, and anything may be reported "
        "again. An outcome is decided only if the ball was spun or seen in this "
        "round; otherwise that is refused by the clause of the spin.",
    ),
    Reading(
        "A45",
        "What counts for how the ball was spun (3.6, 5.3), and who answers a sensor?",
        "A count below four by the wheel's sensor, with the spin, the drop or the "
        "rest, is a pending report of too few revolutions. If the Dealer states a "
        "count on the other side of four, the round is held. Two people (A29) answer "
        "a report by its name and with a reason: upheld, it voids the round; "
        "rejected, the round goes on. One person can only uphold it. Two who state "
        "where the ball rests answer a differing number, a stray rest and reports "
        "that the ball lies in no compartment or left the wheel, but none about how "
        "it got there. A recovery shows the count and each unanswered report. The "
        "audit checks this from the journal alone.",
    ),
    Reading(
        "A46",
        "When do two people not suffice to correct a settled round?",
        "If they contradict the compartment that a sensor reported, or one that two "
        "people had confirmed: then one of them is a Shift Manager, or the refusal "
        "cites A46. If only the Dealer keyed it, two are enough (A29). A correction "
        "is no such confirmation: a later one replaces it. Alarm, log and audit name "
        "the contradiction, and one person's decision against a compartment on "
        "record stays refused (A33).",
    ),
    Reading(
        "A47",
        "Which round uses up the one time of A9 if rounds are decided later?",
        "The round that is settled first, whatever its number. If another round has "
        "used it up, an under-minimum wager is returned, also one that a decision "
        "makes so small. A later void or correction gives the one time to nobody "
        "again (v3 5.17, Fast Action 5.18).",
    ),
    Reading(
        "A48",
        "What if the next round begins while a wager is unclear (v3 3.9)?",
        "The round is held by 6.2. A Shift Manager's decision on the unclear wager "
        "replaces the ruling, and the round is settled once no ruling is missing. A "
        "decision on the outcome alone leaves it held.",
    ),
    Reading(
        "A49",
        "How does a transcript name the person who holds a position?",
        "“Zoe as Dealer” in every game, and A42 applies to Zoe. “Zoe acting Dealer” "
        "is for the documents with a clause on acting: v3 and Fast Action 6.3, Triple "
        "Zero 1.5.",
    ),
    Reading(
        "A50",
        "Who may be the two people of A29 if the Dealer is not one of them?",
        "In v3 and Fast Action a higher position takes the Dealer's part (6.3): a Pit "
        "Supervisor and a Pit Manager may correct. In Triple Zero one of the two must "
        "be the Dealer or be assigned as Dealer (1.5).",
    ),
    Reading(
        "A51",
        "How does a wager count that a decision gives to another Player?",
        "As that Player's own: in the totals on its area (A8, A10, A30) and for the "
        "one time under the minimum (A9). v2, Complete Bet and Triple Zero refuse the "
        "decision if it would put the Player over a maximum (A11, 3.3).",
    ),
    Reading(
        "A52",
        "How is a sensor's word taken in detail?",
        "Counts contradict each other only across four. A count grows while the ball "
        "runs: the highest stands and clears a lower one, also late, and a hold that "
        "came only from the counts ends with four; a lower count after four is a "
        "report of its own. A Dealer's three against a sensor's four holds the round "
        "for the Shift Manager. The sensor's spin is a fact, not the Dealer's act. An "
        "outcome over a pending report holds the round and announces nothing. "
        "Upholding takes two people after an announcement that counted, and after a "
        "rest for the four names of A32, which a sensor's report leaves pending. A "
        "rejected report holds the round if the Dealer repeats it, and is new if the "
        "sensor does. A decision to continue answers all that is pending. A rest "
        "before the spin holds at the outcome. In Triple Zero a sensor's spin and "
        "rest let an interrupted round go on (5.1.1). In v2 and Complete Bet the "
        "Dealer may uphold, and the Gaming Shift Manager decides the rest (A12). "
        "Betting after a sensor's drop is refused as late.",
    ),
    Reading(
        "A53",
        "Does a refused act make somebody staff of the round (A42)?",
        "No: only an act that was taken does.",
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
