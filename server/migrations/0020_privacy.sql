/*
 * How much of themselves people show, and who may begin to write to them. Everything here is off until somebody wants
 * it, so that those who want nothing cost nothing: what a setting needs is looked up only where it is on.
 */
alter table profiles
  add column who_may_message text not null default 'everyone'
    check (who_may_message in ('everyone', 'liked_or_matched', 'verified', 'with_photo')),
  -- Seen only by those they liked, wrote to, or are matched with.
  add column incognito boolean not null default false,
  add column hide_distance boolean not null default false,
  -- Mutual: nobody sees when they are here, and they see it of nobody.
  add column hide_presence boolean not null default false,
  -- How the person themselves wants to see others.
  add column blur_photos boolean not null default false,
  add column hidden_words text[] not null default '{}' check (cardinality(hidden_words) <= 50);

/*
 * Whoever hides their distance is in the middle of a cell of resolution 5 (about 250 km²) for everybody else. Cells of
 * resolution 7 are under 4 km² in a few places; there, people are in cells of resolution 6.
 */
alter table locations
  drop constraint locations_cell_check,
  drop constraint locations_published_cell_check,
  add constraint locations_cell_check check (cell ~ '^8[67][0-9a-f]{13}$'),
  add constraint locations_published_cell_check check (published_cell ~ '^8[67][0-9a-f]{13}$'),
  add column wide_latitude double precision,
  add column wide_longitude double precision,
  add column wide_area text;

-- Whether somebody who is incognito shows themselves to the viewer.
create function shows_to(person uuid, viewer uuid) returns boolean language sql stable parallel safe as $$
  select person = viewer
    or exists (select from decisions d where d.actor_id = person and d.target_id = viewer and d.decision = 'like')
    or is_matched(person, viewer)
    or exists (select from conversations c where c.user_lo = least(person, viewer) and c.user_hi = greatest(person, viewer)
      and case when person < viewer then c.wrote_lo else c.wrote_hi end)
$$;

create or replace function may_see(viewer uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from profiles p where p.user_id = person and not p.hidden
      and (not p.incognito or shows_to(person, viewer)))
    and not is_blocked(viewer, person) and not is_unmatched(viewer, person)
$$;

-- Whether somebody who does not let everybody write to them lets this sender. Where there are messages already, they go on.
create function may_begin(p_sender uuid, p_receiver uuid, p_who text) returns boolean language sql stable parallel safe as $$
  select exists (select from conversations c where c.user_lo = least(p_sender, p_receiver)
      and c.user_hi = greatest(p_sender, p_receiver) and c.last_seq > 0)
    or case p_who
      when 'liked_or_matched' then exists (select from decisions d
        where d.actor_id = p_receiver and d.target_id = p_sender and d.decision = 'like')
      when 'verified' then exists (select from profiles s where s.user_id = p_sender and s.verified)
      when 'with_photo' then exists (select from photos i where i.user_id = p_sender and i.state <> 'rejected')
      else true end
$$;

-- As before, and: whom one cannot see, one cannot write to; and who may begin is up to the receiver. Both are functions,
-- which are called only where the setting is on: as joins they would be paid for with every message.
create or replace function refusals_to_write(p_senders uuid[], p_receivers uuid[], p_needs_match boolean)
returns table (place bigint, refusal text) language sql stable as $$
  select given.place, case
      when p_needs_match is null then null
      when sender = receiver or p.user_id is null or mine.blocker_id is not null or theirs.blocker_id is not null
        or m.ended_at is not null then 'not_found'
      when p.incognito and m.id is null and not shows_to(receiver, sender) then 'not_found'
      when p_needs_match and m.id is null then 'forbidden'
      when p.who_may_message <> 'everyone' and m.id is null and not may_begin(sender, receiver, p.who_may_message)
        then 'forbidden'
      when a.standing <> 'good' and not exists (
        select from conversations c where c.id = conversation_id(sender, receiver) and c.last_seq > 0) then 'restricted'
    end
  from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place)
  left join accounts a on a.id = sender
  left join profiles p on p.user_id = receiver and not p.hidden
  left join blocks mine on mine.blocker_id = sender and mine.blocked_id = receiver
  left join blocks theirs on theirs.blocker_id = receiver and theirs.blocked_id = sender
  left join matches m on m.user_lo = least(sender, receiver) and m.user_hi = greatest(sender, receiver)
$$;

/*
 * Whoever is incognito is a candidate with bit 16 beside their gender: a walk through cells looks for one gender at a
 * time and never meets them, while those whom they liked find them by their id.
 */
create or replace view searchable as
  select p.user_id, wide_cell(l.published_cell) as cell,
    case when p.hide_distance then l.wide_latitude else l.latitude end as latitude,
    case when p.hide_distance then l.wide_longitude else l.longitude end as longitude,
    ((case when p.gender is null then 8::smallint else gender_bits(array[p.gender]) end)
      | (case when p.incognito then 16 else 0 end))::smallint as gender,
    case when cardinality(p.interested_in) = 0 then 15::smallint else gender_bits(p.interested_in) end as seeks,
    p.birth_date, p.age_min, p.age_max, coalesce(p.max_distance_km, 32767)::smallint as reach,
    trait_bits(p.intents, p.children, p.smoking, p.drinking, p.diet) as traits,
    avoided_bits(p.preferences, true) as refuses, avoided_bits(p.preferences, false) as avoids,
    language_bits(p.languages) as languages,
    case when (p.preferences -> 'languages' ->> 'dealbreaker')::boolean
      then language_bits(array(select jsonb_array_elements_text(p.preferences -> 'languages' -> 'accepts'))) else 0 end as needs_languages,
    coalesce(p.height_cm, 0)::smallint as height,
    case when (p.preferences -> 'height' ->> 'dealbreaker')::boolean then (p.preferences -> 'height' ->> 'min')::smallint else 0::smallint end as height_min,
    case when (p.preferences -> 'height' ->> 'dealbreaker')::boolean then (p.preferences -> 'height' ->> 'max')::smallint else 32767::smallint end as height_max,
    interest_bits(p.interests, 1) as interests_1, interest_bits(p.interests, 31) as interests_2,
    (p.last_active_at at time zone 'UTC')::date as active_on, (p.created_at at time zone 'UTC')::date as since,
    not p.hidden and not p.paused and l.user_id is not null as visible
  from profiles p left join locations l on l.user_id = p.user_id;

drop trigger candidate_changed on profiles;
create trigger candidate_changed after update of gender, interested_in, birth_date, age_min, age_max, max_distance_km, intents,
    children, smoking, drinking, diet, languages, preferences, height_cm, interests, hidden, paused, incognito, hide_distance
  on profiles for each row when (old is distinct from new) execute function refresh_changed();

drop trigger person_changed on profiles;
create trigger person_changed after update of name, hidden, read_receipts, incognito, hide_presence on profiles for each row
  when ((old.name, old.hidden, old.read_receipts, old.incognito, old.hide_presence)
    is distinct from (new.name, new.hidden, new.read_receipts, new.incognito, new.hide_presence))
  execute function person_changed();
