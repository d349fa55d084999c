-- Searches walk through wide cells now.
alter table locations drop column region;

-- Administrators look people up by the beginning of their name.
create index profiles_name on profiles (lower(name) text_pattern_ops);

-- What people say about themselves and wish of others.
alter table profiles
  add column height_cm smallint check (height_cm between 120 and 230),
  add column children text check (children in ('have', 'have_and_want_more', 'want', 'open', 'do_not_want')),
  add column smoking text check (smoking in ('never', 'sometimes', 'often')),
  add column drinking text check (drinking in ('never', 'sometimes', 'often')),
  add column diet text check (diet in ('everything', 'pescatarian', 'vegetarian', 'vegan', 'halal', 'kosher')),
  add column faith text,
  add column languages text[] not null default '{}' check (cardinality(languages) <= 5),
  add column preferences jsonb not null default '{}',
  add column paused boolean not null default false,
  add column learn_from_me boolean not null default true;

/*
 * Sets as bit masks, so that both people's wishes are a few integer operations. The lists are those of the contract
 * (limits.ts, catalogue.ts) in their order; a test holds the two together.
 */
create function gender_bits(genders text[]) returns smallint language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (array_position(array['woman', 'man', 'nonbinary'], g) - 1)), 0)::smallint from unnest(genders) g
$$;

