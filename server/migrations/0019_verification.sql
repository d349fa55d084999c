/*
 * Somebody shows in a pose drawn by lot that they are who their photos show. One row a person: their latest request. Of the
 * selfie only its file name is here; the file is gone with the decision.
 */
create table verifications (
  user_id uuid primary key references accounts on delete cascade,
  -- Names what a reviewer looks at: new when the photo to compare with changes, so that nobody decides about another one.
  id uuid not null unique default gen_random_uuid(),
  pose text not null check (pose ~ '^[a-z_]{1,40}$'),
  -- `lost` is an approval whose photo has changed, until its person is told.
  state text not null check (state in ('asked', 'waiting', 'approved', 'rejected', 'lost')),
  reason text check (reason in ('not_same', 'wrong_pose', 'unclear', 'not_alone', 'other')),
  file_name text not null unique check (file_name ~ '^[A-Za-z0-9_-]{22}\.sealed$'),
  -- The main photo it is, or was, compared with.
  photo text,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  submitted_at timestamptz,
  decided_at timestamptz,
  check ((state = 'rejected') = (reason is not null)),
  check ((state = 'asked') = (submitted_at is null)),
  check ((state in ('asked', 'waiting')) = (decided_at is null))
);
create index verifications_waiting on verifications (submitted_at, id) where state = 'waiting';
create index verifications_over on verifications (state, expires_at);

-- The photo of somebody that others see first.
create function main_photo(person uuid) returns text language sql stable as $$
  select file_name from photos where user_id = person and state <> 'rejected' order by position limit 1
$$;

/*
 * A badge says that this is the person of the first photo: with another one it is gone, however the photo came to be first.
 * The lock on the profiles puts this and the decisions about the same people into one order. Whoever changes photos takes
 * it before them, so that no two wait for each other; who adds photos has it in any case.
 */
create function follow_main_photos(people uuid[]) returns void language plpgsql as $$
begin
  update verifications v set photo = main_photo(v.user_id), id = gen_random_uuid()
    where v.user_id = any(people) and v.state = 'waiting' and v.photo is distinct from main_photo(v.user_id);
  with lost as (
    update verifications v set state = 'lost'
      where v.user_id = any(people) and v.state = 'approved' and v.photo is distinct from main_photo(v.user_id)
      returning v.user_id)
  update profiles p set verified = false from lost where p.user_id = lost.user_id;
end $$;
create function lock_people(people uuid[]) returns void language sql as $$
  select from profiles where user_id = any(people) order by user_id for no key update
$$;

create function badge_photos_added() returns trigger language plpgsql as $$
begin
  perform follow_main_photos(array(select distinct user_id from added));
  return null;
end $$;
create function badge_photos_removed() returns trigger language plpgsql as $$
declare people uuid[] := array(select distinct user_id from removed);
begin
  perform lock_people(people);
  perform follow_main_photos(people);
  return null;
end $$;
create function badge_photos_changed() returns trigger language plpgsql as $$
declare people uuid[] := array(
  select distinct present.user_id from present join before using (file_name)
  where (present.position, present.state) is distinct from (before.position, before.state));
begin
  -- Most often somebody has described a photo.
  if people = '{}' then return null; end if;
  perform lock_people(people);
  perform follow_main_photos(people);
  return null;
end $$;
create trigger badge_photos_added after insert on photos referencing new table as added
  for each statement execute function badge_photos_added();
create trigger badge_photos_changed after update on photos referencing old table as before new table as present
  for each statement execute function badge_photos_changed();
create trigger badge_photos_removed after delete on photos referencing old table as removed
  for each statement execute function badge_photos_removed();
