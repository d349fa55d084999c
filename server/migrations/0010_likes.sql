-- What somebody decided about somebody else. One row a direction; the latest word counts.
create table decisions (
  actor_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  decision text not null check (decision in ('like', 'pass', 'later')),
  -- The one thing that was liked: a photo's file name, or a prompt with its answer as it read.
  item_kind text check (item_kind in ('photo', 'prompt')),
  item_id text,
  item_text text,
  comment text check (char_length(comment) between 1 and 300),
  decided_at timestamptz not null,
  primary key (actor_id, target_id),
  check (actor_id <> target_id),
  check (decision = 'like' or (item_kind is null and comment is null)),
  check ((item_kind is null) = (item_id is null))
);
create index decisions_made on decisions (actor_id, decided_at desc, target_id);
create index decisions_received on decisions (target_id, decision, decided_at desc, actor_id);

-- One match a pair, under the id of their conversation. An ended one stays, so that it cannot come back.
create table matches (
  id uuid primary key,
  user_lo uuid not null references accounts on delete cascade,
  user_hi uuid not null references accounts on delete cascade,
  matched_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid references accounts on delete set null,
  check (user_lo < user_hi),
  unique (user_lo, user_hi)
);
create index matches_hi on matches (user_hi);

-- One at a time for a pair: whoever decides about the other waits here until the first has committed.
create function lock_pair(a uuid, b uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('pair' || least(a, b)::text || greatest(a, b)::text, 0))
$$;

create function is_matched(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from matches where user_lo = least(a, b) and user_hi = greatest(a, b) and ended_at is null)
$$;
create function is_unmatched(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from matches where user_lo = least(a, b) and user_hi = greatest(a, b) and ended_at is not null)
$$;

-- What the operator sets while Duet runs.
create table settings (key text primary key, value jsonb not null, changed_at timestamptz not null);
