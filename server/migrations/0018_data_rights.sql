/*
 * The only trace of an erased account: that there was one, by an id that means nothing any more. Replayed after a
 * restore, so that a backup from before brings nobody back.
 */
create table deletion_ledger (
  user_id uuid primary key,
  erased_at timestamptz not null
);
revoke update, delete, truncate on deletion_ledger from duet_app;

create index accounts_erase on accounts (erase_at) where erase_at is not null;
-- Everything of one person is found, and goes, without a look at everybody else's.
create index conversations_hi on conversations (user_hi);
create index conversation_members_conversation on conversation_members (conversation_id);
create index conversation_members_peer on conversation_members (peer_id);
create index attachments_owner on attachments (owner_id);
create index attachments_conversation on attachments (conversation_id);
create index matches_ended_by on matches (ended_by) where ended_by is not null;
create index photos_reviewed_by on photos (reviewed_by) where reviewed_by is not null;
create index reports_reported on reports (reported_id);

-- Somebody's latest export. The file is in the store, under a name that nobody can guess.
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

-- Who was told that their account goes because nobody uses it.
create table inactivity_warnings (
  user_id uuid primary key references accounts on delete cascade,
  warned_at timestamptz not null
);

/*
 * What people agree to, purpose by purpose: what is given is added, and what is taken back is marked, once. Nothing else
 * ever changes here. To write down what is sensitive, or where one is, is to agree; so it is noted where it is written.
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

create function consent_stays() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or (new.id, new.user_id, new.purpose, new.version, new.granted_at)
      is distinct from (old.id, old.user_id, old.purpose, old.version, old.granted_at) then
    raise exception 'what was agreed to stays as it was' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger consent_stays before update on consents for each row execute function consent_stays();

-- Notes that somebody agrees, unless they do already. The version is that of the words they were shown.
create function grant_consent(p_user uuid, p_purpose text, p_at timestamptz) returns void language sql as $$
  insert into consents (user_id, purpose, version, granted_at) values (p_user, p_purpose, '1', p_at) on conflict do nothing
$$;
create function withdraw_consent(p_user uuid, p_purpose text, p_at timestamptz) returns void language sql as $$
  update consents set withdrawn_at = greatest(granted_at, p_at)
    where user_id = p_user and purpose = p_purpose and withdrawn_at is null
$$;

create function tells_sensitive(p profiles) returns boolean language sql immutable as $$
  select p.gender is not null or p.gender_text <> '' or p.pronouns <> '' or cardinality(p.interested_in) > 0
    or p.faith is not null or p.diet in ('halal', 'kosher')
$$;

-- Newcomers come by the thousand in tests: all of a statement at once.
create function note_newcomers() returns trigger language plpgsql as $$
begin
  insert into consents (user_id, purpose, version, granted_at)
    select p.user_id, purpose, '1', p.created_at from profiles p
    cross join lateral (values ('terms', true), ('sensitive', tells_sensitive(p)), ('learning', p.learn_from_me)) as said (purpose, given)
    where given and p.user_id in (select user_id from inserted)
    on conflict do nothing;
  return null;
end $$;
create trigger newcomers_agree after insert on profiles referencing new table as inserted
  for each statement execute function note_newcomers();

create function note_changed_consents() returns trigger language plpgsql as $$
declare v_at timestamptz := greatest(new.created_at, new.last_active_at);
begin
  if tells_sensitive(new) then perform grant_consent(new.user_id, 'sensitive', v_at); end if;
  if new.learn_from_me then
    perform grant_consent(new.user_id, 'learning', v_at);
  else
    perform withdraw_consent(new.user_id, 'learning', v_at);
  end if;
  return null;
end $$;
create trigger changes_agree
  after update of gender, gender_text, pronouns, interested_in, faith, diet, learn_from_me on profiles for each row
  when ((old.gender, old.gender_text, old.pronouns, old.interested_in, old.faith, old.diet, old.learn_from_me)
    is distinct from (new.gender, new.gender_text, new.pronouns, new.interested_in, new.faith, new.diet, new.learn_from_me))
  execute function note_changed_consents();

create function note_located() returns trigger language plpgsql as $$
begin
  insert into consents (user_id, purpose, version, granted_at)
    select user_id, 'location', '1', published_at from inserted on conflict do nothing;
  return null;
end $$;
create trigger places_agree after insert on locations referencing new table as inserted
  for each statement execute function note_located();

insert into consents (user_id, purpose, version, granted_at) select id, 'terms', '1', terms_accepted_at from accounts;
insert into consents (user_id, purpose, version, granted_at)
  select user_id, 'sensitive', '1', created_at from profiles p where tells_sensitive(p);
insert into consents (user_id, purpose, version, granted_at)
  select user_id, 'learning', '1', created_at from profiles where learn_from_me;
insert into consents (user_id, purpose, version, granted_at) select user_id, 'location', '1', published_at from locations;
