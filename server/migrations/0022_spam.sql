/*
 * Of somebody who is held back (a shadow restriction), nobody hears: what they write to people who have never written to
 * them looks sent, and is there for them alone, until it is released or the other one writes. Where both have written,
 * nothing is ever held.
 */
alter table conversations
  -- Whose messages the other one does not know of.
  add column held_from uuid,
  -- How many messages the other one knew of before.
  add column held_seq bigint,
  add check ((held_from is null) = (held_seq is null)),
  -- The short way for plain texts is for settled conversations alone: it knows nothing of this.
  add check (held_from is null or not settled);
create index conversations_held on conversations (held_from) where held_from is not null;

create function is_held_back(person uuid, at timestamptz) returns boolean language sql stable as $$
  select exists (select from sanctions s where s.user_id = person and s.kind = 'shadow' and s.lifted_at is null
    and (s.ends_at is null or s.ends_at > at))
$$;

drop function append_messages;
/*
 * As before, and: what somebody writes who is held back, to people who have not written to them, is `held`; what the
 * other one writes there makes the conversation `released`.
 */
create function append_messages(p_senders uuid[], p_receivers uuid[], p_client_ids text[], p_bodies text[],
  p_sent_at timestamptz[], p_replies bigint[], p_attachments uuid[], p_needs_match boolean, p_at timestamptz)
returns table (place integer, refusal text, seq bigint, revision bigint, duplicate boolean, appeared boolean, holding text)
language plpgsql
-- One plan for batches of every size, made once: planning anew takes longer than a small batch. Everything is looked up by
-- its key, also where a plan was made when the tables were small.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_ids uuid[];
  v_refusals text[];
  v_unsettled uuid[];
  v_released uuid[] := '{}';
