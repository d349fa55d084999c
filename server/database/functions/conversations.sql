-- The id of a pair's conversation.
create or replace function conversation_id(a uuid, b uuid) returns uuid language sql immutable parallel safe as $$
  select md5(least(a, b)::text || greatest(a, b)::text)::uuid
$$;

-- Creates the conversation of two people unless it exists. Safe to repeat and to race.
create or replace function open_conversation(p_opener uuid, p_peer uuid, p_at timestamptz) returns uuid language plpgsql as $$
declare v_id uuid := conversation_id(p_opener, p_peer);
begin
  insert into conversations (id, user_lo, user_hi, created_at)
    values (v_id, least(p_opener, p_peer), greatest(p_opener, p_peer), p_at) on conflict do nothing;
  insert into conversation_members (user_id, conversation_id, peer_id)
    values (p_opener, v_id, p_peer), (p_peer, v_id, p_opener) on conflict do nothing;
  return v_id;
end $$;

-- Blocks and matches change who may see a conversation: devices that ask what changed must be told, and the next message asks
-- anew what stands between the two.
create or replace function touch_conversation(a uuid, b uuid) returns void language sql as $$
  update conversations set changed = pg_current_xact_id(), clear = false where id = conversation_id(a, b)
$$;

/*
 * Devices ask what changed in their list, and are told which conversations are gone. Between two people where one
 * blocked the other or is hidden, or whose match has ended, nothing changes any more: being told again that a
 * conversation is gone would reveal that the other person did something, and so why it is gone.
 */
