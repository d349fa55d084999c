create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  kind text not null,
  params jsonb not null default '{}',
  link text,
  -- A later notification with the same key replaces the earlier one while that is unread.
  collapse_key text,
  read boolean not null default false,
  created_at timestamptz not null
);
create index notifications_list on notifications (user_id, created_at desc, id desc);
create unique index notifications_collapse on notifications (user_id, collapse_key) where not read;
grant select (kind, created_at, read) on notifications to duet_reader;