begin
  select array_agg(conversation_id(sender, receiver) order by place) into v_ids
    from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place);

  perform open_conversation(sender, receiver, p_at)
    from (select distinct on (id) id, sender, receiver
      from unnest(v_ids, p_senders, p_receivers) as given (id, sender, receiver)
      where not exists (select from conversations c where c.id = given.id)
      order by id) missing
    where refusal_to_write(sender, receiver, p_needs_match) is null;
  perform from conversations c where c.id = any(v_ids) order by c.id for update;

  select array_agg(refusal order by place) into v_refusals from refusals_to_write(p_senders, p_receivers, p_needs_match);
  -- What was uploaded by somebody else, for somebody else, or is carried by another message already, is not there.
  if array_remove(p_attachments, null) <> '{}' then
    select array_agg(case when refusal is null and attachment_id is not null and not exists (
            select from attachments a where a.id = attachment_id and a.owner_id = sender and a.conversation_id = given.id
              and not exists (select from messages m where m.attachment_id = a.id))
          and not exists (select from messages m where m.conversation_id = given.id and m.sender_id = sender and m.client_id = given.client_id)
        then 'not_found' else refusal end order by place)
      into v_refusals
      from unnest(v_ids, v_refusals, p_senders, p_client_ids, p_attachments) with ordinality
        as given (id, refusal, sender, client_id, attachment_id, place);
  end if;
  -- Whoever writes first and is held back is heard by nobody; once both have written, nothing is held back any more.
  if exists (select from conversations c where c.id = any(v_ids) and not (c.wrote_lo and c.wrote_hi)) then
    with writing as (
        select c.id, c.wrote_lo or bool_or(sender = c.user_lo) as lo, c.wrote_hi or bool_or(sender = c.user_hi) as hi,
          case when c.wrote_lo or bool_or(sender = c.user_lo) then c.user_lo else c.user_hi end as writer
        from unnest(v_ids, v_refusals, p_senders) as given (id, refusal, sender)
        join conversations c on c.id = given.id
        where refusal is null and not (c.wrote_lo and c.wrote_hi) group by c.id),
      moved as (
        update conversations c set settled = false,
          held_from = case when not (lo and hi) then writer end, held_seq = case when not (lo and hi) then c.last_seq end
        from writing where c.id = writing.id
          and case when lo and hi then c.held_from is not null else c.held_from is null and is_held_back(writer, p_at) end
        returning c.id, c.held_from)
    select coalesce(array_agg(id) filter (where held_from is null), '{}') into v_released from moved;
  end if;
  v_unsettled := array(select c.id from conversations c where c.id = any(v_ids) and not c.settled);

  return query
    with given as materialized (
      select g.*, c.last_seq, c.revision, c.last_message_at, c.settled, c.held_from, g.sender = c.user_lo as is_lo,
        k.seq as known_seq, k.revision as known_revision,
        g.refusal is null and k.seq is null
          and g.place = min(g.place) filter (where g.refusal is null) over (partition by g.id, g.sender, g.client_id) as fresh
      from unnest(v_ids, v_refusals, p_senders, p_client_ids, p_bodies, p_sent_at, p_replies, p_attachments) with ordinality
        as g (id, refusal, sender, client_id, body, sent_at, reply_to, attachment_id, place)
      left join conversations c on c.id = g.id
      left join messages k on k.conversation_id = g.id and k.sender_id = g.sender and k.client_id = g.client_id),
    counted as materialized (
      select given.*, count(*) filter (where fresh) over (partition by id order by place) as nth from given),
    fresh as materialized (
      select counted.*, last_seq + nth as seq,
        -- The order by time agrees with the order by seq, whatever the clocks of several processes say.
        greatest(p_at, last_message_at) + nth * interval '1 microsecond' as at
      from counted where fresh),
    added as (
      insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at, reply_to, attachment_id)
      select id, seq, revision + nth, sender, client_id, body, sent_at, at, case when reply_to < seq then reply_to end, attachment_id
      from fresh),
    moved as (
      update conversations c set last_seq = f.seq, revision = c.revision + f.count, last_message_at = f.at,
        changed = pg_current_xact_id(), settled = c.held_from is null,
        unread_lo = c.unread_lo + f.count - f.of_lo, unread_hi = c.unread_hi + f.of_lo,
        wrote_lo = c.wrote_lo or f.of_lo > 0, wrote_hi = c.wrote_hi or f.of_lo < f.count
      from (select id, max(seq) as seq, max(at) as at, count(*)::integer as count,
          count(*) filter (where is_lo)::integer as of_lo from fresh group by id) f
      where c.id = f.id)
    select place::integer, refusal,
      case when refusal is null then coalesce(known_seq,
        last_seq + min(nth) filter (where fresh) over (partition by id, sender, client_id)) end,
      case when refusal is null then coalesce(known_revision,
        revision + min(nth) filter (where fresh) over (partition by id, sender, client_id)) end,
      refusal is null and not fresh,
      fresh and not settled and (held_from is null or last_seq = 0 or not exists (
        select from conversation_members m where m.conversation_id = counted.id and m.user_id = counted.sender
          and m.listed and (m.muted or not m.archived))),
      case when refusal is null then case when held_from is not null then 'held' when id = any(v_released) then 'released' end end
    from counted;

  -- Only what got a message is settled now: a repeat of an old one lists nothing again.
  if v_unsettled <> '{}' then
    update conversation_members m set listed = true, archived = m.archived and m.muted
      from conversations c
      where c.id = any(v_unsettled)
        and (c.settled or c.held_from = m.user_id and c.changed = pg_current_xact_id()) and m.conversation_id = c.id and m.user_id in (c.user_lo, c.user_hi);
  end if;
end $$;

-- As before, but not where one of the two knows nothing of it: nobody would be told.
create or replace function delivered_up_to(p_receiver uuid, p_sender uuid, p_seq bigint) returns bigint language sql as $$
  update conversations set
    delivered_lo = case when p_receiver < p_sender then least(p_seq, last_seq) else delivered_lo end,
    delivered_hi = case when p_receiver < p_sender then delivered_hi else least(p_seq, last_seq) end,
    changed = pg_current_xact_id()
  where id = conversation_id(p_receiver, p_sender) and held_from is null
    and least(p_seq, last_seq) > case when p_receiver < p_sender then delivered_lo else delivered_hi end
  returning case when p_receiver < p_sender then delivered_lo else delivered_hi end
$$;

