-- Clicks of a note's short link, in a few rows each, so that those who open it at once don't wait for each other.
create table wx_note_clicks (
  service_provider_id uuid not null,
  note_id uuid not null,
  merchant_id uuid not null,
  shard smallint not null check (shard between 0 and 15),
  clicks int not null check (clicks > 0),
  clicked_at timestamptz not null,
  primary key (service_provider_id, note_id, shard),
  foreign key (service_provider_id, merchant_id, note_id) references wx_notes (service_provider_id, merchant_id, id)
);
call app.only_levels('wx_note_clicks', array['PLATFORM', 'SP', 'MCH']);
insert into wx_note_clicks select service_provider_id, id, merchant_id, 0, clicks, coalesce(clicked_at, updated_at) from wx_notes where clicks > 0;
alter table wx_notes drop clicks, drop clicked_at;
-- A link and a picture are found by their number alone.
create index wx_notes_id on wx_notes (id);
create index wx_note_pictures_id on wx_note_pictures (id);
