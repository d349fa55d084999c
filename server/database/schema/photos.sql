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
create index photos_reviewed_by on photos (reviewed_by) where reviewed_by is not null;
grant select (created_at, reviewed_at, state) on photos to duet_reader;
