"""The training room in a browser: drills, an assessed round, the record."""

from __future__ import annotations

from string import ascii_lowercase
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Page, Response, expect

from croupier.learn import Drill, DrillAnswer, assessment, mark, question
from croupier.learn.question import Form
from tests.e2e.conftest import DESKTOP, PHONE, Pages
from tests.e2e.looks import look

GAME = "mbs-roulette-v3"
DRILLS = [
    (GAME, Drill.PAYOUTS),
    (GAME, Drill.CONVERSION),
    (GAME, Drill.LIMITS),
    (GAME, Drill.PROCEDURE),
    ("mbs-complete-bet-v2", Drill.ANNOUNCED),
    ("mbs-fast-action-v2", Drill.STATUSES),
]


class Trainee:
    """A trainee who knows every answer of a drill."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._asked: list[Response] = []
        page.on("response", self._heard)

    def _heard(self, response: Response) -> None:
        if "/api/learn/" in response.url and response.request.method == "GET":
            self._asked.append(response)

    def begin(self, game: str, drill: str) -> None:
        self.page.evaluate(f"location.hash = '{game}/{drill}'")
        expect(self.page.get_by_role("heading", level=1)).not_to_have_text(
            "Learn to deal"
        )

    def asked(self) -> tuple[str, Drill, int, int]:
        """Return the question that is on the screen."""
        parts = urlsplit(self._asked[-1].url)
        game, drill = map(unquote, parts.path.split("/")[-2:])
        query = parse_qs(parts.query)
        return game, Drill(drill), int(query["level"][0]), int(query["seed"][0])

    def answer(self) -> None:
        """Give the right answer in the form of the question."""
        self.give(question(*self.asked()).form, mark(*self.asked(), DrillAnswer()).due)

    def go_on(self) -> None:
        """Go to the next question, and wait until it is on the screen."""
        with self.page.expect_response("**/api/learn/**"):
            self.page.get_by_role("button", name="Next").click()
        expect(self.page.get_by_role("button", name="Next")).to_have_count(0)
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def give(self, form: Form, due: DrillAnswer) -> None:
        page = self.page
        if form is Form.CHOICE:
            assert due.choice is not None
            page.keyboard.press(ascii_lowercase[due.choice])
        elif form is Form.MONEY:
            assert due.cents is not None
            page.get_by_label("You pay").fill(str(due.cents / 100))
            page.keyboard.press("Enter")
        elif form is Form.PIECES:
            page.get_by_text("List", exact=True).click()
            for area, count in due.pieces.items():
                page.get_by_role("searchbox").fill(area)
                named = page.get_by_role("list", name="All betting areas")
                for _ in range(count):
                    named.get_by_role("button").first.click()
            page.get_by_label("The total").fill(str((due.cents or 0) / 100))
            page.get_by_role("button", name="It is laid").click()
        elif form is Form.STACKS:
            for at, count in enumerate(due.stacks):
                row = page.get_by_role("group").nth(at)
                for word, times in (("+20", count // 20), ("+", count % 20)):
                    for _ in range(times):
                        row.get_by_role("button", name=word, exact=True).click()
            page.get_by_role("button", name="Pay ").click()


@pytest.mark.parametrize(("game", "drill"), DRILLS)
def test_a_right_answer_is_marked_right(pages: Pages, game: str, drill: Drill) -> None:
    page = pages.open("/learn", new=True)
    trainee = Trainee(page)
    trainee.begin(game, drill.value)

    trainee.answer()

    expect(page.get_by_role("heading", name="Right")).to_be_focused()


@pytest.mark.parametrize(("game", "drill"), [DRILLS[0]])
def test_ten_right_answers_open_the_next_level(
    pages: Pages, game: str, drill: Drill
) -> None:
    page = pages.open("/learn", new=True)
    trainee = Trainee(page)
    trainee.begin(game, drill.value)

    for _ in range(9):
        trainee.answer()
        trainee.go_on()
    trainee.answer()
    page.get_by_role("button", name="Next").click()

    expect(page.get_by_role("heading", name="10 of 10 right")).to_be_visible()
    expect(page.get_by_text("Level 2 is open to you.")).to_be_visible()


@pytest.mark.parametrize(("game", "drill"), DRILLS)
def test_a_wrong_answer_shows_what_is_due_and_its_clause(
    pages: Pages, game: str, drill: Drill
) -> None:
    page = pages.open("/learn", new=True)
    trainee = Trainee(page)
    trainee.begin(game, drill.value)
    asked = question(*trainee.asked())
    due = mark(*trainee.asked(), DrillAnswer())

    if asked.form is Form.CHOICE:
        wrong = [
            at
            for at, each in enumerate(due.consequences)
            if each.verdict.value == "wrong"
        ]
        page.keyboard.press("abcdef"[wrong[0]])
    elif asked.form is Form.MONEY:
        page.get_by_label("You pay").fill("1")
        page.keyboard.press("Enter")
    else:
        name = "Pay " if asked.form is Form.STACKS else "It is laid"
        page.get_by_role("button", name=name).click()

    expect(page.get_by_role("heading", name="Not right")).to_be_focused()
    assert due.clause is not None
    expect(page.get_by_text(due.clause.number, exact=True).first).to_be_visible()


def test_an_assessed_round_is_marked_kept_and_erased(pages: Pages) -> None:
    page = pages.open("/learn", new=True)
    trainee = Trainee(page)
    trainee.begin(GAME, "round")
    seed = int(parse_qs(urlsplit(trainee._asked[-1].url).query)["seed"][0])

    for moment in assessment(GAME, seed, 20):
        trainee.give(moment.task.question.form, moment.task.due)
    expect(page.get_by_text("100%")).to_be_visible()
    page.get_by_role("link", name="My record").last.click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Erase everything").click()
    expect(page.get_by_text("No assessed round yet.")).to_be_visible()
    page.get_by_label("Read a file").set_input_files(saved.value.path())

    expect(page.get_by_role("heading", name="Assessed round").first).to_be_visible()
    look(page, axe_at=[PHONE, DESKTOP])


def test_every_screen_fits(pages: Pages) -> None:
    page = pages.open("/learn", new=True)
    expect(page.get_by_role("heading", name="Learn to deal")).to_be_visible()
    look(page, axe_at=[PHONE, DESKTOP])
    trainee = Trainee(page)
    for game, drill in DRILLS:
        trainee.begin(game, drill.value)
        look(page, axe_at=[PHONE, DESKTOP])
