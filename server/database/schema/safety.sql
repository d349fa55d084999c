create table blocks (
  blocker_id uuid not null references accounts on delete cascade,
  blocked_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  -- The account this person had blocked before, when the blocked account seems to be the same person again. The blocker
  -- does not see this row.
  linked_to uuid,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_blocked on blocks (blocked_id, blocker_id);
grant select (created_at) on blocks to duet_reader;
