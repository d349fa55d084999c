-- Learning that is switched on again starts from there, whatever code switched it on.
create or replace function learning_begins() returns trigger language plpgsql as $$
begin
  insert into standings (user_id, learns_since) values (new.user_id, clock_timestamp())
    on conflict (user_id) do update set learns_since = excluded.learns_since;
  return null;
end $$;
create or replace trigger learning_begins after update of learn_from_me on profiles for each row
  when (new.learn_from_me and not old.learn_from_me) execute function learning_begins();

-- Records when a person's learned numbers changed, for the indexes in memory.
create or replace function note_standing() returns trigger language plpgsql as $$
begin
  new.changed = pg_current_xact_id();
  return new;
end $$;
create or replace trigger standing_changed before update on standings for each row execute function note_standing();
