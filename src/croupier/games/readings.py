"""Our readings: answers to points that the five documents leave open."""

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
        "0/1/2 and 0/2/3, the corner 0/1/2/3. Each pays by the number of numbers it "
        "covers. There is no 0/1/3. The same holds in v2 and Complete Bet.",
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
        "Zero names the corner in full.",
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
        "Complete: one piece of the stated unit on every inside area with the number; "
        "the chips must make exactly that sum. Complete maximum: each of those areas "
        "at the maximum that the table states for its type. These maxima need not be "
        "in a fixed proportion.",
    ),
    Reading(
        "A7",
        "Which areas does a complete wager on a dozen take?",
        "By default (touching) each inside area with at least one number of the "
        "dozen, once: 54, 54 and 48 pieces. With inside, only the areas that lie "
        "wholly within the dozen: 42 pieces. The pieces are shown before the wager is "
        "confirmed.",
        setting="complete_dozen",
    ),
    Reading(
        "A8",
        "Which chips do the limits add up (v3 3.3.1)?",
        "All chips of one Player on one area: plain, by racetrack and by complete "
        "wager. A table may also limit the total of all Players on an area; by "
        "default it does not.",
        setting="area_maximum",
    ),
    Reading(
        "A9",
        "How often does an under-minimum wager stand (v3 5.15)?",
        "In one round for each Player at the table: the first round with an outcome "
        "in which the Player has such a wager. All of the Player's under-minimum "
        "wagers of that round stand. Later ones are returned, win or lose, of any "
        "type. A void round does not count.",
    ),
    Reading(
        "A10",
        "How is an over-maximum wager settled (v3 5.16)?",
        "If it wins, it is paid on the maximum, and the whole stake goes back. If it "
        "loses, the maximum is collected and the excess returned. If several wagers "
        "exceed the maximum together, those placed first use it up first.",
    ),
    Reading(
        "A11",
        "What if a wager is outside the limits and the document does not say?",
        "It is refused when it is placed, by the document's limit clause or, if there "
        "is none, by A11. Every electronic wager outside the limits is refused, too. "
        "Only in v3 and Fast Action may chips laid on the layout lie outside the "
        "limits until the outcome.",
    ),
    Reading(
        "A12",
        "What if a document has no clause for an act?",
        "No clause is borrowed from another document. If something interrupts play, "
        "the round is held until a Shift Manager decides that it ends with an outcome "
        "or void. Other acts without a clause are refused: staff placing (v2 and "
        "Complete Bet 3.3, Triple Zero 3.4), rulings in Triple Zero (5.7).",
    ),
    Reading(
        "A13",
        "What can a ruling do (v3 3.9)?",
        "It gives the wager a position or an amount, or returns it. It is recorded "
        "with the person who ruled.",
    ),
    Reading(
        "A14",
        "What does void mean at MBS?",
        "Every wager of the round is returned in full, as in Triple Zero 1.11 and 5.9.",
    ),
    Reading(
        "A15",
        "When are the ten Bonus Numbers drawn?",
        "After “No more bets” and before the outcome. Clause 5.11 does not apply to a "
        "light that fails after all ten were lit and recorded. More than ten lit "
        "numbers are referred by 6.2.",
    ),
    Reading(
        "A16",
        "Does Triple Zero have more areas at the zeros than Appendix A lists?",
        "No: 0/3, 00/1, 0/2/3 and 0/1/2/3 do not exist.",
    ),
    Reading(
        "A17",
        "Do all wagers on a zero win if any zero comes up (Triple Zero 3.8)?",
        "No. A wager wins only on a number that it covers: 3.1 and 4.1 take "
        "precedence over the wording of 3.8.",
    ),
    Reading(
        "A18",
        "Is Green the street 0/00/000?",
        "No. They are two areas on the same numbers with the same pay, each with its "
        "own stakes and limits.",
    ),
    Reading(
        "A19",
        "Which numbers are Finale 0 in Triple Zero?",
        "By default (all) 0, 00, 000, 10, 20 and 30: six pieces. With single: 0, 10, "
        "20 and 30.",
        setting="finale_zero",
    ),
    Reading(
        "A20",
        "Which interruptions are those of Triple Zero 5.1, and which of 5.2?",
        "5.1 is about the wheel, the console and the server, 5.2 about terminals, "
        "some or all. An outcome is established when the ball rests in a compartment. "
        "A wager is registered when the journal has committed it before the close.",
    ),
    Reading(
        "A21",
        "Which rounds does a broken ball affect (Triple Zero 5.4)?",
        "Those that a Table Games Shift Manager or above names. Settled rounds among "
        "them are reversed by new entries; nothing is deleted.",
    ),
    Reading(
        "A22",
        "May a round be corrected after the next one has begun (Triple Zero 5.6)?",
        "Yes. 5.6 protects the later rounds. The wrong round is settled by the number "
        "on the wheel (5.5).",
    ),
    Reading(
        "A23",
        "How many neighbours does a Neighbours wager take?",
        "Two on either side in Complete Bet; one, two or three in Triple Zero.",
    ),
    Reading(
        "A24",
        "How likely is each number?",
        "Each of the 37, 40 or 39 compartments is equally likely.",
    ),
    Reading(
        "A25",
        "What if an MBS outcome was recorded wrongly (6.4)?",
        "The compartment decides. In v3 and Fast Action the Dealer and a Pit "
        "Supervisor or above correct the record by 6.4; after settlement the round is "
        "reversed and settled again. In v2 and Complete Bet a Shift Manager decides "
        "(A12).",
    ),
    Reading(
        "A26",
        "What if the power fails after the drop (v3 5.11, Fast Action 5.12)?",
        "The outcome counts, and the round is concluded.",
    ),
    Reading(
        "A27",
        "In which order do the positions rank (v3 6.3)?",
        "From the lowest: Dealer, Pit Supervisor, Pit Manager, Gaming Shift Manager. "
        "Triple Zero has no such order: people act in a position (1.5), and only 5.10 "
        "says “or above”. In v2 and Complete Bet only the Dealer acts, and a Shift "
        "Manager decides held rounds.",
    ),
    Reading(
        "A28",
        "Until when may Players bet before “No more bets”?",
        "Until the ball is recorded at rest. After that, placing, increasing and "
        "withdrawing are refused by the clause of the outcome, and the round is not "
        "held. “No more bets” between the drop and the rest is late and is flagged. "
        "If a wager was placed, increased or withdrawn after the drop, the late "
        "announcement also holds the round. Chips count as they lay at that "
        "announcement. A wager taken off after the drop stays listed and is returned, "
        "unless a decision gives it an amount. A house with a wheel sensor closes the "
        "betting at the drop (close_on_drop, on by default). A Dealer's report of the "
        "drop closes nothing.",
        setting="close_on_drop",
    ),
    Reading(
        "A29",
        "Who corrects a wrong outcome (Triple Zero 5.5, v3 6.4)?",
        "Two people: the Dealer and a Pit Supervisor or above. This control is ours; "
        "without the second person the refusal cites A29.",
    ),
    Reading(
        "A30",
        "Which chips do the limits count after a ruling (v3 3.9 with 5.15 and 5.16)?",
        "The chips that rulings and decisions have left on the layout. A returned "
        "wager does not count and uses up no maximum. A wager that was given an "
        "amount counts with that amount; a moved wager counts where it lies now. If "
        "limits apply only at placing (v2, Complete Bet, Triple Zero), a decision may "
        "leave more or less on an area than they allow: no clause caps or returns it, "
        "and the Shift Manager's decision stands.",
    ),
    Reading(
        "A31",
        "What if a wager is ruled on twice?",
        "The rulings add up: the last position and the last amount stand. A return is "
        "final, except for a higher position. A lower position can't change the "
        "ruling of a higher one; the refusal cites A31. Rulings are accepted from the "
        "rest of the ball until settlement, before and after the announcement.",
    ),
    Reading(
        "A32",
        "What if a report contradicts the record, or comes late?",
        "The fact is disputed, so the round is held. After the announcement every "
        "report holds it, because no single person takes back a winner. Between the "
        "rest and the announcement these hold it: foreign_object, wheel_stopped, "
        "ball_not_in_compartment and ball_out_of_wheel. If four or more revolutions "
        "were counted, fewer_than_four_revolutions also holds it, before the rest and "
        "after it. All other reports void the round; before a spin, every report "
        "voids it.",
    ),
    Reading(
        "A33",
        "Who is bound by a Shift Manager's decision?",
        "Everyone below: only the same position or a higher one may change it. "
        "Reports, “no spin”, corrections and rulings on a decided wager are refused "
        "by the clause of the decision; this comes before A31, A32 and N1. Wagers "
        "without a decision may still be ruled on. A decision may not contradict a "
        "recorded compartment: it is refused by the clause of the outcome until the "
        "record is corrected (A34).",
    ),
    Reading(
        "A34",
        "What if a wrong compartment was keyed and nothing is announced yet?",
        "Two people (A29) restate it, also while the round is held. In v2 and "
        "Complete Bet the Gaming Shift Manager does it without a second person (A12). "
        "If no rest is on record, or after the announcement, this is refused by the "
        "clause of corrections.",
    ),
    Reading(
        "A35",
        "Can a Fast Action round be decided without its ten numbers (1.1.1)?",
        "No. The missing draw comes first, also while the round is held. If one of "
        "the ten never lit, the round is void by 5.11. If more than ten lit, the "
        "round is held by 6.2, and the recorded ten count. A report after the "
        "announcement that a number is dark holds the round. Two people correct a "
        "draw that was recorded wrongly, at any time after the draw, also before the "
        "outcome: they restate a record, as in A34. A live house draws the numbers "
        "itself.",
    ),
    Reading(
        "A36",
        "May a withdrawal leave less than the minimum on an area?",
        "No, if the smaller amount could not have been placed: Triple Zero refuses it "
        "by 3.3, v2 and Complete Bet by A11, v3 and Fast Action by 3.3.1 if any "
        "remaining part was placed electronically. In v3 and Fast Action, chips that "
        "were laid may stay under the minimum.",
    ),
    Reading(
        "A37",
        "Whose money does a correction move at a terminal (Triple Zero 5.4, 5.5)?",
        "The money of the Player who sat there in that round. An anonymous stay, from "
        "its first credit to its last cash-out, has an id of its own. Money owed to "
        "the stay is kept and paid at the cashier; money that it owes is a claim. A "
        "person who sat down later is not affected. A claim is deducted from later "
        "wins or cash-outs of the same Player.",
    ),
    Reading(
        "A38",
        "How does a round go on after a crash (Triple Zero 5.1)?",
        "The betting is over, and only registered wagers count. The round is "
        "concluded (5.1.1) if its spin is on record, or both people state it, and the "
        "ball rests in a compartment; otherwise it is void (5.1.2). Both people see "
        "the reports of a sensor from before the crash; an answer that contradicts "
        "them is referred (5.10). Nothing is recorded that was not stated or reported.",
    ),
    Reading(
        "A39",
        "When is a wager not registered (Triple Zero 5.2.2)?",
        "A terminal's message names its round. If it arrives after that round's "
        "close, or in another round, its wager is not registered. The answer cites "
        "5.2.2 and is recorded, the stake stays with the Player, and no later round "
        "takes the wager.",
    ),
    Reading(
        "A40",
        "What if the console and the wheel sensor differ (Triple Zero 5.5, 5.3)?",
        "The wheel decides. The round is held with an alarm if the console gives "
        "another number, a report of an irregularity is unanswered, or the ball rests "
        "outside this spin. The hold ends when two people (A29) confirm the number on "
        "the wheel. The audit lists every case that went on without them.",
    ),
    Reading(
        "A41",
        "Can a settled round, or a round that was left held, be referred (6.2, 5.10)?",
        "Yes. The document's Shift Manager decides without a second person and gives "
        "a reason: an outcome, void, or a treatment of one wager, also to another "
        "Player. The round is reversed and settled again. An open round is refused. A "
        "void round is refused by the clause that voided it, unless a decision voided "
        "it. Later rounds stay settled, and the one time of A9 stays used.",
    ),
    Reading(
        "A42",
        "May staff have a wager in the round?",
        "No. A person who has or had a wager in the round does no staff act in it, "
        "not even a report or a confirmation. A person who acted as staff in it "
        "places no wager, and no decision gives that person one. This control is "
        "ours; the refusal cites A42. Issuing colour chips and taking them back are "
        "staff acts, too. The rule holds from “Place your bets” to the settlement: a "
        "person who issues colour before or between rounds may bet. Money at the "
        "table, its opening and closing, and its terms are not acts in a round.",
    ),
    Reading(
        "A43",
        "Which acts take a reason?",
        "“No spin”, an unlisted irregularity, rulings, decisions, corrections and "
        "voids of rounds. In a transcript the reason follows “because” and may be "
        "left out; a house requires it.",
    ),
    Reading(
        "A44",
        "Can a decision let a held round go on?",
        "Yes. The round goes on from the point where it was held, and anything may be "
        "reported again. An outcome can be decided only if the ball was spun or seen "
        "in this round; otherwise it is refused by the clause of the spin.",
    ),
    Reading(
        "A45",
        "Who counts the revolutions (3.6, 5.3), and who answers a sensor's report?",
        "The wheel's sensor and the Dealer. A count below four by the sensor, with "
        "the spin, the drop or the rest, is a pending report of too few revolutions. "
        "If the Dealer's count is on the other side of four, the round is held. Two "
        "people (A29) answer a report by its name and with a reason: if they uphold "
        "it, the round is void; if they reject it, the round goes on. One person can "
        "only uphold it. Two people who state where the ball rests answer a differing "
        "number, a stray rest, and reports that the ball lies in no compartment or "
        "left the wheel; they do not answer a report about the spin itself. After a "
        "crash the recovery shows the count and each unanswered report. The audit "
        "checks this from the journal.",
    ),
    Reading(
        "A46",
        "When are two people not enough to correct a settled round?",
        "When they contradict a compartment that a sensor reported or that two people "
        "had confirmed. Then one of them must be a Shift Manager, or the refusal "
        "cites A46. If only the Dealer keyed the number, two people are enough (A29). "
        "An earlier correction is not such a confirmation: a later one replaces it. "
        "The alarm, the log and the audit name the contradiction. One person's "
        "decision against a recorded compartment is still refused (A33).",
    ),
    Reading(
        "A47",
        "Which round uses up the one time of A9 if rounds are not decided in order?",
        "The round that is settled first, not the one with the lowest number. After "
        "it, an under-minimum wager is returned, also a wager that a decision makes "
        "that small. If that round is voided or corrected later, the one time stays "
        "used (v3 5.17, Fast Action 5.18).",
    ),
    Reading(
        "A48",
        "What if the next round begins while a wager is unclear (v3 3.9)?",
        "The round is held by 6.2. A Shift Manager's decision on the unclear wager "
        "replaces the ruling, and the round is settled when no ruling is missing. "
        "After a decision on the outcome alone the round is still held.",
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
        "In v3 and Fast Action a higher position may take the Dealer's part (6.3), so "
        "a Pit Supervisor and a Pit Manager may correct. In Triple Zero one of the "
        "two must be the Dealer or be assigned as Dealer (1.5).",
    ),
    Reading(
        "A51",
        "How does a wager count after a decision gives it to another Player?",
        "As that Player's own: in the totals on its area (A8, A10, A30) and for the "
        "one time under the minimum (A9). v2, Complete Bet and Triple Zero refuse the "
        "decision if it would put the Player over a maximum (A11, 3.3).",
    ),
    Reading(
        "A52",
        "What do the reports of a sensor do in detail?",
        "Counts contradict each other only if one is below four and the other is not. "
        "The count grows while the ball runs: the highest stands and clears a lower "
        "one, also if it arrives late, and a hold that came only from the counts ends "
        "at four. A lower count after four is a pending report of its own. If the "
        "Dealer counts three and the sensor four, the round is held for the Shift "
        "Manager. A sensor's spin is a fact, not an act of the Dealer. An outcome "
        "over a pending report holds the round and announces nothing. After an "
        "announcement that counted, only two people can uphold a report. The same "
        "holds after a rest for the four names of A32; reported by a sensor, these "
        "stay pending. If the Dealer repeats a rejected report, the round is held; if "
        "the sensor repeats it, it is a new report. A decision to continue answers "
        "every pending report. A rest before the spin holds the round at the outcome. "
        "In Triple Zero a sensor's spin and rest are enough for an interrupted round "
        "to go on (5.1.1). In v2 and Complete Bet the Dealer may uphold, and the "
        "Gaming Shift Manager decides the rest (A12). After a sensor's drop, betting "
        "is refused as late.",
    ),
    Reading(
        "A53",
        "Does a refused act make a person staff of the round (A42)?",
        "No. Only an accepted act does.",
    ),
    Reading(
        "W1",
        "In which order do the zeros lie on the triple-zero wheel?",
        "By default 0 000 00, then 32 to 26 as in A5. The order matters only to "
        "Neighbours.",
        setting="ring",
    ),
    Reading(
        "W2",
        "In which order do the numbers lie on Fast Action's wheel?",
        "That is unknown, and no wager depends on it. Pictures show 0 00 S MBS, then "
        "32 to 26 as in A5, and say that they are illustrative.",
    ),
    Reading(
        "S1",
        "How is Fast Action's fourth symbol written?",
        "As the text MBS.",
    ),
    Reading(
        "N1",
        "Until when is “no spin” accepted (v3 5.12, Fast Action 5.13)?",
        "Until the outcome is announced. From then until settlement it holds the "
        "round (6.2); after settlement it is refused.",
    ),
)
