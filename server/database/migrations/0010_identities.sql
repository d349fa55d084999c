-- Accounts of another provider that sign a person in: the subject is what it calls them. One that was removed stays, so that
-- the address alone does not bring it back.
create table identities (
  id uuid primary key default gen_random_uuid(),
  issuer text not null check (char_length(issuer) <= 2000),
  subject text not null check (char_length(subject) <= 255),
  user_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  removed_at timestamptz,
  unique (issuer, subject),
  unique (user_id, issuer)
);

-- What a provider has just said of a browser, until that browser comes for it: to sign in, or to sign up.
create table identity_proofs (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  issuer text not null,
  subject text not null,
  -- Verified by the provider; null where it verified none.
  email text check (email = lower(email) and char_length(email) <= 254),
  stays boolean not null,
  expires_at timestamptz not null
);
create index identity_proofs_expiry on identity_proofs (expires_at);
