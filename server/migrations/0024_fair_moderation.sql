-- The record of administrators is read by what was done and when, too.
create index audit_log_action on audit_log (action, seq desc);
create index audit_log_at on audit_log (at);

/*
 * A badge that a sanction took away waits as `revoked`, with the photo it was about: where the sanction turns out to be
 * wrong, it comes back, as long as that photo is still the first. Whoever asks anew begins anew.
 */
alter table verifications drop constraint verifications_state_check;
alter table verifications add constraint verifications_state_check
  check (state in ('asked', 'waiting', 'approved', 'rejected', 'lost', 'revoked'));

-- The language somebody reads Duet in: what is mailed about decisions is in it.
alter table accounts add column language text not null default 'en' check (language in ('en', 'es', 'ar'));
grant update (language) on accounts to duet_app;

/*
 * Addresses of banned accounts that were erased: a ban goes on for whoever comes back with the same mailbox. The value is
 * the keyed hash by which accounts are recognised; no address can be read out of it, and it names no account.
 */
create table banned_addresses (
  value bytea primary key check (octet_length(value) = 32),
  -- When the ban ends, and this is forgotten; null without an end.
  until timestamptz
);
create index banned_addresses_until on banned_addresses (until);

-- However the account goes. Of two bans the longer one counts.
create function banned_account_gone() returns trigger language plpgsql as $$
begin
  insert into banned_addresses (value, until)
    select value, old.standing_until from account_signals where user_id = old.id and kind = 'address'
    on conflict (value) do update set until = case
      when banned_addresses.until is null or excluded.until is null then null
      else greatest(banned_addresses.until, excluded.until) end;
  return old;
end $$;
create trigger banned_account_gone before delete on accounts for each row
  when (old.standing = 'banned') execute function banned_account_gone();
