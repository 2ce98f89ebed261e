"""The video of a real wheel: played if it comes, else the page says that it doesn't."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.e2e.conftest import PHONE, Pages
from tests.e2e.parts import check
from tests.e2e.terminals import Terminal
from tests.house_server.server import House, house_text, open_house
from tests.waiting import wait_for

Answer = Callable[[Route], None]
ADDRESS = "https://video.example/wheel.webm"
_RECORD = """async () => {
  const canvas = document.createElement('canvas')
  canvas.width = 64
  canvas.height = 36
  const pen = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(30))
  const parts = []
  let frames = 0
  const drawing = setInterval(() => {
    pen.fillStyle = `hsl(${frames++ * 9} 90% 50%)`
    pen.fillRect(0, 0, 64, 36)
  }, 33)
  await new Promise((done) => {
    recorder.ondataavailable = ({ data }) => {
      parts.push(data)
      if (parts.reduce((sum, { size }) => sum + size, 0) > 1500) done()
    }
    recorder.start(200)
  })
  clearInterval(drawing)
  await new Promise((done) => {
    recorder.onstop = done
    recorder.stop()
  })
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(String.fromCharCode(...bytes))
}"""


_PAUSE = "document.addEventListener('playing', (e) => e.target.pause(), true)"
"""A short video pauses at its first picture, so that it outlasts a slow test."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose table `v3` has an address for its video."""
    named = 'name = "v3"\n'
    text = house_text().replace(named, f'{named}video = "{ADDRESS}"\n')
    with open_house("sqlite", tmp_path_factory.mktemp("house"), text=text) as served:
        yield served


@pytest.fixture(scope="module")
def video(browser: Browser) -> bytes:
    """A real video, drawn and recorded by the browser itself."""
    page = browser.new_page()
    recorded = base64.b64decode(page.evaluate(_RECORD))
    page.close()
    return recorded


def _sit(pages: Pages, house: House, seat: str, answer: Answer, **how: Any) -> Terminal:
    """Sit down at the table; requests for its video get this answer."""
    house.buy_in("v3", f"{seat}-v3")
    token = house.devices[f"{seat}-v3"]
    page = pages.open("/", seat=("v3", token), new=True, still=False, **how)
    page.add_init_script(_PAUSE)
    page.route(ADDRESS, answer)
    page.goto("/seat/v3")
    return Terminal(page)


def _width(shown: Locator) -> float:
    box = shown.bounding_box()
    return box["width"] if box else 0


def _play(video: bytes) -> Answer:
    return lambda route: route.fulfill(body=video, content_type="video/webm")


def test_a_real_wheel_is_shown_by_its_video_which_one_tap_hides(
    pages: Pages, house: House, dealing: Any, video: bytes
) -> None:
    dealer = dealing("v3")
    seat = _sit(pages, house, "Anna", _play(video))
    shown = seat.page.get_by_label("Video of the wheel")
    drawn = seat.page.locator("div.wheel[role=img]")
    expect(shown).to_be_visible()
    expect(drawn).to_have_count(0)
    assert shown.evaluate("each => each.muted && each.videoWidth") == 64
    small = _width(shown)

    dealer.open()
    dealer.close()

    wait_for(lambda: _width(shown) > 1.5 * small)
    check(seat.page)
    seat.page.get_by_role("button", name="Hide the video").click()
    expect(shown).to_have_count(0)
    expect(drawn).to_be_visible()
    seat.page.reload()
    expect(drawn).to_be_visible()
    expect(shown).to_have_count(0)
    seat.page.get_by_role("button", name="Show the video").click()
    expect(shown).to_be_visible()


def test_a_video_that_cannot_be_played_is_said_and_tried_again_with_the_next_round(
    pages: Pages, house: House, dealing: Any, video: bytes
) -> None:
    pages.allow("video.example")
    dealer = dealing("v3")
    dealer.open()
    seat = _sit(pages, house, "Ben", lambda route: route.abort(), size=PHONE)
    dealer.close()
    word = seat.page.get_by_text("The video can’t be shown")
    expect(word).to_be_visible()
    dealer.finish("17")
    expect(word).to_have_count(0)

    seat.page.unroute(ADDRESS)
    seat.page.route(ADDRESS, _play(video))
    dealer.open()
    dealer.act("spin")
    shown = seat.page.get_by_label("Video of the wheel")
    expect(shown).to_have_count(1)
    expect(shown).to_be_hidden()
    dealer.act("no more bets")

    expect(shown).to_be_visible()
    expect(word).to_have_count(0)
    check(seat.page)
    dealer.finish("17")
    expect(shown).to_have_count(0)
