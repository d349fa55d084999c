/*
 * Sets as bit masks, so that comparing two people's preferences is a few integer operations. The lists are those of the
 * contract (limits.ts, catalogue.ts), in their order; a test compares the two.
 */
create or replace function gender_bits(genders text[]) returns smallint language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (array_position(array['woman', 'man', 'nonbinary'], g) - 1)), 0)::smallint from unnest(genders) g
$$;

create or replace function language_bits(languages text[]) returns integer language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (array_position(array['ar', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fr', 'he', 'hi',
    'hu', 'id', 'it', 'ja', 'ko', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sv', 'sw', 'tr', 'uk', 'ur', 'vi', 'zh'], l) - 1)), 0)
  from unnest(languages) l
$$;

-- Interests p_from to p_from + 29 of the catalogue, the first one as bit 0.
create or replace function interest_bits(interests text[], p_from integer) returns integer language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (position - p_from)), 0) from unnest(interests) i, array_position(array['long_walks', 'ceramics',
    'night_trains', 'cats', 'dogs', 'baking', 'cooking', 'wine', 'coffee', 'tea', 'board_games', 'chess', 'video_games', 'books',
    'poetry', 'theatre', 'cinema', 'documentaries', 'podcasts', 'live_music', 'vinyl', 'singing', 'guitar', 'piano', 'dancing',
    'salsa', 'running', 'cycling', 'climbing', 'swimming', 'yoga', 'football', 'tennis', 'skiing', 'surfing', 'sailing', 'hiking',
    'camping', 'gardening', 'plants', 'birdwatching', 'astronomy', 'photography', 'drawing', 'painting', 'museums', 'architecture',
    'history', 'languages', 'travel', 'volunteering', 'politics', 'science', 'coding', 'woodworking', 'knitting', 'sewing',
    'vintage', 'fashion', 'meditation'], i) position
  where position between p_from and p_from + 29
$$;

create or replace function intent_bits(intents text[]) returns integer language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (array_position(array['relationship', 'dating', 'friendship', 'open'], i) - 1)), 0) from unnest(intents) i
$$;

create or replace function trait_bits(intents text[], children text, smoking text, drinking text, diet text) returns integer
language sql stable parallel safe as $$
  select (case when cardinality(intents) = 0 then 0 else 1 << (intent_bits(intents) - 1) end)
    | coalesce((select bit_or(1 << bit) from trait_values
        where (item, value) in (('children', children), ('smoking', smoking), ('drinking', drinking), ('diet', diet))), 0)
$$;

-- The bits that these preferences do not accept; only those of dealbreakers when p_hard.
create or replace function avoided_bits(preferences jsonb, p_hard boolean) returns integer language sql stable parallel safe as $$
  select case when preferences = '{}' then 0 else
    coalesce((select bit_or(1 << bit) from trait_values
      where jsonb_array_length(preferences -> item -> 'accepts') > 0 and not preferences -> item -> 'accepts' ? value
        and (not p_hard or (preferences -> item ->> 'dealbreaker')::boolean)), 0)
    | coalesce((select bit_or(1 << (k - 1)) from generate_series(1, 15) k,
        intent_bits(array(select jsonb_array_elements_text(preferences -> 'intents' -> 'accepts'))) accepted
      where accepted > 0 and k & accepted = 0 and (not p_hard or (preferences -> 'intents' ->> 'dealbreaker')::boolean)), 0) end
$$;

-- The H3 parent of resolution 5 of a published cell: its resolution and the digits 6 and 7 are overwritten.
create or replace function wide_cell(cell text) returns bigint language sql immutable parallel safe as $$
  select (('x' || lpad(cell, 16, '0'))::bit(64)::bigint & ~(15::bigint << 52)) | (5::bigint << 52) | (63::bigint << 24)
$$;

/*
 * A person as the search reads them: narrow, and nothing that finding and ranking do not need. People who are incognito
 * have bit 16 beside their gender: a walk through cells looks for one gender at a time and never meets them, while the
 * people they liked find them by their id.
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
    (p.last_active_at at time zone 'UTC')::date as active_on,
    ((p.created_at + coalesce(p.found_after, 0) * interval '1 second') at time zone 'UTC')::date as since,
    not p.hidden and not p.paused and l.published_at is not null as visible
  from profiles p left join locations l on l.user_id = p.user_id;

/*
 * A searcher: the person with the day and the place of the search (degrees; null: the published place), and with filters
 * that are only being tried (`interestedIn`, `ageMin`, `ageMax`, `maxDistanceKm`, `preferences`). The highest age of a
 * filter means that age and above. Ages count as 18 at least: it may be a day later than `p_today` where a person is.
 */
create or replace function searcher(p_user uuid, p_today date, p_latitude double precision, p_longitude double precision, p_tried jsonb)
returns table (user_id uuid, latitude double precision, longitude double precision, gender smallint, seeks smallint, years integer,
  born_after date, born_until date, reach smallint, traits integer, refuses integer, avoids integer, languages integer,
  needs_languages integer, height smallint, height_min smallint, height_max smallint, interests_1 integer, interests_2 integer)
