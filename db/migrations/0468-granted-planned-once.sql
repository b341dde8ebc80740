-- What a login was granted was a function of SQL, which is planned anew at each call: a fifth of what the look at a session costs. Of PL/pgSQL it
-- is planned once on each connection.
create or replace function app.granted_of(u users) returns text[] language plpgsql stable set search_path = pg_catalog, public as $$
begin
  if u.login = u.root_login then
    return u.granted;
  end if;
  return (select r.granted from users r where lower(r.login) = lower(u.root_login));
end $$;
