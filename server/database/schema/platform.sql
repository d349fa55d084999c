-- Counted uses of limits, by windows. The owner counts; the application only removes expired rows.
create table rate_limits (key varchar(255) primary key, points integer not null default 0, expire bigint);
create index rate_limits_expiry on rate_limits (expire);
revoke insert, update on rate_limits from duet_app;

/*
 * Files to remove from the store because their row is gone. Written in the transaction that deletes the row: no row ever
 * names a missing file, and no file is forgotten if the process stops in between.
 */
create table files_to_remove (
  key text primary key,
  since timestamptz not null
);
