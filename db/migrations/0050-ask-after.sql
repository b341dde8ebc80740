-- When the channel may be asked about an open order again: while a call runs its time limit, afterwards two seconds after the answer.
-- Whoever waits for the order asks through it, so that two hundred waiting tills are one call.
alter table pay_orders add column ask_after timestamptz;
