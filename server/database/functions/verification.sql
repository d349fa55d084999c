-- The photo that others see first.
create or replace function main_photo(person uuid) returns text language sql stable as $$
  select file_name from photos where user_id = person and state = any(shown_states()) order by position limit 1
$$;

/*
 * A badge says that this is the person in the main photo: when another photo becomes the main one, for whatever reason, the
 * badge goes. The lock on the profiles orders this and decisions about the same people. Code that changes photos takes it
 * first, so that no two transactions deadlock; code that adds photos holds it anyway.
 */
create or replace function follow_main_photos(people uuid[]) returns void language plpgsql as $$
begin
  update verifications v set photo = main_photo(v.user_id), id = gen_random_uuid()
    where v.user_id = any(people) and v.state = 'waiting' and v.photo is distinct from main_photo(v.user_id);
  with lost as (
    update verifications v set state = 'lost'
      where v.user_id = any(people) and v.state = 'approved' and v.photo is distinct from main_photo(v.user_id)
      returning v.user_id)
  update profiles p set verified = false from lost where p.user_id = lost.user_id;
end $$;
create or replace function lock_people(people uuid[]) returns void language sql as $$
  select from profiles where user_id = any(people) order by user_id for no key update
$$;

create or replace function badge_photos_added() returns trigger language plpgsql as $$
begin
  perform follow_main_photos(array(select distinct user_id from added));
  return null;
end $$;
create or replace function badge_photos_removed() returns trigger language plpgsql as $$
declare people uuid[] := array(select distinct user_id from removed);
begin
  perform lock_people(people);
  perform follow_main_photos(people);
  return null;
end $$;
create or replace function badge_photos_changed() returns trigger language plpgsql as $$
declare people uuid[] := array(
  select distinct present.user_id from present join before using (file_name)
  where (present.position, present.state) is distinct from (before.position, before.state));
begin
  -- Most updates only change the description.
  if people = '{}' then return null; end if;
  perform lock_people(people);
  perform follow_main_photos(people);
  return null;
end $$;
create or replace trigger badge_photos_added after insert on photos referencing new table as added
  for each statement execute function badge_photos_added();
create or replace trigger badge_photos_changed after update on photos referencing old table as before new table as present
  for each statement execute function badge_photos_changed();
create or replace trigger badge_photos_removed after delete on photos referencing old table as removed
  for each statement execute function badge_photos_removed();
