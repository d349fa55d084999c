-- Whether a person who restricts who may write to them lets this sender begin. Where there are messages already, both go on.
create or replace function may_begin(p_sender uuid, p_receiver uuid, p_who text) returns boolean language sql stable parallel safe as $$
  select exists (select from conversations c where c.id = conversation_id(p_sender, p_receiver) and c.last_seq > 0)
    or case p_who
      when 'liked_or_matched' then exists (select from decisions d
        where d.actor_id = p_receiver and d.target_id = p_sender and d.decision = 'like')
      when 'verified' then exists (select from profiles s where s.user_id = p_sender and s.verified)
      when 'with_photo' then exists (select from photos i where i.user_id = p_sender and i.state = any(shown_states()))
      else true end
$$;

/*
 * Why senders may not write to receivers, for many pairs at once by their place in the arrays. Null: they may, or
 * `p_needs_match` is null, which asks for no check. `gone`: the sender erases their account or is suspended or banned;
 * `unseen`: a moderator has yet to look at the sender, who does not know.
 *
 * These are joins, because functions that query tables are not inlined: called for each message, they would take most of
 * the time. may_begin() is a function, because it is called only where a privacy setting is on.
 */
create or replace function refusals_to_write(p_senders uuid[], p_receivers uuid[], p_needs_match boolean)
returns table (place bigint, refusal text) language sql stable as $$
  select given.place, case
      when p_needs_match is null then null
      when sender = receiver or mine.blocker_id is not null or theirs.blocker_id is not null
        or m.ended_at is not null or is_visible_to(p, sender, m.id is not null) is not true then 'not_found'
      when p_needs_match and m.id is null then 'forbidden'
      when p.who_may_message <> 'everyone' and m.id is null and not may_begin(sender, receiver, p.who_may_message)
        then 'forbidden'
      when a.standing <> 'good' and not exists (
        select from conversations c where c.id = conversation_id(sender, receiver) and c.last_seq > 0) then 'restricted'
      when a.erase_at is not null or a.standing in ('suspended', 'banned') then 'gone'
      when a.unseen then 'unseen'
    end
  from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place)
  left join accounts a on a.id = sender
  left join profiles p on p.user_id = receiver
  left join blocks mine on mine.blocker_id = sender and mine.blocked_id = receiver
  left join blocks theirs on theirs.blocker_id = receiver and theirs.blocked_id = sender
  left join matches m on m.id = conversation_id(sender, receiver)
$$;
create or replace function refusal_to_write(p_sender uuid, p_receiver uuid, p_needs_match boolean) returns text
language sql stable as $$
  select case refusal when 'gone' then 'not_found' when 'unseen' then null else refusal end
    from refusals_to_write(array[p_sender], array[p_receiver], p_needs_match)
$$;
-- Hidden people can still read what they have. In FROM it is planned as part of the statement it is in.
create or replace function refusals_to_read(p_readers uuid[], p_peers uuid[], p_needs_match boolean)
returns table (place bigint, refusal text) language sql stable as $$
  select place, case when refusal in ('gone', 'unseen') then null else refusal end
    from refusals_to_write(p_readers, p_peers, p_needs_match)
$$;

create or replace function refusal_to_read(p_reader uuid, p_peer uuid, p_needs_match boolean) returns text
language sql stable as $$
  select refusal from refusals_to_read(array[p_reader], array[p_peer], p_needs_match)
$$;

/*
 * Appends messages, and returns for each, by its place in the arrays (from 1), why it was refused, or its seq and revision;
 * a repeat of (sender, receiver, client id) returns those of the original. `appeared`: it brought the conversation onto a
 * list, or is the first answer, from which on the other one is told what was read. `holding`: `held` if the receiver must
 * not see the message, `released` if it revealed what had been held back.
 *
 * Conversations are locked first, in the order of their ids, so that batches cannot deadlock, seq has no gaps, and later
 * statements, which look for blocks and duplicates, see everything the locks waited for. New conversations are created
 * before any lock is held, in the same order.
 */
