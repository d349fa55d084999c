/*
 * What administrators did, and what Duet did in their name. Each entry is sealed with the hash of the one before it, so an
 * edited, removed or reordered entry is found; `npm run audit -- verify` checks. There are no foreign keys: an entry
 * outlives the people in it.
 */
create table audit_log (
  seq bigint primary key,
  at timestamptz not null,
  -- Null: Duet itself.
  actor_id uuid,
  action text not null check (action ~ '^[a-z_]{1,40}$'),
  target jsonb not null,
  reason text not null,
  details jsonb not null,
  request_id text,
  prev_hash bytea not null check (octet_length(prev_hash) = 32),
  hash bytea not null unique check (octet_length(hash) = 32)
);
create index audit_log_actor on audit_log (actor_id, seq desc);
create index audit_log_action on audit_log (action, seq desc);
create index audit_log_at on audit_log (at);
revoke update, delete, truncate on audit_log from duet_app;
grant select (at, action) on audit_log to duet_reader;

create table sanctions (
  id uuid primary key default gen_random_uuid(),
  -- No foreign key: deleting an account and coming back must not be quicker than an appeal, and figures stay true. Texts
  -- about the person are emptied when their account is deleted.
  user_id uuid not null,
  kind text not null check (kind in ('warning', 'item_removed', 'restriction', 'suspension', 'ban', 'shadow',
    'reporting_restriction')),
  ground text not null,
  -- The explanation given to the person.
  statement text not null,
  automated boolean not null,
  report_id bigint references reports on delete set null,
  -- What was removed, as far as it can be restored.
  item jsonb,
  -- Null: Duet itself.
  decided_by uuid,
  created_at timestamptz not null,
  ends_at timestamptz check (ends_at > created_at),
  -- When and how it stopped: it ended, an appeal reversed it, or an administrator lifted it.
  lifted_at timestamptz,
  lifted_as text check (lifted_as in ('ended', 'reversed', 'lifted')),
  lifted_by uuid,
  check ((lifted_at is null) = (lifted_as is null))
);
create index sanctions_of on sanctions (user_id, created_at desc);
create index sanctions_made on sanctions (created_at);
create index sanctions_ending on sanctions (ends_at) where lifted_at is null and ends_at is not null;
grant select (kind, ground, automated, created_at, ends_at, lifted_at, lifted_as) on sanctions to duet_reader;

create table appeals (
  id uuid primary key default gen_random_uuid(),
  -- One appeal per sanction.
  sanction_id uuid not null unique references sanctions on delete cascade,
  user_id uuid not null,
  text text not null,
  created_at timestamptz not null,
  -- `upheld`: the sanction stays.
  state text not null default 'open' check (state in ('open', 'upheld', 'reversed')),
  answer text,
  decided_by uuid,
  decided_at timestamptz,
  check ((state = 'open') = (decided_at is null))
);
create index appeals_open on appeals (created_at, id) where state = 'open';
create index appeals_decided on appeals (decided_at) where state <> 'open';
grant select (state, created_at, decided_at) on appeals to duet_reader;

-- Which administrator is working on what, so that two do not decide the same case.
create table claims (
  kind text not null check (kind in ('report', 'photo', 'verification', 'appeal', 'review')),
  target text not null,
  admin_id uuid not null references accounts on delete cascade,
  until timestamptz not null,
  primary key (kind, target)
);

-- People that other parts of Duet flagged for a moderator.
create table reviews (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  user_id uuid not null references accounts on delete cascade,
  note text not null,
  created_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  outcome text check (outcome in ('upheld', 'dismissed')),
  decided_by uuid,
  decided_at timestamptz,
  check ((state = 'open') = (decided_at is null))
);
create unique index reviews_open_kind on reviews (user_id, kind) where state = 'open';
create index reviews_open on reviews (created_at, id) where state = 'open';
grant select (kind, state, outcome, created_at, decided_at) on reviews to duet_reader;

/*
 * Email addresses of banned accounts that were erased: a ban applies to a new account with the same address. The value is
 * the keyed hash that accounts are recognised by; it contains no readable address and no account id.
 */
create table banned_addresses (
  value bytea primary key check (octet_length(value) = 32),
  -- When the ban ends and the row is deleted; null: without an end.
  until timestamptz
);
create index banned_addresses_until on banned_addresses (until);
