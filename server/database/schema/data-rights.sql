/*
 * The only trace of an erased account: that it existed, by an id that no longer means anything. Applied again after a
 * restore, so that an older backup brings no one back.
 */
create table deletion_ledger (
  user_id uuid primary key,
  erased_at timestamptz not null
);
revoke update, delete, truncate on deletion_ledger from duet_app;
grant select (erased_at) on deletion_ledger to duet_reader;

-- A person's latest export. The file is in the store, under an unguessable name.
create table data_exports (
  user_id uuid primary key references accounts on delete cascade,
  state text not null check (state in ('working', 'ready', 'failed')),
  language text not null,
  progress real not null default 0 check (progress between 0 and 1),
  file_name text unique check (file_name ~ '^[A-Za-z0-9_-]{43}\.zip$'),
  bytes bigint,
  asked_at timestamptz not null,
  expires_at timestamptz,
  check ((state = 'ready') = (file_name is not null and bytes is not null and expires_at is not null))
);
create index data_exports_over on data_exports (expires_at);

-- People who were warned that their account will be deleted because it is unused.
create table inactivity_warnings (
  user_id uuid primary key references accounts on delete cascade,
  warned_at timestamptz not null
);

/*
 * What people consent to, per purpose. Granting adds a row, and withdrawing marks it once; nothing else ever changes here.
 * Entering sensitive facts or a place is consent to storing them, so triggers on those tables add the rows.
 */
create table consents (
  id bigint primary key generated always as identity,
  user_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('terms', 'sensitive', 'location', 'learning')),
  version text not null,
  granted_at timestamptz not null,
  withdrawn_at timestamptz check (withdrawn_at >= granted_at)
);
create index consents_user on consents (user_id, purpose, id);
create unique index consents_given on consents (user_id, purpose) where withdrawn_at is null;
revoke update, delete, truncate on consents from duet_app;
grant update (withdrawn_at) on consents to duet_app;
grant select (purpose, version, granted_at, withdrawn_at) on consents to duet_reader;
