-- What reaches a person outside of the app. Without a row everything is as it is for newcomers.
create table notification_preferences (
  user_id uuid primary key references accounts on delete cascade,
  -- Topic: whether it is pushed. A topic that is not in it is as for newcomers.
  push jsonb not null default '{}',
  -- Topic: when it is mailed.
  email jsonb not null default '{}',
  lock_screen text not null check (lock_screen in ('text', 'name', 'nothing')),
  -- Minutes of the day, in the time zone; both or none.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  time_zone text not null,
  check ((quiet_from is null) = (quiet_to is null))
);

-- The keys that say to push services who is sending (VAPID). Browsers subscribe with the newest; the earlier ones serve
-- those that subscribed with them. The private key is encrypted with a key that is not in the database.
create table push_keys (
  public_key text primary key,
  private_key bytea not null,
  created_at timestamptz not null
);

-- Browsers that are pushed to: at most one for a session, and gone with it.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  session_id uuid not null unique references sessions (id) on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  public_key text not null references push_keys,
  created_at timestamptz not null
);
create index push_subscriptions_user on push_subscriptions (user_id);

-- When a notification was pushed or mailed: once, until it is read.
alter table notifications add column pushed_at timestamptz, add column mailed_at timestamptz;
