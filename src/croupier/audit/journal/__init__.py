"""The audit of a journal, and of an operator's file of wagers.

Laws of this package:
- nothing here imports the table, the settlement or the posting that it checks;
- every difference is reported, not only the first;
- a journal is read in constant memory, and nothing is written to it.
"""
