-- A payment looks up what the same person has moved at all tables in the last 24 hours.

CREATE INDEX events_by_handler ON events (substr(body, 1, instr(body, '",')), at_ms) WHERE kind IN ('BoughtIn', 'ColourChipsBought', 'ClaimPaid', 'CashedOut', 'ColourChipsBoughtBack', 'VoucherPaid', 'VoucherIssued', 'Filled', 'CreditTaken', 'Adjusted', 'OwedPaid', 'FloatCounted', 'SumConfirmed');
