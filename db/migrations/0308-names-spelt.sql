-- Spells the names that are there, and so writes what they are found by. In a transaction of its own: a row that the same transaction wrote
-- over for its new columns would have every reference looked at again.
select set_config('app.scope', 'PLATFORM||||||||', true);
update service_providers set pinyin = app.spell(name) || ' ' || app.spell(short_name);
update agents set pinyin = app.spell(name);
update salesmen set pinyin = app.spell(name);
update users set pinyin = app.spell(first_name);
update cashiers set pinyin = app.spell(name);
update devices set pinyin = app.spell(name);
update products set pinyin = app.spell(name);
