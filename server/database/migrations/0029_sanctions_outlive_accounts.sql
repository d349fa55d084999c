-- Sanctions that go on for people who come back, by the keyed hashes of the mailboxes that their account had. Bans from before
-- it stay in banned_addresses; old nodes take everything there for a ban.
create table kept_sanctions (
  value bytea not null check (octet_length(value) = 32),
  sanction_id uuid not null references sanctions on delete cascade,
  -- When the sanction ends and the row is deleted; null: without an end.
  until timestamptz,
  primary key (value, sanction_id)
);
create index kept_sanctions_sanction on kept_sanctions (sanction_id);
create index kept_sanctions_until on kept_sanctions (until);

-- Keyed hashes of the mailboxes of erased accounts that open reports are about: a later decision applies to them.
create table reported_mailboxes (
  report_id bigint not null references reports on delete cascade,
  value bytea not null check (octet_length(value) = 32),
  primary key (report_id, value)
);
create index reported_mailboxes_value on reported_mailboxes (value);
