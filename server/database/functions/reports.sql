create or replace function appearance_in_photos_changed() returns trigger language plpgsql as $$
begin
  update profiles set appearance_changed_at = clock_timestamp() where user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create or replace trigger appearance_in_photos_changed after insert or delete on photos for each row execute function appearance_in_photos_changed();

create or replace function appearance_changed() returns trigger language plpgsql as $$
begin
  new.appearance_changed_at := clock_timestamp();
  return new;
end $$;
create or replace trigger appearance_changed before update of name, bio, prompts on profiles for each row
  when ((old.name, old.bio, old.prompts) is distinct from (new.name, new.bio, new.prompts))
  execute function appearance_changed();

-- Records what a reported person looked like, so that moderators see when it has changed since.
create or replace function note_appearance() returns trigger language plpgsql as $$
begin
  new.appearance_seen := (select appearance_changed_at from profiles where user_id = new.reported_id);
  return new;
end $$;
create or replace trigger note_appearance before insert on reports for each row execute function note_appearance();

-- The first name a person had after a moment, as far as it is remembered; null: the one they have now.
create or replace function name_after(person uuid, moment timestamptz) returns text language sql stable parallel safe as $$
  select name from former_names where user_id = person and until >= moment order by until limit 1
$$;
