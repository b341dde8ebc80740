-- What the platform is asked about a voucher by, after its use is over: sealed, and told to nobody.
alter table platform_vouchers add column code_sealed text;
create index platform_vouchers_ends on platform_vouchers (ends_at) where status in (0, 2) and ends_at is not null;
