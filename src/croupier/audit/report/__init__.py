"""Reports: actual against theoretical return, by table, day and wager type."""
