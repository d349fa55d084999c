/*
 * What ranking learns about a person: how readily they say yes, and how readily others say yes to them (both in logits).
 * Never shown. The weights are sums of the Newton steps. `pending` counts likes that wait for an answer, halved every 7
 * days since `pending_at`.
 */
create table standings (
  user_id uuid primary key references accounts on delete cascade,
  says_yes real not null default 0,
  is_liked real not null default 0,
  made_weight real not null default 0,
  received_weight real not null default 0,
  made integer not null default 0,
  received integer not null default 0,
  impressions integer not null default 0,
  pending real not null default 0,
  pending_at timestamptz not null default now(),
  -- The transaction of the last change: the indexes in memory read what is newer than their snapshot.
  changed xid8 not null default pg_current_xact_id(),
  -- Decisions by or about this person from before then are not learned from: they reset learning, or switched it on again.
  learns_since timestamptz,
  -- These numbers include every decision until then; what a node still reports from before is not new.
  counted_until timestamptz
) with (fillfactor = 80);
create index standings_changed on standings (changed);

-- The results of training, version by version. At most one is active; without one, the defaults in the code apply.
create table models (
  version integer generated always as identity primary key,
  weights jsonb not null,
  metrics jsonb not null,
  trained_at timestamptz not null,
  active boolean not null default false
);
create unique index models_active on models (active) where active;
grant select (version, trained_at, active, metrics) on models to duet_reader;

/*
 * Decisions that ranking has yet to learn from, and pairs it must not learn from again. `due_at` is when a decision can no
 * longer be undone: then it is learned from and the row is deleted. Null: the pair was learned from, and the decision has
 * changed or was retracted since. A decision without a row was learned from and still stands.
 */
create table lessons (
  actor_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  due_at timestamptz,
  primary key (actor_id, target_id)
);
create index lessons_target on lessons (target_id);
create index lessons_due on lessons (due_at) where due_at is not null;
