-- What a coupon is sent by stood anywhere among all that coupons came by, so that each wrote a page of its own there. Those of one sending
-- stand together now: given with the row, by task and place. Rows that are there keep theirs.
alter table send_rows alter column id drop expression;
-- What is out of a campaign is counted beside the coupons (`coupon_outs`); nobody looks for it among them any more.
drop index coupons_out;
drop index coupons_out_merchant;
