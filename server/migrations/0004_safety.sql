create table blocks (
  blocker_id uuid not null references accounts on delete cascade,
  blocked_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_blocked on blocks (blocked_id, blocker_id);

-- A block counts in both directions.
create function is_blocked(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from blocks where (blocker_id = a and blocked_id = b) or (blocker_id = b and blocked_id = a))
$$;
