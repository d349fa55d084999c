-- The latest decision of each person about each other person.
create table decisions (
  actor_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  decision text not null check (decision in ('like', 'pass', 'later')),
  -- What was liked: a photo's file name, or a prompt with its answer as it was.
  item_kind text check (item_kind in ('photo', 'prompt')),
  item_id text,
  item_text text,
  comment text check (char_length(comment) between 1 and 300),
  decided_at timestamptz not null,
  -- A like by someone `accounts.unseen`: kept, but not shown until a moderator has looked. What follows from it is not
  -- shown to the target either.
  held boolean not null default false,
  primary key (actor_id, target_id),
  check (actor_id <> target_id),
  check (decision = 'like' or (item_kind is null and comment is null)),
  check ((item_kind is null) = (item_id is null))
);
create index decisions_made on decisions (actor_id, decided_at desc, target_id);
create index decisions_received on decisions (target_id, decision, decided_at desc, actor_id);
grant select (decision, decided_at) on decisions to duet_reader;

-- The day a person's likes were last counted in. It keeps its beginning and end if they move to another time zone.
create table like_days (
  user_id uuid primary key references accounts on delete cascade,
  starts_at timestamptz not null,
  ends_at timestamptz not null
);
