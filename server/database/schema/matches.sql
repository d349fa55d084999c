-- One match per pair, with the id of their conversation. An ended match is kept, so that it cannot come back.
create table matches (
  id uuid primary key,
  user_lo uuid not null references accounts on delete cascade,
  user_hi uuid not null references accounts on delete cascade,
  matched_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid references accounts on delete set null,
  check (user_lo < user_hi),
  unique (user_lo, user_hi)
);
create index matches_hi on matches (user_hi);
create index matches_ended_by on matches (ended_by) where ended_by is not null;
grant select (matched_at, ended_at) on matches to duet_reader;
