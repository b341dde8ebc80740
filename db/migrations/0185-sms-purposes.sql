-- What a code by SMS is for: it is spent for that alone, and the message says so.
alter table sms_codes
  add column purpose text not null default 'till'
    check (purpose in ('till', 'merge', 'sign-in', 'pin', 'phone', 'transfer', 'refund', 'data', 'close')),
  -- Sent to the phone of who is signed in, by themselves: counted apart, so that nobody else uses up their day.
  add column own boolean not null default false,
  -- The phone under a key of the platform, by which it is counted over all merchants; missing in what was sent before.
  add column wide_hash bytea;
alter table sms_codes alter column purpose drop default, alter column own drop default;
create index sms_codes_wide on sms_codes (wide_hash, created_at desc) where wide_hash is not null;
-- A code that is read out in a shop has other words than one that nobody asks for.
alter table sms_messages drop constraint sms_messages_template_check;
alter table sms_messages add constraint sms_messages_template_check check (template in ('code', 'own-code'));