create function language_bits(languages text[]) returns integer language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (array_position(array['ar', 'bn', 'cs', 'da', 'de', 'el', 'en', 'es', 'fa', 'fi', 'fr', 'he', 'hi',
    'hu', 'id', 'it', 'ja', 'ko', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sv', 'sw', 'tr', 'uk', 'ur', 'vi', 'zh'], l) - 1)), 0)
  from unnest(languages) l
$$;

-- Interests p_from to p_from + 29 of the catalogue, the first one as bit 0.
create function interest_bits(interests text[], p_from integer) returns integer language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (position - p_from)), 0) from unnest(interests) i, array_position(array['long_walks', 'ceramics',
    'night_trains', 'cats', 'dogs', 'baking', 'cooking', 'wine', 'coffee', 'tea', 'board_games', 'chess', 'video_games', 'books',
    'poetry', 'theatre', 'cinema', 'documentaries', 'podcasts', 'live_music', 'vinyl', 'singing', 'guitar', 'piano', 'dancing',
    'salsa', 'running', 'cycling', 'climbing', 'swimming', 'yoga', 'football', 'tennis', 'skiing', 'surfing', 'sailing', 'hiking',
    'camping', 'gardening', 'plants', 'birdwatching', 'astronomy', 'photography', 'drawing', 'painting', 'museums', 'architecture',
    'history', 'languages', 'travel', 'volunteering', 'politics', 'science', 'coding', 'woodworking', 'knitting', 'sewing',
    'vintage', 'fashion', 'meditation'], i) position
  where position between p_from and p_from + 29
$$;

-- Every value of the wishable facts with its bit: 0-14 the sets of intents, 15-19 children, 20-22 smoking, 23-25 drinking, 26-31 diet.
create table trait_values (item text, value text, bit smallint primary key, unique (item, value));
insert into trait_values
  select 'children', v, 14 + n from unnest(array['have', 'have_and_want_more', 'want', 'open', 'do_not_want']) with ordinality x(v, n)
  union all select 'smoking', v, 19 + n from unnest(array['never', 'sometimes', 'often']) with ordinality x(v, n)
  union all select 'drinking', v, 22 + n from unnest(array['never', 'sometimes', 'often']) with ordinality x(v, n)
  union all select 'diet', v, 25 + n
    from unnest(array['everything', 'pescatarian', 'vegetarian', 'vegan', 'halal', 'kosher']) with ordinality x(v, n);
revoke insert, update, delete on trait_values from duet_app;

create function intent_bits(intents text[]) returns integer language sql immutable parallel safe as $$
  select coalesce(bit_or(1 << (array_position(array['relationship', 'dating', 'friendship', 'open'], i) - 1)), 0) from unnest(intents) i
$$;

create function trait_bits(intents text[], children text, smoking text, drinking text, diet text) returns integer
language sql stable parallel safe as $$
  select (case when cardinality(intents) = 0 then 0 else 1 << (intent_bits(intents) - 1) end)
    | coalesce((select bit_or(1 << bit) from trait_values
        where (item, value) in (('children', children), ('smoking', smoking), ('drinking', drinking), ('diet', diet))), 0)
$$;

-- The bits that these wishes do not accept; only dealbreakers when p_hard.
create function avoided_bits(preferences jsonb, p_hard boolean) returns integer language sql stable parallel safe as $$
  select case when preferences = '{}' then 0 else
    coalesce((select bit_or(1 << bit) from trait_values
      where jsonb_array_length(preferences -> item -> 'accepts') > 0 and not preferences -> item -> 'accepts' ? value
        and (not p_hard or (preferences -> item ->> 'dealbreaker')::boolean)), 0)
    | coalesce((select bit_or(1 << (k - 1)) from generate_series(1, 15) k,
        intent_bits(array(select jsonb_array_elements_text(preferences -> 'intents' -> 'accepts'))) accepted
      where accepted > 0 and k & accepted = 0 and (not p_hard or (preferences -> 'intents' ->> 'dealbreaker')::boolean)), 0) end
$$;

-- A published cell's H3 parent of resolution 5: its resolution and the digits 6 and 7 are overwritten.
create function wide_cell(cell text) returns bigint language sql immutable parallel safe as $$
  select (('x' || lpad(cell, 16, '0'))::bit(64)::bigint & ~(15::bigint << 52)) | (5::bigint << 52) | (63::bigint << 24)
$$;

-- A person as the search for people sees them: narrow, and nothing that is not needed to find and rank.
create view searchable as
  select p.user_id, wide_cell(l.published_cell) as cell, l.latitude, l.longitude,
    case when p.gender is null then 8::smallint else gender_bits(array[p.gender]) end as gender,
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

-- The visible ones, kept in step by triggers. The index holds everything a search reads.
create table candidates (
  user_id uuid primary key references profiles on delete cascade,
  cell bigint not null,
  latitude double precision not null,
  longitude double precision not null,
  gender smallint not null,
  seeks smallint not null,
  birth_date date not null,
  age_min smallint not null,
  age_max smallint not null,
  reach smallint not null,
  traits integer not null,
  refuses integer not null,
  avoids integer not null,
  languages integer not null,
  needs_languages integer not null,
  height smallint not null,
  height_min smallint not null,
  height_max smallint not null,
  interests_1 integer not null,
  interests_2 integer not null,
  active_on date not null,
  since date not null
);
create index candidates_near on candidates (cell, gender, active_on desc, birth_date, age_min, age_max) include (user_id, latitude,
  longitude, seeks, reach, traits, refuses, avoids, languages, needs_languages, height, height_min, height_max, interests_1,
  interests_2, since);
-- Those who would meet people at any distance.
create index candidates_anywhere on candidates (gender, active_on desc, birth_date, age_min, age_max) include (user_id, latitude,
  longitude, seeks, reach, traits, refuses, avoids, languages, needs_languages, height, height_min, height_max, interests_1,
  interests_2, since) where reach = 32767;

/*
 * A searcher: the person with the day and the place the search is made on (degrees; unset: the published place), and with
 * changes to their filters that are only tried (`interestedIn`, `ageMin`, `ageMax`, `maxDistanceKm`, `preferences`).
 */
create function searcher(p_user uuid, p_today date, p_latitude double precision, p_longitude double precision, p_tried jsonb)
returns table (user_id uuid, latitude double precision, longitude double precision, gender smallint, seeks smallint, years integer,
  born_after date, born_until date, reach smallint, traits integer, refuses integer, avoids integer, languages integer,
  needs_languages integer, height smallint, height_min smallint, height_max smallint, interests_1 integer, interests_2 integer)
language sql stable as $$
  select s.user_id, coalesce(p_latitude, s.latitude), coalesce(p_longitude, s.longitude), s.gender,
    case when not p_tried ? 'interestedIn' then s.seeks when jsonb_array_length(p_tried -> 'interestedIn') = 0 then 15::smallint
      else gender_bits(array(select jsonb_array_elements_text(p_tried -> 'interestedIn'))) end,
    extract(year from age(p_today, s.birth_date))::integer,
    (p_today - make_interval(years => coalesce((p_tried ->> 'ageMax')::integer, s.age_max) + 1))::date,
    (p_today - make_interval(years => coalesce((p_tried ->> 'ageMin')::integer, s.age_min)))::date,
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
    -- Whoever can be seen is there already as the search sees them.
    select user_id, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses, avoids, languages,
      needs_languages, height, height_min, height_max, interests_1, interests_2 from candidates where user_id = p_user
    union all
    select user_id, latitude, longitude, gender, seeks, birth_date, age_min, age_max, reach, traits, refuses, avoids, languages,
      needs_languages, height, height_min, height_max, interests_1, interests_2 from searchable
      where user_id = p_user and not exists (select from candidates where user_id = p_user)) s