language sql stable as $$
  select s.user_id, coalesce(p_latitude, s.latitude), coalesce(p_longitude, s.longitude), s.gender,
    case when not p_tried ? 'interestedIn' then s.seeks when jsonb_array_length(p_tried -> 'interestedIn') = 0 then 15::smallint
      else gender_bits(array(select jsonb_array_elements_text(p_tried -> 'interestedIn'))) end,
    greatest(18, extract(year from age(p_today, s.birth_date)))::integer,
    case when coalesce((p_tried ->> 'ageMax')::integer, s.age_max) >= 99 then '0001-01-01'::date
      else (p_today - make_interval(years => coalesce((p_tried ->> 'ageMax')::integer, s.age_max) + 1))::date end,
    (p_today - make_interval(years => coalesce((p_tried ->> 'ageMin')::integer, s.age_min)))::date
      + (coalesce((p_tried ->> 'ageMin')::integer, s.age_min) <= 18)::integer,
    case when p_tried ? 'maxDistanceKm' then coalesce((p_tried ->> 'maxDistanceKm')::smallint, 32767::smallint) else s.reach end,
    s.traits,
    case when p_tried ? 'preferences' then avoided_bits(p_tried -> 'preferences', true) else s.refuses end,
    case when p_tried ? 'preferences' then avoided_bits(p_tried -> 'preferences', false) else s.avoids end,
    s.languages,
    case when not p_tried ? 'preferences' then s.needs_languages
      when (p_tried -> 'preferences' -> 'languages' ->> 'dealbreaker')::boolean
      then language_bits(array(select jsonb_array_elements_text(p_tried -> 'preferences' -> 'languages' -> 'accepts'))) else 0 end,
    s.height,
    case when not p_tried ? 'preferences' then s.height_min when (p_tried -> 'preferences' -> 'height' ->> 'dealbreaker')::boolean
      then (p_tried -> 'preferences' -> 'height' ->> 'min')::smallint else 0::smallint end,
    case when not p_tried ? 'preferences' then s.height_max when (p_tried -> 'preferences' -> 'height' ->> 'dealbreaker')::boolean
      then (p_tried -> 'preferences' -> 'height' ->> 'max')::smallint else 32767::smallint end,
    s.interests_1, s.interests_2
  from (
    -- A visible person has a row already.
    select user_id, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses, avoids, languages,
      needs_languages, height, height_min, height_max, interests_1, interests_2 from candidates where user_id = p_user
    union all
    select user_id, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses, avoids, languages,
      needs_languages, height, height_min, height_max, interests_1, interests_2 from searchable
      where user_id = p_user and not exists (select from candidates where user_id = p_user)) s
$$;

/*
 * Recomputes rows of `candidates`. A place and a profile can change in two transactions at once, and each recomputes the
 * row from both tables: one waits for the other at the profile, and then reads what the other wrote.
 */
create or replace function refresh_candidates(ids uuid[]) returns void language sql as $$
  select from profiles where user_id = any(ids) order by user_id for no key update;
  delete from candidates c where c.user_id = any(ids)
    and not exists (select from searchable s where s.user_id = c.user_id and s.visible);
  insert into candidates (user_id, cell, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses,
      avoids, languages, needs_languages, height, height_min, height_max, interests_1, interests_2, active_on, since)
    select user_id, cell, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses, avoids, languages,
      needs_languages, height, height_min, height_max, interests_1, interests_2, active_on, since
    from searchable where user_id = any(ids) and visible order by user_id
  on conflict (user_id) do update set (cell, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses,
      avoids, languages, needs_languages, height, height_min, height_max, interests_1, interests_2, active_on, since)
    = (excluded.cell, excluded.latitude, excluded.longitude, excluded.gender, excluded.seeks, excluded.birth_date, excluded.age_min,
      excluded.age_max, excluded.reach, excluded.traits, excluded.refuses, excluded.avoids, excluded.languages,
      excluded.needs_languages, excluded.height, excluded.height_min, excluded.height_max, excluded.interests_1,
      excluded.interests_2, excluded.active_on, excluded.since)
$$;

create or replace function refresh_inserted() returns trigger language plpgsql as $$
begin
  perform refresh_candidates(array(select user_id from inserted));
  return null;
end $$;
create or replace function refresh_changed() returns trigger language plpgsql as $$
begin
  perform refresh_candidates(array[coalesce(new.user_id, old.user_id)]);
  -- The deck was built for the person as they were before.
  delete from decks where user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create or replace trigger candidate_located after insert on locations referencing new table as inserted
  for each statement execute function refresh_inserted();
create or replace trigger candidate_moved after update of published_cell, latitude, longitude, published_at on locations for each row
  when (old.published_cell <> new.published_cell or (old.published_at is null and new.published_at is not null))
  execute function refresh_changed();
create or replace trigger candidate_unlocated after delete on locations for each row execute function refresh_changed();
create or replace trigger candidate_changed after update of gender, interested_in, birth_date, age_min, age_max, max_distance_km, intents,
    children, smoking, drinking, diet, languages, preferences, height_cm, interests, hidden, paused, incognito, hide_distance, hide_presence,
    found_after on profiles for each row when (old is distinct from new) execute function refresh_changed();
create or replace trigger candidate_active after update of last_active_at on profiles for each row
  when ((old.last_active_at at time zone 'UTC')::date <> (new.last_active_at at time zone 'UTC')::date) execute function refresh_changed();

-- Records which candidates changed, for the indexes in memory.
create or replace function note_candidates() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select 1 from changed_rows limit 5001) as few) > 5000 then
    insert into candidate_changes (user_id) values (null);
  else
    insert into candidate_changes (user_id) select user_id from changed_rows;
  end if;
  return null;
end $$;
create or replace function note_all_candidates() returns trigger language plpgsql as $$
begin
  insert into candidate_changes (user_id) values (null);
  return null;
end $$;
create or replace trigger candidates_inserted after insert on candidates referencing new table as changed_rows
  for each statement execute function note_candidates();
create or replace trigger candidates_updated after update on candidates referencing new table as changed_rows
  for each statement execute function note_candidates();
create or replace trigger candidates_deleted after delete on candidates referencing old table as changed_rows
  for each statement execute function note_candidates();
create or replace trigger candidates_truncated after truncate on candidates for each statement execute function note_all_candidates();
