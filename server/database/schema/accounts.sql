create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email) and char_length(email) <= 254),
  password_hash text,
  is_super_admin boolean not null default false,
  terms_accepted_at timestamptz not null,
  created_at timestamptz not null,
  -- Moderation and data rights write the next three. Sessions carry the standing; `profiles.hidden` follows all of them.
  standing text not null default 'good' check (standing in ('good', 'restricted', 'suspended', 'banned')),
  -- Null: without an end.
  standing_until timestamptz,
  -- When the account and its data are erased; null when erasure was not requested.
  erase_at timestamptz,
  -- Resembles a banned account: invisible and unheard until a moderator has looked.
  unseen boolean not null default false,
  -- The language of the user interface, and of emails about moderation decisions.
  language text not null default 'en' check (language in ('en', 'es', 'ar'))
);
create index accounts_erase on accounts (erase_at) where erase_at is not null;
create index accounts_banned on accounts (id) where standing = 'banned';
revoke insert, update on accounts from duet_app;
grant insert (id, email, password_hash, terms_accepted_at, created_at) on accounts to duet_app;
grant update (email, password_hash, terms_accepted_at, standing, standing_until, erase_at, unseen, language)
  on accounts to duet_app;
grant select (created_at, standing, standing_until, erase_at, is_super_admin) on accounts to duet_reader;

-- One live code per address, with five tries, used once.
create table sign_in_codes (
  email text primary key,
  code_hash text not null,
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Tries from devices that have signed in before: strangers cannot use these up.
  known_tries smallint not null default 0
);

-- Only the SHA-256 of a token is stored.
create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  device text not null,
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  last_seen_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  second_factor_at timestamptz
);
create index sessions_user on sessions (user_id, last_seen_at);
create index sessions_expiry on sessions (idle_expires_at);
grant select (created_at, last_seen_at, expires_at) on sessions to duet_reader;