$$;

create function refresh_candidates(ids uuid[]) returns void language sql as $$
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

create function refresh_inserted() returns trigger language plpgsql as $$
begin
  perform refresh_candidates(array(select user_id from inserted));
  return null;
end $$;
create function refresh_changed() returns trigger language plpgsql as $$
begin
  perform refresh_candidates(array[coalesce(new.user_id, old.user_id)]);
  -- Their own deck was made for what they were before.
  delete from decks where user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger candidate_located after insert on locations referencing new table as inserted
  for each statement execute function refresh_inserted();
create trigger candidate_moved after update of published_cell, latitude, longitude on locations for each row
  when (old.published_cell <> new.published_cell) execute function refresh_changed();
create trigger candidate_unlocated after delete on locations for each row execute function refresh_changed();
create trigger candidate_changed after update of gender, interested_in, birth_date, age_min, age_max, max_distance_km, intents,
    children, smoking, drinking, diet, languages, preferences, height_cm, interests, hidden, paused on profiles
  for each row when (old is distinct from new) execute function refresh_changed();
create trigger candidate_active after update of last_active_at on profiles for each row
  when ((old.last_active_at at time zone 'UTC')::date <> (new.last_active_at at time zone 'UTC')::date) execute function refresh_changed();
select refresh_candidates(array(select user_id from profiles));

/*
 * Two numbers a person that ranking learns: how readily they say yes, and how readily yes is said to them (both in
 * logits). Never shown. The sums are those of the Newton steps. `pending` counts likes that wait for an answer, halved
 * every 7 days since `pending_at`.
 */
create table standings (
  user_id uuid primary key references accounts on delete cascade,
  says_yes real not null default 0,
  is_liked real not null default 0,
  made_weight real not null default 0,
  received_weight real not null default 0,
  made integer not null default 0,
  received integer not null default 0,
  impressions integer not null default 0,
  pending real not null default 0,
  pending_at timestamptz not null default now()
) with (fillfactor = 80);

-- What training has found, version by version. One is in use; without any, the defaults of the code are.
create table models (
  version integer generated always as identity primary key,
  weights jsonb not null,
  metrics jsonb not null,
  trained_at timestamptz not null,
  active boolean not null default false
);
create unique index models_active on models (active) where active;

-- Who was shown to whom, in which place, and how likely that was: without it no honest evaluation.
create table impressions (
  viewer_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  -- When the deck was made that the card is from; a card is shown once a deck.
  deck_at timestamptz not null,
  shown_at timestamptz not null,
  slot smallint not null,
  slot_kind text not null,
  propensity real not null check (propensity > 0 and propensity <= 1),
  model_version integer not null,
  primary key (viewer_id, target_id, deck_at)
);
create index impressions_shown on impressions using brin (shown_at);
create index impressions_target on impressions (target_id, shown_at);

-- The next people of a viewer, best first, as they were ranked at `built_at`.
create table decks (
  user_id uuid primary key references accounts on delete cascade,
  slots jsonb not null,
  model_version integer not null,
  built_at timestamptz not null
);
