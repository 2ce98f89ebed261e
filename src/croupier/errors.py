"""The base of the errors that a caller may want to catch; each package has its own."""


class CroupierError(Exception):
    """Base of the errors for a request that can't be done; the message says why."""
