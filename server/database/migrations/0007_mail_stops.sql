-- News by mail that a person has stopped, by group; mails that keep an account safe are in none.
create table mail_stops (
  user_id uuid not null references accounts on delete cascade,
  mail_group text not null constraint mail_stops_group_check check (mail_group in ('digest', 'matches', 'messages', 'all')),
  stopped_at timestamptz not null,
  primary key (user_id, mail_group)
);

-- Mailboxes that a mail server refuses for good. The address is in it: a changed one is another mailbox.
create table unreachable_mailboxes (
  user_id uuid primary key references accounts on delete cascade,
  email text not null,
  since timestamptz not null
);
