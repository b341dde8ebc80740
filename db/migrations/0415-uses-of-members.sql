-- 每人一次 counts what a member had under whatever phone, and what whoever was merged into them had.
create index discount_uses_member on discount_uses (service_provider_id, member_id, rule_id) where person is not null and state in ('HELD', 'TAKEN');
