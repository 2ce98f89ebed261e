"""A house for each test that asks for one."""

from tests.web.a_house import anyio_backend, house

__all__ = ["anyio_backend", "house"]