create or replace function is_apart(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select is_blocked(a, b) or is_unmatched(a, b)
$$;

create or replace function block_changed() returns trigger language plpgsql as $$
declare
  v_blocker uuid := coalesce(new.blocker_id, old.blocker_id);
  v_blocked uuid := coalesce(new.blocked_id, old.blocked_id);
begin
  if not is_unmatched(v_blocker, v_blocked)
    and not exists (select from blocks where blocker_id = v_blocked and blocked_id = v_blocker)
    and not exists (select from profiles where user_id in (v_blocker, v_blocked) and hidden)
  then perform touch_conversation(v_blocker, v_blocked);
  end if;
  return null;
end $$;
create or replace trigger block_changed after insert or delete on blocks for each row execute function block_changed();

create or replace function match_changed() returns trigger language plpgsql as $$
begin
  perform touch_conversation(new.user_lo, new.user_hi);
  return null;
end $$;
create or replace trigger match_changed after insert or update of ended_at on matches for each row execute function match_changed();

-- The same for a person's name, visibility, read receipts and presence.
create or replace function person_changed() returns trigger language plpgsql as $$
declare v_all uuid[]; v_ids uuid[];
begin
  if old.hidden and new.hidden then return null; end if;
  v_all := array(select id from conversations where id in (select conversation_id from conversation_members where user_id = new.user_id)
    order by id for update);
  v_ids := array(select c.id from conversation_members m join conversations c on c.id = m.conversation_id
    where m.user_id = new.user_id and not is_apart(m.user_id, m.peer_id)
      and not (old.incognito and new.incognito and not shows_to(m.user_id, m.peer_id))
      and ((old.name, old.hidden, old.hide_presence) is distinct from (new.name, new.hidden, new.hide_presence)
        -- For a peer who could see the incognito person anyway, or where no one has read anything, nothing changes.
        or old.incognito <> new.incognito and not shows_to(m.user_id, m.peer_id)
        or old.read_receipts <> new.read_receipts and (c.read_lo > 0 or c.read_hi > 0)));
  update conversations set clear = false, changed = case when id = any(v_ids) then pg_current_xact_id() else changed end
    where id = any(v_all);
  return null;
end $$;
create or replace trigger person_changed after update of name, hidden, read_receipts, incognito, hide_presence on profiles for each row
  when ((old.name, old.hidden, old.read_receipts, old.incognito, old.hide_presence)
    is distinct from (new.name, new.hidden, new.read_receipts, new.incognito, new.hide_presence))
  execute function person_changed();

-- Messages have no foreign key to their conversation (see the table).
create or replace function conversation_gone() returns trigger language plpgsql as $$
begin
  delete from messages where conversation_id = old.id;
  return null;
end $$;
create or replace trigger conversation_gone after delete on conversations for each row execute function conversation_gone();

-- Whether the other one is told how far a person has received and read: not while it is a request, which they have neither
-- answered nor accepted.
create or replace function tells_marks(p_reader uuid, p_peer uuid) returns boolean language sql stable as $$
  select case when p_reader < p_peer then c.wrote_lo else c.wrote_hi end
      or exists (select from matches s where s.id = c.id and s.ended_at is null)
      or (select accepted from conversation_members m where m.user_id = p_reader and m.conversation_id = c.id)
    from conversations c where c.id = conversation_id(p_reader, p_peer)
$$;

/*
 * Moves a reader's mark to p_seq, never back, and returns whether it moved and whether the mark of what was delivered
 * moved with it; null without a conversation. The conversation row is locked first: a message that commits meanwhile is
 * counted either as unread or as read. Where the other one is told of neither mark, only the reader's devices hear that
 * something changed: a row that comes again without a difference would tell as well.
 */
create or replace function read_up_to(p_reader uuid, p_peer uuid, p_seq bigint,
  out o_seq bigint, out o_unread integer, out o_moved boolean, out o_delivered boolean)
language plpgsql as $$
declare
  v_id uuid := conversation_id(p_reader, p_peer);
  v_last bigint; v_before bigint; v_arrived bigint; v_unread integer; v_clear boolean; v_receipts boolean; v_told boolean;
begin
  select last_seq, case when p_reader < p_peer then read_lo else read_hi end,
      case when p_reader < p_peer then delivered_lo else delivered_hi end,
      case when p_reader < p_peer then unread_lo else unread_hi end, clear, clear_receipts
    into v_last, v_before, v_arrived, v_unread, v_clear, v_receipts from conversations where id = v_id for update;
  if not found then return; end if;
  o_seq := greatest(v_before, least(p_seq, v_last));
  o_moved := o_seq > v_before;
  o_delivered := o_seq > v_arrived;
  select case when o_seq >= v_last then 0 else
      (select count(*) from messages where conversation_id = v_id and seq > o_seq and sender_id = p_peer
        and deleted_at is null) end into o_unread;
  if not o_moved and o_unread = v_unread then return; end if;
  if not v_clear then
    v_receipts := (select bool_and(read_receipts) from profiles where user_id in (p_reader, p_peer));
  end if;
  v_told := (o_delivered or o_moved and v_receipts) and (v_clear or tells_marks(p_reader, p_peer));
  if p_reader < p_peer then
    update conversations set read_lo = o_seq, unread_lo = o_unread, delivered_lo = greatest(delivered_lo, o_seq),
      changed = case when v_told then pg_current_xact_id() else changed end where id = v_id;
  else
    update conversations set read_hi = o_seq, unread_hi = o_unread, delivered_hi = greatest(delivered_hi, o_seq),
      changed = case when v_told then pg_current_xact_id() else changed end where id = v_id;
  end if;
  if v_told is not true then
    update conversation_members set changed = pg_current_xact_id() where user_id = p_reader and conversation_id = v_id;
  end if;
end $$;

-- Moves the mark of what a receiver's devices have; null without a conversation, when the mark is further already, and
-- where one of the two cannot see the conversation, since no one would be told.
create or replace function delivered_up_to(p_receiver uuid, p_sender uuid, p_seq bigint) returns bigint language sql as $$
  update conversations set
    delivered_lo = case when p_receiver < p_sender then least(p_seq, last_seq) else delivered_lo end,
    delivered_hi = case when p_receiver < p_sender then delivered_hi else least(p_seq, last_seq) end,
    changed = case when clear or tells_marks(p_receiver, p_sender) then pg_current_xact_id() else changed end
  where id = conversation_id(p_receiver, p_sender) and held_from is null
    and least(p_seq, last_seq) > case when p_receiver < p_sender then delivered_lo else delivered_hi end
  returning case when p_receiver < p_sender then delivered_lo else delivered_hi end
$$;

-- Holds back everything a person wrote to people who never wrote to them; returns those people.
create or replace function hold_unanswered(p_sender uuid) returns table (peer_id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  perform from conversations c where (c.user_lo = p_sender and not c.wrote_hi or c.user_hi = p_sender and not c.wrote_lo)
    and c.last_seq > 0 and c.held_from is null order by c.id for update;
  return query
    with held as (
      update conversations c set held_from = p_sender, held_seq = last_seq, settled = false, changed = pg_current_xact_id(),
        held_listed = (select m.listed from conversation_members m where m.conversation_id = c.id and m.user_id <> p_sender)
      where (c.user_lo = p_sender and not c.wrote_hi or c.user_hi = p_sender and not c.wrote_lo)
        and c.last_seq > 0 and c.held_from is null
      returning c.id)
    update conversation_members m set listed = false from held
    where m.conversation_id = held.id and m.user_id <> p_sender returning m.user_id;
end $$;

-- What of it nothing holds back any more: no moderator found it to be spam, and no like is unheard that comes before it.
create or replace function is_releasable(c conversations) returns boolean language sql stable parallel safe as $$
  select not is_withheld(c.held_from, c.last_message_at)
    and not is_unheard(c.held_from, case c.held_from when c.user_lo then c.user_hi else c.user_lo end)
$$;

-- Releases that; returns the receivers. What a receiver had removed from their list comes back with a new message only.
create or replace function release_held(p_sender uuid) returns table (peer_id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  perform from conversations c where c.held_from = p_sender and is_releasable(c) order by c.id for update;
  return query
    with before as materialized (
      select c.id, c.held_listed, c.last_seq > c.held_seq as wrote from conversations c
      where c.held_from = p_sender and is_releasable(c)),
    released as (
      update conversations c set held_from = null, held_seq = null, held_listed = false, changed = pg_current_xact_id()
      from before where c.id = before.id returning c.id, before.held_listed, before.wrote)
    update conversation_members m set listed = m.listed or released.held_listed or released.wrote,
      archived = m.archived and (m.muted or not released.wrote) from released
    where m.conversation_id = released.id and m.user_id <> p_sender returning m.user_id;
end $$;
