-- From which merchant number a withdrawal was first sent: a number is one transfer at one merchant only.
alter table withdrawals add column mch_id text;
-- Also an owner that is no superuser stands before the fence.
select set_config('app.scope', 'PLATFORM||||||||', true);
update withdrawals w set mch_id = s.mch_id from payout_settings s
  where s.service_provider_id = w.service_provider_id and w.status = 2 and w.method = 'wechat' and exists (select 1 from payout_calls c
    where c.service_provider_id = w.service_provider_id and c.withdrawal_id = w.id and c.operation = 'transfer');

create or replace function app.guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.receiver_id, new.amount_cents, new.fee_cents, new.method, new.payee_sealed, new.payee_hash, new.applied_by, new.withdrawal_no)
    is distinct from (old.receiver_id, old.amount_cents, old.fee_cents, old.method, old.payee_sealed, old.payee_hash, old.applied_by, old.withdrawal_no) then
    raise exception 'what a withdrawal asks for is never changed' using errcode = 'ZF003';
  end if;
  if old.mch_id is not null and new.mch_id is distinct from old.mch_id then
    raise exception 'a withdrawal is paid from one merchant number' using errcode = 'ZF003';
  end if;
  return new;
end $$;
