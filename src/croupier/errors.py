"""The base of the errors that a caller may want to catch; each package has its own."""


class CroupierError(Exception):
    """What was asked for can't be done; the message says why, in a sentence."""
