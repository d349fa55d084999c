/*
 * One conversation per pair. Both people's marks and counts are columns of this row, `lo` and `hi` for the smaller and the
 * larger id: a message updates one row in place, beside its own insert.
 */
create table conversations (
  -- conversation_id() of the pair, so both sides opening it at the same time meet on the primary key.
  id uuid primary key,
  user_lo uuid not null references accounts on delete cascade,
  user_hi uuid not null references accounts on delete cascade,
  last_seq bigint not null default 0,
  last_message_at timestamptz,
  created_at timestamptz not null,
  -- Counts every change to the messages: of two states of a message, the one with the higher revision is the newer.
  revision bigint not null default 0,
  -- When this row, or who may see it, last changed: devices ask for everything since the snapshot of their last request.
  changed xid8 not null default pg_current_xact_id(),
  unread_lo integer not null default 0 check (unread_lo >= 0),
  unread_hi integer not null default 0 check (unread_hi >= 0),
  read_lo bigint not null default 0,
  read_hi bigint not null default 0,
  delivered_lo bigint not null default 0,
  delivered_hi bigint not null default 0,
  wrote_lo boolean not null default false,
  wrote_hi boolean not null default false,
  -- Both people list it and neither has archived it: a message changes nothing but this row.
  settled boolean not null default false,
  -- Held back (shadow restriction): this person's messages are invisible to the other one, until they are released or the
  -- other one writes. Never where both have written.
  held_from uuid,
  -- How many messages the other one could see before.
  held_seq bigint,
  -- Whether the receiver had it on their list when it was held back: what they had removed stays removed.
  held_listed boolean not null default false,
  check (user_lo < user_hi),
  unique (user_lo, user_hi),
  check ((held_from is null) = (held_seq is null)),
  -- append_plain_messages() is for settled conversations only, and does not look at held_from.
  check (held_from is null or not settled)
) with (fillfactor = 80);
create index conversations_hi on conversations (user_hi);
create index conversations_held on conversations (held_from) where held_from is not null;
grant select (created_at, last_message_at, last_seq) on conversations to duet_reader;

create table conversation_members (
  user_id uuid not null references accounts on delete cascade,
  conversation_id uuid not null references conversations on delete cascade,
  peer_id uuid not null references accounts on delete cascade,
  -- A conversation that was opened and is still empty is listed for the person who opened it only.
  listed boolean not null default false,
  muted boolean not null default false,
  archived boolean not null default false,
  -- A request from an unmatched person was accepted.
  accepted boolean not null default false,
  -- When this person's own view of it changed, for their own devices: the other one must not notice.
  changed xid8 not null default '0',
  primary key (user_id, conversation_id)
) with (fillfactor = 80);
create index conversation_members_conversation on conversation_members (conversation_id);
create index conversation_members_peer on conversation_members (peer_id);

-- Photos and voice messages, uploaded before the message that carries them. Those without a message are removed later.
create table attachments (
  id uuid primary key,
  owner_id uuid not null references accounts on delete cascade,
  conversation_id uuid not null references conversations on delete cascade,
  kind text not null check (kind in ('photo', 'voice')),
  file_name text not null unique,
  -- Photos: pixels of the widest variant.
  width integer,
  height integer,
  blurhash text,
  -- Voice messages; the waveform is loudness from 0 to 100.
  duration_ms integer,
  waveform smallint[],
  created_at timestamptz not null,
  check ((kind = 'photo') = (width is not null and height is not null and blurhash is not null)),
  check ((kind = 'voice') = (duration_ms is not null and waveform is not null))
);
create index attachments_created on attachments (created_at);
create index attachments_owner on attachments (owner_id);
create index attachments_conversation on attachments (conversation_id);
grant select (kind, created_at) on attachments to duet_reader;

-- A text without accents and case, for searching. Here and not among the functions: `messages.plain` stores its results,
-- so another result needs a migration that computes the column again.
create function plain_text(body text) returns text language sql immutable parallel safe as $$
  select lower(case when octet_length(body) = char_length(body) then body
    else regexp_replace(normalize(body, nfd), '[\u0300-\u036f]', '', 'g') end)
$$;

/*
 * No foreign keys to the conversation and the sender: a message is only ever written under the lock of its conversation,
 * which names both people, and looking all three up again took a third of the time. The trigger conversation_gone removes
 * messages with their conversation.
 */
create table messages (
  conversation_id uuid not null,
  seq bigint not null,
  sender_id uuid not null,
  client_id text not null check (char_length(client_id) between 1 and 64),
  body text not null,
  -- The time that is shown: the sender's when it is plausible. Order and lists use seq and created_at.
  sent_at timestamptz not null,
  created_at timestamptz not null,
  -- The revision of the conversation at the last change of this message.
  revision bigint not null,
  changed boolean not null default false,
  edited_at timestamptz,
  deleted_at timestamptz,
  reply_to bigint,
  attachment_id uuid references attachments,
  reaction_lo text,
  reaction_hi text,
  -- The text for searching, where it is more than unaccented lower case: computing it during a search takes a millisecond
  -- for a long message.
  plain text generated always as (case when octet_length(body) <> char_length(body) then plain_text(body) end) stored,
  primary key (conversation_id, seq),
  unique (conversation_id, sender_id, client_id),
  constraint messages_body_check
    check (octet_length(body) <= 8000 and (body <> '' or attachment_id is not null or deleted_at is not null))
);
create index messages_changed on messages (conversation_id, revision) where changed;
create unique index messages_attachment on messages (attachment_id) where attachment_id is not null;
grant select (created_at, edited_at, deleted_at) on messages to duet_reader;
