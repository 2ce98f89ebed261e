"""An answer of another node is read as far as any of ours can be, and no further."""

from __future__ import annotations

import asyncio
from http.client import HTTPException

import pytest

from croupier.web.nodes import node_client


@pytest.mark.parametrize(("sent", "is_taken"), [(99, True), (100, True), (101, False)])
def test_an_answer_that_is_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch, sent: int, is_taken: bool
) -> None:
    monkeypatch.setattr(node_client, "_ANSWER_BYTES_MAX", 100)

    async def read() -> bytes:
        reader = asyncio.StreamReader()
        reader.feed_data(b"x" * sent)
        reader.feed_eof()
        return await node_client._all_of(reader)

    if is_taken:
        assert len(asyncio.run(read())) == sent
    else:
        with pytest.raises(HTTPException):
            asyncio.run(read())
