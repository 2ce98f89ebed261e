"""The house's own record and state, and what is read back from the journal."""
