-- A start looks up the events of each voucher that can still be paid, by its code.

DROP INDEX events_of_vouchers;

CREATE INDEX events_by_voucher ON events (substr(body, instr(body, '"code":"') + 8, 16)) WHERE kind IN ('VoucherIssued', 'VoucherRedeemed', 'VoucherExpired', 'VoucherReportedLost');

CREATE INDEX vouchers_open ON vouchers (code) WHERE state IN ('outstanding', 'claimed');
