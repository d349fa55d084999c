/*
 * What administrators did, and what was done in their name. Each entry is sealed with the hash of the one before it, so
 * that one that is edited, removed or put elsewhere is found; `npm run audit -- verify` looks. Nobody is referenced: an
 * entry outlives the people it tells of.
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
revoke update, delete, truncate on audit_log from duet_app;

-- What an entry says, in the one form that is hashed.
create function audit_text(entry audit_log) returns text language sql stable as $$
  select jsonb_build_array(entry.seq, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor_id, entry.action,
    entry.target, entry.reason, entry.details, entry.request_id)::text
$$;

/*
 * Gives an entry its number, without gaps, and its seal. One at a time: the lock is held until the transaction ends.
 * A restored entry keeps both; only the owner can say that it restores.
 */
create function seal_audit_entry() returns trigger language plpgsql as $$
begin
  if current_setting('duet.restoring', true) = 'on' and current_user <> 'duet_app' then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
  select seq + 1, hash into new.seq, new.prev_hash from audit_log order by seq desc limit 1;
  if not found then
    new.seq := 1;
    new.prev_hash := decode(repeat('00', 32), 'hex');
  end if;
  new.hash := sha256(new.prev_hash || convert_to(audit_text(new), 'UTF8'));
  return new;
end $$;
create trigger seal_audit_entry before insert on audit_log for each row execute function seal_audit_entry();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_stays before update or delete on audit_log for each row execute function refuse_audit_change();
create trigger audit_log_is_not_emptied before truncate on audit_log for each statement execute function refuse_audit_change();

-- When somebody last changed their name, their words or their photos: moderators look again. It stands with the profile,
-- whose row is locked by then anyway: changing it waits for no moderator.
alter table profiles add column appearance_changed_at timestamptz;
create function appearance_changed() returns trigger language plpgsql as $$
begin
  new.appearance_changed_at := clock_timestamp();
  return new;
end $$;
create trigger appearance_changed before update of name, bio, prompts on profiles for each row
  when ((old.name, old.bio, old.prompts) is distinct from (new.name, new.bio, new.prompts))
  execute function appearance_changed();
create function appearance_in_photos_changed() returns trigger language plpgsql as $$
begin
  update profiles set appearance_changed_at = clock_timestamp() where user_id = coalesce(new.user_id, old.user_id);
  return null;
end $$;
create trigger appearance_in_photos_changed after insert or delete on photos for each row execute function appearance_in_photos_changed();

-- How reports were decided.
alter table reports
  add column outcome text check (outcome in ('upheld', 'dismissed')),
  add column false_report boolean not null default false,
  add column decided_at timestamptz,
  add column decided_by uuid,
  -- The `appearance_changed_at` of the reported person when the report was made.
  add column appearance_seen timestamptz,
  add check (state = 'closed' or outcome is null);
grant update (outcome, false_report, decided_at, decided_by) on reports to duet_app;
create index reports_about on reports (reported_id, state);
create index reports_decided on reports (decided_at) where state = 'closed';

create function note_appearance() returns trigger language plpgsql as $$
begin
  new.appearance_seen := (select appearance_changed_at from profiles where user_id = new.reported_id);
  return new;
end $$;
create trigger note_appearance before insert on reports for each row execute function note_appearance();

create table sanctions (
  id uuid primary key default gen_random_uuid(),
  -- No reference: deleting an account and coming back must not be quicker than an appeal, and figures stay true. What
  -- tells of a person is emptied when their account goes.
  user_id uuid not null,
  kind text not null check (kind in ('warning', 'item_removed', 'restriction', 'suspension', 'ban', 'shadow',
    'reporting_restriction')),
  ground text not null,
  -- To the person, in words.
  statement text not null,
  automated boolean not null,
  report_id bigint references reports on delete set null,
  -- What was taken away, as far as it can be put back.
  item jsonb,
  -- Null: Duet itself.
  decided_by uuid,
  created_at timestamptz not null,
  ends_at timestamptz check (ends_at > created_at),
  -- When and how it stopped counting: its time was over, an appeal reversed it, or somebody lifted it.
  lifted_at timestamptz,
  lifted_as text check (lifted_as in ('ended', 'reversed', 'lifted')),
  lifted_by uuid,
  check ((lifted_at is null) = (lifted_as is null))
);
create index sanctions_of on sanctions (user_id, created_at desc);
create index sanctions_made on sanctions (created_at);
create index sanctions_ending on sanctions (ends_at) where lifted_at is null and ends_at is not null;

create table appeals (
  id uuid primary key default gen_random_uuid(),
  -- One each.
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

create function sanctioned_account_gone() returns trigger language plpgsql as $$
begin
  update sanctions set statement = '', item = null where user_id = old.id;
  delete from appeals where user_id = old.id and state = 'open';
  update appeals set text = '', answer = '' where user_id = old.id;
  return null;
end $$;
create trigger sanctioned_account_gone after delete on accounts for each row execute function sanctioned_account_gone();

-- Who is working on what, so that two do not decide the same thing.
create table claims (
  kind text not null check (kind in ('report', 'photo', 'verification', 'appeal', 'review')),
  target text not null,
  admin_id uuid not null references accounts on delete cascade,
  until timestamptz not null,
  primary key (kind, target)
);

-- People somebody should look at: what other parts of Duet noticed by themselves.
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

-- The second factor of administrators. Its secret is sealed with a key that is not in the database.
create table second_factors (
  user_id uuid primary key references accounts on delete cascade,
  secret bytea not null,
  created_at timestamptz not null,
  -- Null until the first code was right.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: none is taken twice.
  last_step bigint not null default 0
);
create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
alter table sessions add column second_factor_at timestamptz;
