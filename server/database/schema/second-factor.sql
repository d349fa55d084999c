-- The second factor of administrators. Its secret is encrypted with a key that is not in the database.
create table second_factors (
  user_id uuid primary key references accounts on delete cascade,
  secret bytea not null,
  created_at timestamptz not null,
  -- Null until the first correct code.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: no code is accepted twice.
  last_step bigint not null default 0
);
create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
