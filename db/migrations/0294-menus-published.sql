-- What a publication sent, for settling it where the answer was lost: the draft may have changed since.
alter table wx_menus add column sent jsonb;
update wx_menus set sent = draft where publish_state in ('asked', 'unknown');
create index wx_menus_open on wx_menus (published_at) where publish_state in ('asked', 'unknown');
