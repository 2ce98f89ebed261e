-- A voucher may also have been paid in cash: a start looks that up by its code too.

DROP INDEX events_by_voucher;

CREATE INDEX events_by_voucher ON events (substr(body, strpos(body, '"code":"') + 8, 16)) WHERE kind IN ('VoucherIssued', 'VoucherRedeemed', 'VoucherPaid', 'VoucherExpired', 'VoucherReportedLost');
