create table profiles (
  user_id uuid primary key references accounts on delete cascade,
  name text not null check (char_length(name) between 1 and 40),
  birth_date date not null,
  gender text check (gender in ('woman', 'man', 'nonbinary')),
  gender_text text not null default '',
  pronouns text not null default '',
  bio text not null default '' check (char_length(bio) <= 500),
  intents text[] not null default '{}',
  interests text[] not null default '{}' check (cardinality(interests) <= 10),
  prompts jsonb not null default '[]',
  -- Empty: everyone.
  interested_in text[] not null default '{}',
  age_min smallint not null default 18 check (age_min >= 18),
  age_max smallint not null default 99 check (age_max >= age_min),
  -- Null: anywhere; the others are upper bounds of distance buckets.
  max_distance_km smallint default 100 check (max_distance_km in (5, 10, 25, 50, 100)),
  verified boolean not null default false,
  hidden boolean not null default false,
  last_active_at timestamptz not null,
  created_at timestamptz not null,

  -- Facts about a person, and preferences about others.
  height_cm smallint check (height_cm between 120 and 230),
  children text check (children in ('have', 'have_and_want_more', 'want', 'open', 'do_not_want')),
  smoking text check (smoking in ('never', 'sometimes', 'often')),
  drinking text check (drinking in ('never', 'sometimes', 'often')),
  diet text check (diet in ('everything', 'pescatarian', 'vegetarian', 'vegan', 'halal', 'kosher')),
  faith text,
  languages text[] not null default '{}' check (cardinality(languages) <= 5),
  preferences jsonb not null default '{}',
  paused boolean not null default false,
  learn_from_me boolean not null default true,

  -- Off: this person neither sends nor gets read receipts.
  read_receipts boolean not null default true,
  -- When the name, texts or photos last changed: moderators compare it with what was reported. It is in this row because
  -- the row is locked by those changes anyway, so that they never wait for a moderator.
  appearance_changed_at timestamptz,

  -- Privacy settings. All are off by default, and looked up only where they are on.
  who_may_message text not null default 'everyone'
    check (who_may_message in ('everyone', 'liked_or_matched', 'verified', 'with_photo')),
  -- Seen only by people they liked, wrote to or matched with.
  incognito boolean not null default false,
  hide_distance boolean not null default false,
  -- Mutual: no one sees their presence, and they see no one's.
  hide_presence boolean not null default false,
  -- How this person sees others.
  blur_photos boolean not null default false,
  hidden_words text[] not null default '{}' check (cardinality(hidden_words) <= 50)
);
-- Administrators search people by the beginning of their name.
create index profiles_name on profiles (lower(name) text_pattern_ops);
-- Each deck asks who of the people it found hides their presence: few do, so this stays small.
create index profiles_quiet on profiles (user_id) where hide_presence;
grant select (created_at, hidden, verified) on profiles to duet_reader;