-- As before, and what is held shows nobody.
create or replace function shows_to(person uuid, viewer uuid) returns boolean language sql stable parallel safe as $$
  select person = viewer
    or exists (select from decisions d where d.actor_id = person and d.target_id = viewer and d.decision = 'like')
    or is_matched(person, viewer)
    or exists (select from conversations c where c.user_lo = least(person, viewer) and c.user_hi = greatest(person, viewer)
      and c.held_from is null and case when person < viewer then c.wrote_lo else c.wrote_hi end)
$$;

-- Holds back everything somebody wrote to people who never wrote to them; gives those.
create function hold_unanswered(p_sender uuid) returns table (peer_id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  perform from conversations c where (c.user_lo = p_sender and not c.wrote_hi or c.user_hi = p_sender and not c.wrote_lo)
    and c.last_seq > 0 and c.held_from is null order by c.id for update;
  return query
    with held as (
      update conversations c set held_from = p_sender, held_seq = last_seq, settled = false, changed = pg_current_xact_id()
      where (c.user_lo = p_sender and not c.wrote_hi or c.user_hi = p_sender and not c.wrote_lo)
        and c.last_seq > 0 and c.held_from is null
      returning c.id)
    update conversation_members m set listed = false from held
    where m.conversation_id = held.id and m.user_id <> p_sender returning m.user_id;
end $$;

-- Releases all of it; gives the receivers.
create function release_held(p_sender uuid) returns table (peer_id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  perform from conversations c where c.held_from = p_sender order by c.id for update;
  return query
    with released as (
      update conversations c set held_from = null, held_seq = null, changed = pg_current_xact_id()
      where c.held_from = p_sender returning c.id)
    update conversation_members m set listed = true, archived = m.archived and m.muted from released
    where m.conversation_id = released.id and m.user_id <> p_sender returning m.user_id;
end $$;

/*
 * What texts to people who have not answered are alike by: 64 bits that no text can be read out of. Forgotten after an
 * hour.
 */
create table message_prints (
  sender_id uuid not null references accounts on delete cascade,
  receiver_id uuid not null,
  print bigint not null,
  at timestamptz not null,
  primary key (sender_id, receiver_id, print)
);
create index message_prints_at on message_prints (at);

/*
 * What accounts are recognised by when somebody comes back: keyed hashes, out of which nobody can be read. Of networks
 * they are forgotten.
 */
create table account_signals (
  user_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('address', 'network', 'person')),
  value bytea not null check (octet_length(value) = 32),
  at timestamptz not null,
  primary key (user_id, kind)
);
create index account_signals_value on account_signals (kind, value);
create table photo_prints (
  file_name text primary key references photos (file_name) on delete cascade,
  user_id uuid not null references accounts on delete cascade,
  -- What the photo looks like, in 64 bits.
  print bigint not null
);
create index photo_prints_user on photo_prints (user_id);
create index accounts_banned on accounts (id) where standing = 'banned';

-- Whom somebody had blocked when this one came, who seems to be the same person. The blocker does not know of it.
alter table blocks add column linked_to uuid;

-- With a block that is taken back goes what followed from it.
create function block_taken_back() returns trigger language plpgsql as $$
begin
  delete from blocks where blocker_id = old.blocker_id and linked_to = old.blocked_id;
  return null;
end $$;
create trigger block_taken_back after delete on blocks for each row when (old.linked_to is null)
  execute function block_taken_back();

-- Of somebody who seems to have been banned before, nobody sees or hears anything until a person has looked.
alter table accounts add column unseen boolean not null default false;
grant update (unseen) on accounts to duet_app;
create or replace function account_moved() returns trigger language plpgsql as $$
begin
  update profiles set hidden = new.standing in ('suspended', 'banned') or new.erase_at is not null or new.unseen
    where user_id = new.id;
  return null;
end $$;
drop trigger account_moved on accounts;
create trigger account_moved after update of standing, erase_at, unseen on accounts for each row
  when ((old.standing, old.erase_at, old.unseen) is distinct from (new.standing, new.erase_at, new.unseen))
  execute function account_moved();
create or replace function is_held_back(person uuid, at timestamptz) returns boolean language sql stable as $$
  select exists (select from sanctions s where s.user_id = person and s.kind = 'shadow' and s.lifted_at is null
      and (s.ends_at is null or s.ends_at > at))
    or exists (select from accounts a where a.id = person and a.unseen)
$$;
