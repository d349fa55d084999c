-- What messages said before their sender edited them or took them back, for reports alone.
create table message_versions (
  conversation_id uuid not null references conversations on delete cascade,
  seq bigint not null,
  sender_id uuid not null,
  body text not null,
  replaced_at timestamptz not null,
  -- What a message that was taken back carried, as in `attachments`.
  kind text,
  file_name text,
  width integer,
  height integer,
  blurhash text,
  duration_ms integer,
  waveform smallint[],
  primary key (conversation_id, seq, replaced_at)
);
create index message_versions_replaced on message_versions (replaced_at);
create index message_versions_file on message_versions (file_name) where file_name is not null;

-- Names that people had until they changed them: those who no longer see someone read the name they knew.
create table former_names (
  user_id uuid not null references accounts on delete cascade,
  name text not null,
  until timestamptz not null,
  primary key (user_id, until)
);
create index former_names_until on former_names (until);
