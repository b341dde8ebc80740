-- Group notes whose result one person told wait for another: few of many.
create index wx_notes_told_once on wx_notes (service_provider_id, merchant_id) where verdict is not null;
