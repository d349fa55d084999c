/*
 * Both people's marks and counts stand on the conversation itself, `lo` and `hi` for the smaller and the larger id: a
 * message changes one row in place, beside its own insert.
 */
alter table conversations
  -- Counts everything that happens to the messages: the state of a message with the higher revision holds.
  add column revision bigint not null default 0,
  -- When this row, or who may see it, changed: devices ask for what changed since the snapshot of their last question.
  add column changed xid8 not null default pg_current_xact_id(),
  add column unread_lo integer not null default 0 check (unread_lo >= 0),
  add column unread_hi integer not null default 0 check (unread_hi >= 0),
  add column read_lo bigint not null default 0,
  add column read_hi bigint not null default 0,
  add column delivered_lo bigint not null default 0,
  add column delivered_hi bigint not null default 0,
  add column wrote_lo boolean not null default false,
  add column wrote_hi boolean not null default false,
  -- Both list it and neither has archived it: nothing but this row has to change with a message.
  add column settled boolean not null default false;

update conversations c set
  revision = last_seq,
  unread_lo = lo.unread_count, read_lo = lo.last_read_seq, delivered_lo = lo.last_read_seq,
  unread_hi = hi.unread_count, read_hi = hi.last_read_seq, delivered_hi = hi.last_read_seq,
  settled = lo.listed and hi.listed
from conversation_members lo, conversation_members hi
where lo.conversation_id = c.id and lo.user_id = c.user_lo and hi.conversation_id = c.id and hi.user_id = c.user_hi;
update conversations c set
  wrote_lo = exists (select from messages m where m.conversation_id = c.id and m.sender_id = c.user_lo),
  wrote_hi = exists (select from messages m where m.conversation_id = c.id and m.sender_id = c.user_hi);

drop index conversation_members_list;
alter table conversation_members
  drop column last_read_seq,
  drop column unread_count,
  drop column last_message_at,
  add column muted boolean not null default false,
  add column archived boolean not null default false,
  -- A request of somebody unmatched was accepted.
  add column accepted boolean not null default false;

-- Photos and voice notes, uploaded before the message that carries them. What no message carries is swept.
create table attachments (
  id uuid primary key,
  owner_id uuid not null references accounts on delete cascade,
  conversation_id uuid not null references conversations on delete cascade,
  kind text not null check (kind in ('photo', 'voice')),
  file_name text not null unique,
  -- Pixels of the widest variant; of photos.
  width integer,
  height integer,
  blurhash text,
  -- Of voice notes; loudness from 0 to 100.
  duration_ms integer,
  waveform smallint[],
  created_at timestamptz not null,
  check ((kind = 'photo') = (width is not null and height is not null and blurhash is not null)),
  check ((kind = 'voice') = (duration_ms is not null and waveform is not null))
);
create index attachments_created on attachments (created_at);

alter table messages
  -- Under its conversation's lock, like seq: the same number as the conversation's revision at that moment.
  add column revision bigint,
  add column changed boolean not null default false,
  add column edited_at timestamptz,
  add column deleted_at timestamptz,
  add column reply_to bigint,
  add column attachment_id uuid references attachments,
  add column reaction_lo text,
  add column reaction_hi text,
  drop constraint messages_body_check,
  add constraint messages_body_check
    check (octet_length(body) <= 8000 and (body <> '' or attachment_id is not null or deleted_at is not null));
update messages set revision = seq;
alter table messages alter column revision set not null;
create index messages_changed on messages (conversation_id, revision) where changed;
create unique index messages_attachment on messages (attachment_id) where attachment_id is not null;
-- A message is only ever written under the lock of its conversation, which names both people: all three would be looked
-- up again for each message, for a third of the time. Conversations still go with their people, and messages with them.
alter table messages drop constraint messages_sender_id_fkey, drop constraint messages_conversation_id_fkey;
create function conversation_gone() returns trigger language plpgsql as $$
begin
  delete from messages where conversation_id = old.id;
  return null;
end $$;
create trigger conversation_gone after delete on conversations for each row execute function conversation_gone();

drop function append_message;
drop function read_up_to;
drop function open_conversation;

-- Makes the conversation of two people when it is not there. Safe to repeat and to race.
create function open_conversation(p_opener uuid, p_peer uuid, p_at timestamptz) returns uuid language plpgsql as $$
declare v_id uuid := conversation_id(p_opener, p_peer);
begin
  insert into conversations (id, user_lo, user_hi, created_at)
    values (v_id, least(p_opener, p_peer), greatest(p_opener, p_peer), p_at) on conflict do nothing;
  insert into conversation_members (user_id, conversation_id, peer_id)
    values (p_opener, v_id, p_peer), (p_peer, v_id, p_opener) on conflict do nothing;
  return v_id;
end $$;

-- Why one may not write to the other, for many at once by their place in the arrays: null when nothing speaks against
-- it, and when `p_needs_match` is null: then nothing is asked. Joins, since functions that look into tables are not
-- inlined: called for each message, they would take most of the time.
create function refusals_to_write(p_senders uuid[], p_receivers uuid[], p_needs_match boolean)
returns table (place bigint, refusal text) language sql stable as $$
  select given.place, case
      when p_needs_match is null then null
      when sender = receiver or p.user_id is null or mine.blocker_id is not null or theirs.blocker_id is not null
        or m.ended_at is not null then 'not_found'
      when p_needs_match and m.id is null then 'forbidden'
    end
  from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place)
  left join profiles p on p.user_id = receiver and not p.hidden
  left join blocks mine on mine.blocker_id = sender and mine.blocked_id = receiver
  left join blocks theirs on theirs.blocker_id = receiver and theirs.blocked_id = sender
  left join matches m on m.user_lo = least(sender, receiver) and m.user_hi = greatest(sender, receiver)
