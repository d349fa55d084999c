/*
 * Dates that people share with someone they trust. The link opens without an account; only a hash of its token is stored.
 * A row is deleted when its person ends it, and a day after the date.
 */
create table shared_dates (
  id uuid primary key,
  user_id uuid not null references accounts on delete cascade,
  with_user_id uuid references accounts on delete set null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  place text not null check (char_length(place) between 1 and 200),
  at timestamptz not null,
  note text not null default '' check (char_length(note) <= 500),
  -- How long after `at` the person is asked whether they are OK.
  check_in_minutes smallint check (check_in_minutes in (30, 60, 120, 180)),
  check_in_at timestamptz,
  -- Who gets an email if they do not answer; removed once it was sent or is no longer needed.
  contact_email text check (contact_email is null or check_in_minutes is not null),
  created_at timestamptz not null,
  asked_at timestamptz,
  checked_in_at timestamptz,
  contact_tries smallint not null default 0,
  contact_told_at timestamptz,
  expires_at timestamptz not null,
  check ((check_in_minutes is null) = (check_in_at is null))
);
create index shared_dates_user on shared_dates (user_id);
create index shared_dates_with on shared_dates (with_user_id);
create index shared_dates_over on shared_dates (expires_at);
create index shared_dates_check_in on shared_dates (check_in_at)
  where check_in_at is not null and (asked_at is null or contact_email is not null);

-- Addresses whose owners declined further emails of this kind, as keyed hashes: no address can be read out of one.
create table declined_contacts (
  address_mac bytea primary key check (octet_length(address_mac) = 32),
  declined_at timestamptz not null
);
