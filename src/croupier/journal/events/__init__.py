"""The events of tables and houses, and their text form in the journal."""
