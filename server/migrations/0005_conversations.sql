-- One conversation a pair: its id follows from the two people, so both sides opening it at once meet on the primary key.
create function conversation_id(a uuid, b uuid) returns uuid language sql immutable parallel safe as $$
  select md5(least(a, b)::text || greatest(a, b)::text)::uuid
$$;

create table conversations (
  id uuid primary key,
  user_lo uuid not null references accounts on delete cascade,
  user_hi uuid not null references accounts on delete cascade,
  last_seq bigint not null default 0,
  last_message_at timestamptz,
  created_at timestamptz not null,
  check (user_lo < user_hi),
  unique (user_lo, user_hi)
) with (fillfactor = 80);

create table conversation_members (
  user_id uuid not null references accounts on delete cascade,
  conversation_id uuid not null references conversations on delete cascade,
  peer_id uuid not null references accounts on delete cascade,
  last_read_seq bigint not null default 0,
  unread_count integer not null default 0 check (unread_count >= 0),
  last_message_at timestamptz not null,
  -- An opened but empty conversation is listed for the one who opened it only.
  listed boolean not null default false,
  primary key (user_id, conversation_id)
) with (fillfactor = 80);
create index conversation_members_list on conversation_members (user_id, last_message_at desc, conversation_id desc) where listed;

create table messages (
  conversation_id uuid not null references conversations on delete cascade,
  seq bigint not null,
  sender_id uuid not null references accounts on delete cascade,
  client_id text not null check (char_length(client_id) between 1 and 64),
  body text not null check (octet_length(body) between 1 and 8000),
  -- What is shown: the sender's time when it is plausible. Order and lists go by seq and created_at.
  sent_at timestamptz not null,
  created_at timestamptz not null,
  primary key (conversation_id, seq),
  unique (conversation_id, sender_id, client_id)
);

/*
 * Appends a message and returns it; a repeat of (sender, client_id) returns the original. The conversation row is locked
 * first, so seq has no gaps and duplicates are looked for in a later statement, which sees what the lock waited for.
 */
create function append_message(p_sender uuid, p_receiver uuid, p_client_id text, p_body text, p_sent_at timestamptz,
  p_at timestamptz, out o_seq bigint, out o_sent_at timestamptz, out o_body text, out o_duplicate boolean, out o_first boolean)
language plpgsql as $$
declare v_id uuid := conversation_id(p_sender, p_receiver); v_last timestamptz; v_at timestamptz;
begin
  perform 1 from conversations where id = v_id for update;
  if not found then
    perform open_conversation(p_sender, p_receiver, p_at);
    perform 1 from conversations where id = v_id for update;
  end if;
  select m.seq, m.sent_at, m.body into o_seq, o_sent_at, o_body
    from messages m where m.conversation_id = v_id and m.sender_id = p_sender and m.client_id = p_client_id;
  if found then
    o_duplicate := true; o_first := o_seq = 1;
    return;
  end if;
  select last_seq + 1, last_message_at into o_seq, v_last from conversations where id = v_id;
  -- The order by time agrees with the order by seq, whatever the clocks of several processes say.
  v_at := greatest(p_at, v_last + interval '1 microsecond');
  o_sent_at := p_sent_at; o_body := p_body; o_duplicate := false; o_first := o_seq = 1;
  insert into messages values (v_id, o_seq, p_sender, p_client_id, p_body, p_sent_at, v_at);
  update conversations set last_seq = o_seq, last_message_at = v_at where id = v_id;
  update conversation_members set last_message_at = v_at, listed = true,
    unread_count = unread_count + (user_id = p_receiver)::int
    where conversation_id = v_id and user_id in (p_sender, p_receiver);
end $$;

-- Makes the conversation of two people when it is not there. Safe to repeat and to race.
create function open_conversation(p_opener uuid, p_peer uuid, p_at timestamptz) returns uuid language plpgsql as $$
declare v_id uuid := conversation_id(p_opener, p_peer);
begin
  insert into conversations (id, user_lo, user_hi, created_at)
    values (v_id, least(p_opener, p_peer), greatest(p_opener, p_peer), p_at) on conflict do nothing;
  insert into conversation_members (user_id, conversation_id, peer_id, last_message_at)
    values (p_opener, v_id, p_peer, p_at), (p_peer, v_id, p_opener, p_at) on conflict do nothing;
  return v_id;
end $$;

/*
 * Moves a reader's mark to p_seq and never back. The conversation row is locked first: a message that commits meanwhile
 * is either counted as unread or read, never lost between the two.
 */
create function read_up_to(p_reader uuid, p_peer uuid, p_seq bigint, out o_seq bigint, out o_unread integer, out o_moved boolean)
language plpgsql as $$
declare v_id uuid := conversation_id(p_reader, p_peer); v_last bigint; v_before bigint;
begin
  select last_seq into v_last from conversations where id = v_id for share;
  if not found then return; end if;
  select last_read_seq into v_before from conversation_members where user_id = p_reader and conversation_id = v_id for update;
  o_seq := greatest(v_before, least(p_seq, v_last));
  o_moved := o_seq > v_before;
  update conversation_members set last_read_seq = o_seq, unread_count = case when o_seq >= v_last then 0 else
      (select count(*) from messages where conversation_id = v_id and seq > o_seq and sender_id = p_peer) end
    where user_id = p_reader and conversation_id = v_id returning unread_count into o_unread;
end $$;
