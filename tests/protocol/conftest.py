"""The event loop of the tests in this folder."""

from tests.web.a_house import anyio_backend

__all__ = ["anyio_backend"]
