-- Fingerprints of texts to people who have not answered, to compare them: 64 bits that no text can be read out of, deleted
-- after an hour.
create table message_prints (
  sender_id uuid not null references accounts on delete cascade,
  receiver_id uuid not null,
  print bigint not null,
  at timestamptz not null,
  primary key (sender_id, receiver_id, print)
);
create index message_prints_at on message_prints (at);

-- What a returning person's new account is recognised by: keyed hashes that no one can read a person out of. Those of
-- networks are deleted after a while.
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
