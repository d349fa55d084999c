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
  -- Empty means everybody.
  interested_in text[] not null default '{}',
  age_min smallint not null default 18 check (age_min >= 18),
  age_max smallint not null default 99 check (age_max >= age_min),
  -- Null means anywhere; the others are bucket edges.
  max_distance_km smallint default 100 check (max_distance_km in (5, 10, 25, 50, 100)),
  verified boolean not null default false,
  hidden boolean not null default false,
  last_active_at timestamptz not null,
  created_at timestamptz not null
);

create table photos (
  file_name text primary key check (file_name ~ '^[A-Za-z0-9_-]{22}\.webp$'),
  user_id uuid not null references accounts on delete cascade,
  position smallint not null check (position >= 0),
  state text not null check (state in ('pending', 'approved', 'rejected')),
  alt text not null default '' check (char_length(alt) <= 200),
  width integer not null,
  height integer not null,
  blurhash text not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  reviewed_at timestamptz,
  reviewed_by uuid references accounts on delete set null,
  unique (user_id, position) deferrable initially deferred
);
create index photos_waiting on photos (created_at, file_name) where state = 'pending';
