CREATE INDEX events_of_vouchers ON events (stream, sequence) WHERE kind IN ('VoucherIssued', 'VoucherRedeemed', 'VoucherExpired', 'VoucherReportedLost');
