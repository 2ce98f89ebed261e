"""The second opinion: a journal read again, settled again, and reported on.

Laws of this package:
- nothing here imports the table, the settlement or the posting that it checks;
- every difference is reported, not the first;
- a journal is read in constant memory, and nothing is written to it.
"""
