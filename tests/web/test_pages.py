import gzip
from pathlib import Path

import pytest
from starlette.applications import Starlette

from croupier.web.pages import NOT_BUILT, PATHS, page_routes
from tests.web.asking import Answer, ask

SCRIPT = b"export const felt = 'green'\n" * 100


@pytest.fixture
def built(tmp_path: Path) -> Path:
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Croupier</title>")
    (assets / "index-abc.js").write_bytes(SCRIPT)
    (assets / "index-abc.js.gz").write_bytes(gzip.compress(SCRIPT))
    (assets / "index-abc.js.br").write_bytes(b"as brotli has it")
    (assets / "index-abc.css").write_text(":root { color: red }")
    return tmp_path


def get(built: Path, path: str, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return ask(Starlette(routes=page_routes(built)), "GET", path, headers=named)


@pytest.mark.parametrize("path", [path.format(table="table%203") for path in PATHS])
def test_every_page_is_the_one_document(built: Path, path: str) -> None:
    answer = get(built, path)

    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert b"Croupier" in answer.body


def test_there_is_no_other_page(built: Path) -> None:
    assert get(built, "/nowhere").status == 404
    assert get(built, "/assets/../index.html").status == 404
    assert get(built, "/assets/index-abc.js.gz").status == 404


def test_a_browser_that_asks_for_no_page_is_told_so_in_words(built: Path) -> None:
    missing = get(built, "/nowhere/at/all", accept="text/html,*/*")

    assert (missing.status, b"Croupier" in missing.body) == (404, True)
    for path in ("/api/nowhere", "/assets/nowhere.js", "/health/nowhere"):
        assert b"Croupier" not in get(built, path, accept="text/html").body


def test_an_asset_is_kept_for_good(built: Path) -> None:
    answer = get(built, "/assets/index-abc.js")

    assert answer.body == SCRIPT
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert "content-encoding" not in answer.headers
    assert (
        get(built, "/assets/index-abc.css")
        .headers["content-type"]
        .startswith("text/css")
    )


def test_the_browser_gets_the_best_encoding_it_takes(built: Path) -> None:
    def encoding(accepted: str) -> str | None:
        answer = get(built, "/assets/index-abc.js", accept_encoding=accepted)
        assert answer.headers["vary"] == "Accept-Encoding"
        return answer.headers.get("content-encoding")

    assert encoding("gzip, deflate, br") == "br"
    assert encoding("gzip, br;q=0") == "gzip"
    assert encoding("deflate") is None


def test_what_a_browser_has_is_not_sent_again(built: Path) -> None:
    etag = get(built, "/pit").headers["etag"]

    again = get(built, "/pit", if_none_match=etag)

    assert (again.status, again.body) == (304, b"")


def test_without_built_pages_a_sentence_says_so(tmp_path: Path) -> None:
    answer = get(tmp_path, "/seat/table%201")

    assert (answer.status, answer.body.decode()) == (503, NOT_BUILT)
