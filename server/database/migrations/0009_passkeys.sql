-- Passkeys: public keys of devices that sign a person in.
create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  credential_id text not null unique check (char_length(credential_id) <= 1400),
  public_key bytea not null,
  -- How often the device has signed, where it counts: one that goes back is of a copy.
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  -- Made in a session that had passed the second factor: counts as one.
  is_second_factor boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- Challenges that were answered, until they would end anyway: none is answered twice.
create table passkey_challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
