-- 退款前须红冲 (platforms.md 4): a refund that waits, 待审批, until the order's invoices are taken back in red; or that they could not be, and
-- somebody decides. `red-audit` is to be approved after that. Nothing: it waits for no invoice.
alter table refunds add column waits_for text check (waits_for in ('red', 'red-audit', 'red-failed'));
