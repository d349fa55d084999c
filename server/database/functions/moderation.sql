-- Whether a sanction of this kind goes on for a person who comes back after an erasure.
create or replace function outlives_account(p_kind text) returns boolean language sql immutable as $$
  select p_kind in ('reporting_restriction', 'restriction', 'suspension', 'ban')
$$;

-- Keyed hashes of the mailboxes that an account has and had, and of its accounts at a sign-in provider.
create or replace function mailboxes_of(p_user uuid) returns setof bytea language sql stable as $$
  select value from account_signals where user_id = p_user and kind = 'address'
  union select value from earlier_mailboxes where user_id = p_user
$$;

-- A sanction loses its person by their erasure. It goes on for all of their mailboxes.
create or replace function sanction_outlives_account() returns trigger language plpgsql as $$
begin
  insert into kept_sanctions (value, until, sanction_id)
    select value, old.ends_at, old.id from mailboxes_of(old.user_id) as value on conflict do nothing;
  return null;
end $$;
create or replace trigger sanction_outlives_account after update of user_id on sanctions for each row
  when (old.user_id <> new.user_id and old.lifted_at is null and outlives_account(old.kind))
  execute function sanction_outlives_account();

-- Sanctions and appeals outlive their account, however that is deleted, without the texts about the person; open reports
-- outlive it with the mailboxes, for the decisions that follow.
create or replace function sanctioned_account_gone() returns trigger language plpgsql as $$
begin
  insert into reported_mailboxes (report_id, value)
    select r.id, value from reports r cross join mailboxes_of(old.id) as value
    where r.reported_id = old.id and r.state = 'open' on conflict do nothing;
  update sanctions set user_id = gen_random_uuid(), statement = '', item = null where user_id = old.id;
  delete from appeals where user_id = old.id and state = 'open';
  update appeals set text = '', answer = '' where user_id = old.id;
  return old;
end $$;
create or replace trigger sanctioned_account_gone before delete on accounts for each row execute function sanctioned_account_gone();

-- Needs Duet 1.0.0-rc.1: the two triggers above do this, for bans too.
drop trigger if exists banned_account_gone on accounts;
-- Needs Duet 1.0.0-rc.1: as above.
drop function if exists banned_account_gone();

/*
 * Everyone with a part in a case, who may not decide it: the person it is about; for a report or a photo, everyone who
 * reported the same thing; for a review of an account that seems to be another one, the accounts that its note names; for
 * an appeal, everyone with a part in what led to the decision, and its administrators: also those whose decisions led to an
 * automatic one, and for false reports the people they were about. A message has its number in one conversation: the same
 * number in another conversation is another message. Null without such a case.
 */
create or replace function report_parties(p_report bigint) returns uuid[] language sql stable as $$
  select array(select o.reported_id from reports o where o.id = p_report
    union select o.reporter_id from reports r join reports o on o.id = r.id
        or o.reported_id = r.reported_id and o.subject = r.subject and r.subject ->> 'kind' <> 'message'
      where r.id = p_report and o.reporter_id is not null)
$$;
create or replace function review_parties(p_review uuid) returns uuid[] language sql stable as $$
  select array(select r.user_id from reviews r where r.id = p_review
    union select named[1]::uuid from reviews r
      cross join regexp_matches(r.note, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as named
      where r.id = p_review and r.kind = 'linked_account')
$$;
create or replace function reporters_of(p_reported uuid, p_subject jsonb) returns uuid[] language sql stable as $$
  select array(select reporter_id from reports
    where reported_id = p_reported and subject = p_subject and reporter_id is not null)
$$;
create or replace function case_parties(p_kind text, p_target text) returns uuid[] language sql stable as $$
  select case p_kind
    when 'report' then (select report_parties(id) from reports where receipt = p_target)
    when 'photo' then (
      select user_id || reporters_of(user_id, jsonb_build_object('kind', 'photo', 'fileName', file_name))
      from photos where file_name = p_target)
    when 'verification' then (select array[user_id] from verifications where id = p_target::uuid)
    when 'review' then (select review_parties(id) from reviews where id = p_target::uuid)
    when 'appeal' then (
      select array_remove(array[s.user_id, s.decided_by] || s.led_by || report_parties(s.report_id)
        || review_parties(s.review_id) || reporters_of(s.user_id, s.item) || array(select r.reported_id from reports r
          where s.ground = 'false_reports' and r.reporter_id = s.user_id and r.false_report), null)
      from appeals a join sanctions s on s.id = a.sanction_id where a.id = p_target::uuid)
  end
$$;

/*
 * Whether an appeal doesn't count among those that an administrator has to leave to others: it is their own, or they have a
 * part in it that they must not learn of, because a report about them was found false or a review named their account.
 */
create or replace function is_hidden_appeal(p_appeal uuid, p_viewer uuid) returns boolean language sql stable as $$
  select p_viewer = s.user_id or p_viewer = any(case_parties('appeal', p_appeal::text))
    and p_viewer <> all(array_remove(
      array[s.decided_by] || s.led_by || report_parties(s.report_id) || reporters_of(s.user_id, s.item), null))
  from appeals a join sanctions s on s.id = a.sanction_id where a.id = p_appeal
$$;

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

-- Whether a moderator found that what a person wrote until that time was spam, and no one took the decision back.
create or replace function is_withheld(person uuid, written timestamptz) returns boolean language sql stable as $$
  select exists (select from reviews r where r.user_id = person and r.kind in ('spam', 'shadow_ended')
    and r.outcome = 'upheld' and r.decided_at >= written
    and not exists (select from sanctions s where s.review_id = r.id and s.lifted_as in ('reversed', 'lifted')))
$$;

-- Whether what a person writes is held back at that time.
create or replace function is_held_back(person uuid, at timestamptz) returns boolean language sql stable as $$
  select exists (select from sanctions s where s.user_id = person and s.kind = 'shadow' and s.lifted_at is null
      and (s.ends_at is null or s.ends_at > at))
    or exists (select from accounts a where a.id = person and a.unseen)
$$;
