-- One text as append_plain_messages takes them, in statements as plain as itself: to begin statements for any number of
-- messages costs more than the message.
create function append_plain_message(p_sender uuid, p_receiver uuid, p_client_id text, p_body text, p_sent_at timestamptz,
  p_needs_match boolean, p_at timestamptz, out o_seq bigint, out o_revision bigint)
language plpgsql
-- As for append_messages.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_lo uuid := least(p_sender, p_receiver);
  v_hi uuid := greatest(p_sender, p_receiver);
  v_is_lo boolean := p_sender = v_lo;
  v_id uuid; v_last bigint; v_revision bigint; v_at timestamptz; v_settled boolean;
begin
  select c.id, c.last_seq, c.revision, greatest(p_at, c.last_message_at) + interval '1 microsecond', c.settled
    into v_id, v_last, v_revision, v_at, v_settled
    from conversations c where c.user_lo = v_lo and c.user_hi = v_hi for update;
  -- As a set, which is planned as a part of this statement: refusal_to_write would be a statement of its own.
  if v_settled is not true
    or exists (select from refusals_to_write(array[p_sender], array[p_receiver], p_needs_match) where refusal is not null)
    or exists (select from messages k
      where k.conversation_id = v_id and k.sender_id = p_sender and k.client_id = p_client_id)
  then return; end if;
  o_seq := v_last + 1;
  o_revision := v_revision + 1;
  insert into messages (conversation_id, seq, revision, sender_id, client_id, body, sent_at, created_at)
    values (v_id, o_seq, o_revision, p_sender, p_client_id, p_body, p_sent_at, v_at);
  update conversations c set last_seq = o_seq, revision = o_revision, last_message_at = v_at,
    changed = pg_current_xact_id(),
    unread_lo = c.unread_lo + (not v_is_lo)::integer, unread_hi = c.unread_hi + v_is_lo::integer,
    wrote_lo = c.wrote_lo or v_is_lo, wrote_hi = c.wrote_hi or not v_is_lo
  where c.id = v_id;
end $$;

/*
 * The common case of append_messages, for less than it costs to cover all others: texts between people who talk already,
 * none of them refused, repeated or answering another. Gives the seqs and revisions as lists in the order of the arrays;
 * null, with nothing done, when anything in the batch is not plain. The same client id may not come twice from a sender
 * in one batch. The order of locks, and what is looked for after them, is that of append_messages.
 */
create function append_plain_messages(p_senders uuid[], p_receivers uuid[], p_client_ids text[], p_bodies text[],
  p_sent_at timestamptz[], p_needs_match boolean, p_at timestamptz, out o_seqs text, out o_revisions text)
language plpgsql
-- As for append_messages.
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare v_ids uuid[]; v_locked bigint; v_settled boolean;
begin
  if cardinality(p_senders) = 1 then
    select kept.o_seq::text, kept.o_revision::text into o_seqs, o_revisions
      from append_plain_message(p_senders[1], p_receivers[1], p_client_ids[1], p_bodies[1], p_sent_at[1], p_needs_match, p_at) kept;
    return;
  end if;

  -- By the pair's index: making the id from the pair takes longer.
  select array_agg(c.id order by place) into v_ids
    from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place)
    join conversations c on c.user_lo = least(sender, receiver) and c.user_hi = greatest(sender, receiver);
  if cardinality(v_ids) is distinct from cardinality(p_senders) then return; end if;

  select count(*), bool_and(settled) into v_locked, v_settled
    from (select settled from conversations c where c.id = any(v_ids) order by c.id for update) locked;
  -- One that was deleted before it was locked is not among them.
  if not v_settled or v_locked <> (select count(distinct id) from unnest(v_ids) as given (id))
    or exists (select from refusals_to_write(p_senders, p_receivers, p_needs_match) where refusal is not null)
    or exists (select from unnest(v_ids, p_senders, p_client_ids) as given (id, sender, client_id)
      join messages k on k.conversation_id = given.id and k.sender_id = sender and k.client_id = given.client_id)
  then return; end if;

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
        unread_lo = c.unread_lo + f.count - f.of_lo, unread_hi = c.unread_hi + f.of_lo,
        wrote_lo = c.wrote_lo or f.of_lo > 0, wrote_hi = c.wrote_hi or f.of_lo < f.count
      from (select id, max(seq) as seq, max(revision) as revision, max(at) as at, count(*)::integer as count,
          count(*) filter (where is_lo)::integer as of_lo from fresh group by id) f
      where c.id = f.id)
  select string_agg(seq::text, ',' order by place), string_agg(revision::text, ',' order by place)
    into o_seqs, o_revisions from fresh;
end $$;
