-- Browsers that have signed in to an account: a sign-in from any other is mailed to its owner. Only the SHA-256 of the name in
-- the browser's cookie is stored. It outlives sessions, for a year after the last sign-in.
create table known_devices (
  user_id uuid not null references accounts on delete cascade,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  seen_at timestamptz not null,
  primary key (user_id, device_hash)
);
create index known_devices_seen on known_devices (seen_at);
