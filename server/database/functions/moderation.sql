-- Sanctions and appeals outlive their account, without the texts about the person.
create or replace function sanctioned_account_gone() returns trigger language plpgsql as $$
begin
  update sanctions set statement = '', item = null where user_id = old.id;
  delete from appeals where user_id = old.id and state = 'open';
  update appeals set text = '', answer = '' where user_id = old.id;
  return null;
end $$;
create or replace trigger sanctioned_account_gone after delete on accounts for each row execute function sanctioned_account_gone();

-- A ban outlives its account, however that is deleted, for all mailboxes it had. Of two bans the longer one counts.
create or replace function banned_account_gone() returns trigger language plpgsql as $$
begin
  insert into banned_addresses (value, until)
    select value, old.standing_until from (
      select value from account_signals where user_id = old.id and kind = 'address'
      union select value from earlier_mailboxes where user_id = old.id) as had
    on conflict (value) do update set until = case
      when banned_addresses.until is null or excluded.until is null then null
      else greatest(banned_addresses.until, excluded.until) end;
  return old;
end $$;
create or replace trigger banned_account_gone before delete on accounts for each row
  when (old.standing = 'banned') execute function banned_account_gone();

-- The content of an entry, in the one form that is hashed.
create or replace function audit_text(entry audit_log) returns text language sql stable as $$
  select jsonb_build_array(entry.seq, (extract(epoch from entry.at) * 1000000)::bigint, entry.actor_id, entry.action,
    entry.target, entry.reason, entry.details, entry.request_id)::text
$$;

/*
 * Gives an entry its number, without gaps, and its seal, one entry at a time: the lock is held until the transaction ends.
 * A restored entry keeps both; only the owner can declare that it restores.
 */
create or replace function seal_audit_entry() returns trigger language plpgsql as $$
begin
  if current_setting('duet.restoring', true) = 'on'
    and pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'usage') then return new; end if;
  perform pg_advisory_xact_lock(hashtextextended('audit_log', 0));
  select seq + 1, hash into new.seq, new.prev_hash from audit_log order by seq desc limit 1;
  if not found then
    new.seq := 1;
    new.prev_hash := decode(repeat('00', 32), 'hex');
  end if;
  new.hash := sha256(new.prev_hash || convert_to(audit_text(new), 'UTF8'));
  return new;
end $$;
create or replace trigger seal_audit_entry before insert on audit_log for each row execute function seal_audit_entry();

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows' using errcode = 'insufficient_privilege';
end $$;
create or replace trigger audit_log_stays before update or delete on audit_log for each row execute function refuse_audit_change();
create or replace trigger audit_log_is_not_emptied before truncate on audit_log for each statement execute function refuse_audit_change();

-- Whether what a person writes is held back at that time.
create or replace function is_held_back(person uuid, at timestamptz) returns boolean language sql stable as $$
  select exists (select from sanctions s where s.user_id = person and s.kind = 'shadow' and s.lifted_at is null
      and (s.ends_at is null or s.ends_at > at))
    or exists (select from accounts a where a.id = person and a.unseen)
$$;