$$;
create function refusal_to_write(p_sender uuid, p_receiver uuid, p_needs_match boolean) returns text
language sql stable as $$
  select refusal from refusals_to_write(array[p_sender], array[p_receiver], p_needs_match)
$$;

/*
 * Appends messages and tells of each, by its place in the arrays (from 1), what became of it: why not, or its seq and
 * revision; a repeat of (sender, receiver, client id) gives the original's. `appeared`: it brought the conversation onto
 * a list. Conversations are locked first, in the order of their ids, so that batches cannot wait for each other in a
 * circle, seq has no gaps, and blocks and duplicates are looked for in later statements, which see what the locks waited
 * for. New conversations are made before any lock is held, in the same order.
 */
create function append_messages(p_senders uuid[], p_receivers uuid[], p_client_ids text[], p_bodies text[],
  p_sent_at timestamptz[], p_replies bigint[], p_attachments uuid[], p_needs_match boolean, p_at timestamptz)
returns table (place integer, refusal text, seq bigint, revision bigint, duplicate boolean, appeared boolean)
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
  v_unsettled := array(select c.id from conversations c where c.id = any(v_ids) and not c.settled);

  return query
    with given as materialized (
      select g.*, c.last_seq, c.revision, c.last_message_at, c.settled, g.sender = c.user_lo as is_lo,
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
        changed = pg_current_xact_id(), settled = true,
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
      refusal is null and not fresh, fresh and not settled
    from counted;

  -- Only what got a message is settled now: a repeat of an old one lists nothing again.
  if v_unsettled <> '{}' then
    update conversation_members m set listed = true, archived = m.archived and m.muted
      from conversations c
      where c.id = any(v_unsettled) and c.settled and m.conversation_id = c.id and m.user_id in (c.user_lo, c.user_hi);
  end if;
end $$;

/*
 * Moves a reader's mark to p_seq and never back; null when there is no conversation. The conversation row is locked
 * first: a message that commits meanwhile is either counted as unread or read, never lost between the two.
 */
create function read_up_to(p_reader uuid, p_peer uuid, p_seq bigint, out o_seq bigint, out o_unread integer, out o_moved boolean)
language plpgsql as $$
declare v_id uuid := conversation_id(p_reader, p_peer); v_last bigint; v_before bigint;
begin
  select last_seq, case when p_reader < p_peer then read_lo else read_hi end into v_last, v_before
    from conversations where id = v_id for update;
  if not found then return; end if;
  o_seq := greatest(v_before, least(p_seq, v_last));
  o_moved := o_seq > v_before;
  select case when o_seq >= v_last then 0 else
      (select count(*) from messages where conversation_id = v_id and seq > o_seq and sender_id = p_peer) end into o_unread;
  if p_reader < p_peer then
    update conversations set read_lo = o_seq, unread_lo = o_unread, delivered_lo = greatest(delivered_lo, o_seq),
      changed = pg_current_xact_id() where id = v_id and (o_moved or unread_lo <> o_unread);
  else
    update conversations set read_hi = o_seq, unread_hi = o_unread, delivered_hi = greatest(delivered_hi, o_seq),
      changed = pg_current_xact_id() where id = v_id and (o_moved or unread_hi <> o_unread);
  end if;
end $$;

-- Moves the mark of what a receiver's devices have; null when there is no conversation or the mark stands further.
create function delivered_up_to(p_receiver uuid, p_sender uuid, p_seq bigint) returns bigint language sql as $$
  update conversations set
    delivered_lo = case when p_receiver < p_sender then least(p_seq, last_seq) else delivered_lo end,
    delivered_hi = case when p_receiver < p_sender then delivered_hi else least(p_seq, last_seq) end,
    changed = pg_current_xact_id()
  where id = conversation_id(p_receiver, p_sender)
    and least(p_seq, last_seq) > case when p_receiver < p_sender then delivered_lo else delivered_hi end
  returning case when p_receiver < p_sender then delivered_lo else delivered_hi end
$$;

-- Who may see a conversation changes with blocks and matches: devices that ask what changed must hear of it.
create function touch_conversation(a uuid, b uuid) returns void language sql as $$
  update conversations set changed = pg_current_xact_id() where id = conversation_id(a, b)
$$;
create function block_changed() returns trigger language plpgsql as $$
begin
  perform touch_conversation(coalesce(new.blocker_id, old.blocker_id), coalesce(new.blocked_id, old.blocked_id));
  return null;
end $$;
create trigger block_changed after insert or delete on blocks for each row execute function block_changed();
create function match_changed() returns trigger language plpgsql as $$
begin
  perform touch_conversation(new.user_lo, new.user_hi);
  return null;
end $$;
create trigger match_changed after insert or update of ended_at on matches for each row execute function match_changed();

-- Off, nobody is told how far one has read, and one is not told either.
alter table profiles add column read_receipts boolean not null default true;

-- So it does with a name, and with whether somebody is hidden or tells how far they have read.
create function person_changed() returns trigger language plpgsql as $$
begin
  perform from conversations where id in (select conversation_id from conversation_members where user_id = new.user_id)
    order by id for update;
  update conversations set changed = pg_current_xact_id()
    where id in (select conversation_id from conversation_members where user_id = new.user_id);
  return null;
end $$;
create trigger person_changed after update of name, hidden, read_receipts on profiles for each row
  when ((old.name, old.hidden, old.read_receipts) is distinct from (new.name, new.hidden, new.read_receipts))
  execute function person_changed();

-- A text without accents and case, as it is searched.
create function plain_text(body text) returns text language sql immutable parallel safe as $$
  select lower(case when octet_length(body) = char_length(body) then body
    else regexp_replace(normalize(body, nfd), '[\u0300-\u036f]', '', 'g') end)
$$;
