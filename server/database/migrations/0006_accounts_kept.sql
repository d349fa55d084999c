-- When the password was set; null where that was at sign-up, or where there is none.
alter table accounts add column password_set_at timestamptz;
grant update (email, password_set_at) on accounts to duet_app;

-- Signed in for 90 days of use in place of 7. Nodes of the version before cut such a session to 7 days when they note a visit.
alter table sessions add column stays boolean not null default false;

-- An address that a person wants to move to, until the code that was mailed to it is confirmed; bound to the account.
create table address_changes (
  user_id uuid primary key references accounts on delete cascade,
  email text not null check (email = lower(email) and char_length(email) <= 254),
  code_hash text not null,
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Addresses that accounts have left, for as long as their owners may undo that: no other account gets them meanwhile.
create table address_undos (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index address_undos_user on address_undos (user_id);
create index address_undos_email on address_undos (email);

-- Keyed hashes of the mailboxes that an account had before: a ban is of these too.
create table earlier_mailboxes (
  user_id uuid not null references accounts on delete cascade,
  value bytea not null check (octet_length(value) = 32),
  primary key (user_id, value)
);
create index earlier_mailboxes_value on earlier_mailboxes (value);

-- Unused codes that sign a person in when the mailbox is lost: eighty random bits each, so a plain hash keeps them.
create table account_recovery_codes (
  user_id uuid not null references accounts on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  primary key (user_id, code_hash)
);
