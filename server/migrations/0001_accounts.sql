-- The application connects as the owner and works as duet_app, which cannot change tables or make anybody an administrator.
do $$ begin
  create role duet_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant duet_app to %I', current_user);
exception when unique_violation then null;
end $$;
grant usage on schema public to duet_app;
alter default privileges in schema public grant select, insert, update, delete on tables to duet_app;

create table accounts (
  id uuid primary key default gen_random_uuid(),
  email text not null unique check (email = lower(email) and char_length(email) <= 254),
  password_hash text,
  is_super_admin boolean not null default false,
  terms_accepted_at timestamptz not null,
  created_at timestamptz not null
);
revoke insert, update on accounts from duet_app;
grant insert (id, email, password_hash, terms_accepted_at, created_at) on accounts to duet_app;
grant update (email, password_hash, terms_accepted_at) on accounts to duet_app;

-- One live code an address; five tries; used once.
create table sign_in_codes (
  email text primary key,
  code_hash text not null,
  tries smallint not null default 0 check (tries between 0 and 5),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Only the SHA-256 of a token is kept.
create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  id uuid not null unique default gen_random_uuid(),
  user_id uuid not null references accounts on delete cascade,
  device text not null,
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  last_seen_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, last_seen_at);
create index sessions_expiry on sessions (idle_expires_at);

-- Every process hears of an ended session and closes its sockets.
create function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end $$;
create trigger session_ended after delete on sessions for each row execute function notify_session_ended();

-- Counters of rate-limiter-flexible (its own layout).
create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint);