create or replace function append_messages(p_senders uuid[], p_receivers uuid[], p_client_ids text[], p_bodies text[],
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
  v_unheard boolean[];
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

  if (select bool_and(coalesce(c.clear and (p_needs_match is not true or c.clear_match), false))
    from unnest(v_ids) as given (id) left join conversations c on c.id = given.id)
  then
    v_refusals := array_fill(null::text, array[cardinality(v_ids)]);
    v_unheard := array_fill(false, array[cardinality(v_ids)]);
  else
    -- A conversation is missing that was not to be opened: what kept the two apart is gone since.
    select array_agg(case when refusal = 'gone' or c.id is null and coalesce(refusal, 'unseen') = 'unseen' then 'not_found'
          when refusal <> 'unseen' then refusal end order by place),
        array_agg(coalesce(refusal = 'unseen', false) order by place)
      into v_refusals, v_unheard
      from refusals_to_write(p_senders, p_receivers, p_needs_match) left join conversations c on c.id = v_ids[place::integer];
  end if;
  -- An attachment by another sender, for another receiver, or already in another message counts as missing.
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
  -- A restricted sender begins no conversation: one that is held back has not begun for its receiver.
  if exists (select from conversations c where c.id = any(v_ids) and c.held_from is not null) then
    select array_agg(case when refusal is null and c.held_from = sender and a.standing <> 'good' and not is_held_back(sender, p_at)
          and not exists (select from messages m where m.conversation_id = given.id and m.sender_id = sender and m.client_id = given.client_id)
        then 'restricted' else refusal end order by place)
      into v_refusals
      from unnest(v_ids, v_refusals, p_senders, p_client_ids) with ordinality as given (id, refusal, sender, client_id, place)
      left join conversations c on c.id = given.id left join accounts a on a.id = sender;
  end if;
  -- New messages of the first writer are held back while that writer is; the first one that is not releases those before
  -- it. Once both have written, nothing is held back.
  if exists (select from conversations c where c.id = any(v_ids) and not (c.wrote_lo and c.wrote_hi)) then
    with writing as (
        select c.id, c.wrote_lo or bool_or(sender = c.user_lo) as lo, c.wrote_hi or bool_or(sender = c.user_hi) as hi,
          case when c.wrote_lo or bool_or(sender = c.user_lo) then c.user_lo else c.user_hi end as writer
        from unnest(v_ids, v_refusals, p_senders, p_client_ids) as given (id, refusal, sender, client_id)
        join conversations c on c.id = given.id
        where refusal is null and not (c.wrote_lo and c.wrote_hi) and not exists (
          select from messages k where k.conversation_id = c.id and k.sender_id = sender and k.client_id = given.client_id)
        group by c.id),
      judged as materialized (select id, writer, not (lo and hi) and is_held_back(writer, p_at) as held from writing),
      moved as (
        update conversations c set settled = false,
          held_from = case when held then writer end, held_seq = case when held then c.last_seq end
        from judged where c.id = judged.id and held <> (c.held_from is not null)
        returning c.id, c.held_from)
    select coalesce(array_agg(id) filter (where held_from is null), '{}') into v_released from moved;
  end if;
  v_unsettled := array(select c.id from conversations c where c.id = any(v_ids) and not c.settled);

  return query
    with given as materialized (
      select g.*, c.last_seq, c.revision, c.last_message_at, c.settled, c.held_from, g.sender = c.user_lo as is_lo,
        c.wrote_lo <> c.wrote_hi and c.wrote_hi = (g.sender = c.user_lo) as answers,
        k.seq as known_seq, k.revision as known_revision,
        g.refusal is null and k.seq is null
          and g.place = min(g.place) filter (where g.refusal is null) over (partition by g.id, g.sender, g.client_id) as fresh
      from unnest(v_ids, v_refusals, v_unheard, p_senders, p_client_ids, p_bodies, p_sent_at, p_replies, p_attachments) with ordinality
        as g (id, refusal, unheard, sender, client_id, body, sent_at, reply_to, attachment_id, place)
      left join conversations c on c.id = g.id
      left join messages k on k.conversation_id = g.id and k.sender_id = g.sender and k.client_id = g.client_id),
    counted as materialized (
      select given.*, count(*) filter (where fresh) over (partition by id order by place) as nth from given),
    fresh as materialized (
      select counted.*, last_seq + nth as seq,
        -- Order by time equals order by seq, even if the clocks of several processes differ.
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
      fresh and (answers or not settled) and (held_from is null or last_seq = 0 or not exists (
        select from conversation_members m where m.conversation_id = counted.id and m.user_id = counted.sender
          and m.listed and (m.muted or not m.archived))),
      case when refusal is null then case when held_from is not null or unheard then 'held' when id = any(v_released) then 'released' end end
    from counted;

  -- Only conversations with a new message are settled now: a repeated message puts nothing back on a list.
  if v_unsettled <> '{}' then
    update conversation_members m set listed = true, archived = m.archived and m.muted
      from conversations c
      where c.id = any(v_unsettled)
        and (c.settled or c.held_from = m.user_id and c.changed = pg_current_xact_id()) and m.conversation_id = c.id and m.user_id in (c.user_lo, c.user_hi);
  end if;
end $$;

/*
 * Notes in conversations that nothing stands between the two, so that their messages need not ask again. Whatever comes
 * between them clears it in its own transaction (touch_conversation, person_changed). One such may be under way here: the
 * rows that it holds until it commits are locked first, without waiting, and a conversation is left as it is where one of
 * them is missing. The statement after the locks sees what was committed before them, and what comes later waits for them.
 * A block or a match, being new, holds its two accounts by its foreign keys.
 *
 * The caller holds the locks of the conversations, in which both people have written, and nothing is held back.
 */
create or replace function note_clear(p_ids uuid[]) returns void language plpgsql
-- As for append_messages.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare v_people uuid[]; v_ids uuid[]; v_matches uuid[];
begin
  v_people := array(select a.id from conversations c join accounts a on a.id in (c.user_lo, c.user_hi)
    where c.id = any(p_ids) for update of a skip locked);
  v_people := array(select user_id from profiles where user_id = any(v_people) for share skip locked);
  v_ids := array(select id from conversations where id = any(p_ids) and user_lo = any(v_people) and user_hi = any(v_people));
  v_matches := array(select id from matches where id = any(v_ids) for share skip locked);
  update conversations c set clear = true, clear_match = c.id = any(v_matches),
      clear_receipts = (select bool_and(read_receipts) from profiles where user_id in (c.user_lo, c.user_hi))
    where c.id = any(v_ids) and (c.id = any(v_matches) or not exists (select from matches m where m.id = c.id))
      and not exists (select from refusals_to_write(array[c.user_lo, c.user_hi], array[c.user_hi, c.user_lo], false)
        where refusal is not null);
end $$;

-- One text, as append_plain_messages() takes them, in equally plain statements: statements for any number of messages cost
-- more to start than one message costs.
create or replace function append_plain_message(p_sender uuid, p_receiver uuid, p_client_id text, p_body text, p_sent_at timestamptz,
  p_needs_match boolean, p_at timestamptz, out o_seq bigint, out o_revision bigint)
language plpgsql
-- As for append_messages.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_lo uuid := least(p_sender, p_receiver);
  v_hi uuid := greatest(p_sender, p_receiver);
  v_is_lo boolean := p_sender = v_lo;
  v_id uuid; v_last bigint; v_revision bigint; v_at timestamptz; v_plain boolean; v_clear boolean;
begin
  select c.id, c.last_seq, c.revision, greatest(p_at, c.last_message_at) + interval '1 microsecond',
      c.settled and c.wrote_lo and c.wrote_hi, c.clear and (p_needs_match is not true or c.clear_match)
    into v_id, v_last, v_revision, v_at, v_plain, v_clear
    from conversations c where c.id = conversation_id(v_lo, v_hi) for update;
  if v_plain is not true or exists (select from messages k
      where k.conversation_id = v_id and k.sender_id = p_sender and k.client_id = p_client_id)
  then return; end if;
  if not v_clear then
    -- In FROM it is planned as part of this statement; refusal_to_write() would be a statement of its own.
    if exists (select from refusals_to_write(array[p_sender], array[p_receiver], p_needs_match) where refusal is not null)
    then return; end if;
    perform note_clear(array[v_id]);
  end if;
  o_seq := v_last + 1;
  o_revision := v_revision + 1;
  insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
    values (v_id, o_seq, o_revision, p_sender, p_client_id, p_body, p_sent_at, v_at);
  update conversations c set last_seq = o_seq, revision = o_revision, last_message_at = v_at,
    changed = pg_current_xact_id(),
    unread_lo = c.unread_lo + (not v_is_lo)::integer, unread_hi = c.unread_hi + v_is_lo::integer
  where c.id = v_id;
end $$;

/*
 * The common case of append_messages(), at a lower cost than covering all others: texts between people who already talk,
 * none of them refused, repeated or a reply. Returns the seqs and revisions as lists in the order of the arrays; null, with
 * nothing written, when anything in the batch is not plain. A client id may not occur twice per sender in one batch. The
 * order of locks, and what is checked after them, is that of append_messages().
 */
create or replace function append_plain_messages(p_senders uuid[], p_receivers uuid[], p_client_ids text[], p_bodies text[],
  p_sent_at timestamptz[], p_needs_match boolean, p_at timestamptz, out o_seqs text, out o_revisions text)
language plpgsql
-- As for append_messages.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare v_ids uuid[]; v_locked bigint; v_plain boolean; v_unclear uuid[];
begin
  if cardinality(p_senders) = 1 then
    select kept.o_seq::text, kept.o_revision::text into o_seqs, o_revisions
      from append_plain_message(p_senders[1], p_receivers[1], p_client_ids[1], p_bodies[1], p_sent_at[1], p_needs_match, p_at) kept;
    return;
  end if;

  select array_agg(conversation_id(sender, receiver) order by place) into v_ids
    from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place);

  select count(*), bool_and(plain), array_agg(id) filter (where not clear) into v_locked, v_plain, v_unclear
    from (select c.id, c.settled and c.wrote_lo and c.wrote_hi as plain,
        c.clear and (p_needs_match is not true or c.clear_match) as clear
      from conversations c where c.id = any(v_ids) order by c.id for update) locked;
  -- A conversation that is not there, or was deleted before it was locked, is missing here.
  if not v_plain or v_locked <> (select count(distinct id) from unnest(v_ids) as given (id))
    or exists (select from unnest(v_ids, p_senders, p_client_ids) as given (id, sender, client_id)
      join messages k on k.conversation_id = given.id and k.sender_id = sender and k.client_id = given.client_id)
  then return; end if;
  if v_unclear is not null then
    if exists (select from (
        select array_agg(sender) as senders, array_agg(receiver) as receivers
        from unnest(v_ids, p_senders, p_receivers) as given (id, sender, receiver) where id = any(v_unclear)) asked
      cross join refusals_to_write(senders, receivers, p_needs_match) where refusal is not null)
    then return; end if;
    perform note_clear(v_unclear);
  end if;

  with fresh as materialized (
      select given.*, c.last_seq + row_number() over own as seq, c.revision + row_number() over own as revision,
        greatest(p_at, c.last_message_at) + row_number() over own * interval '1 microsecond' as at,
        sender = c.user_lo as is_lo
      from unnest(v_ids, p_senders, p_client_ids, p_bodies, p_sent_at) with ordinality
        as given (id, sender, client_id, body, sent_at, place)
      join conversations c on c.id = given.id
      window own as (partition by given.id order by place)),
    added as (
      insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
      select id, seq, revision, sender, client_id, body, sent_at, at from fresh),
    moved as (
      update conversations c set last_seq = f.seq, revision = f.revision, last_message_at = f.at,
        changed = pg_current_xact_id(),
        unread_lo = c.unread_lo + f.count - f.of_lo, unread_hi = c.unread_hi + f.of_lo
      from (select id, max(seq) as seq, max(revision) as revision, max(at) as at, count(*)::integer as count,
          count(*) filter (where is_lo)::integer as of_lo from fresh group by id) f
      where c.id = f.id)
  select string_agg(seq::text, ',' order by place), string_agg(revision::text, ',' order by place)
    into o_seqs, o_revisions from fresh;
end $$;
