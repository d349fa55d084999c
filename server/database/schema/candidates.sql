-- Each value of the facts that people can have preferences about, with its bit: 0-14 the sets of intents (computed, not
-- listed here), 15-19 children, 20-22 smoking, 23-25 drinking, 26-31 diet.
create table trait_values (item text, value text, bit smallint primary key, unique (item, value));
insert into trait_values
  select 'children', v, 14 + n from unnest(array['have', 'have_and_want_more', 'want', 'open', 'do_not_want']) with ordinality x(v, n)
  union all select 'smoking', v, 19 + n from unnest(array['never', 'sometimes', 'often']) with ordinality x(v, n)
  union all select 'drinking', v, 22 + n from unnest(array['never', 'sometimes', 'often']) with ordinality x(v, n)
  union all select 'diet', v, 25 + n
    from unnest(array['everything', 'pescatarian', 'vegetarian', 'vegan', 'halal', 'kosher']) with ordinality x(v, n);
revoke insert, update, delete on trait_values from duet_app;

-- The visible people as the search reads them. Triggers keep it in step with the view `searchable`; the indexes contain
-- every column a search needs.
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
-- People who would meet others at any distance.
create index candidates_anywhere on candidates (gender, active_on desc, birth_date, age_min, age_max) include (user_id, latitude,
  longitude, seeks, reach, traits, refuses, avoids, languages, needs_languages, height, height_min, height_max, interests_1,
  interests_2, since) where reach = 32767;

/*
 * Which rows of `candidates` changed, and in which transaction: what a snapshot cannot see yet is exactly what happened
 * since it was taken, whatever the order of commits. The indexes in memory follow it; old rows are removed every hour. A
 * null user_id stands for very many people at once: an index is then loaded again.
 */
create table candidate_changes (
  user_id uuid,
  changed xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default clock_timestamp()
);
create index candidate_changes_since on candidate_changes (changed);
create index candidate_changes_age on candidate_changes (changed_at);
