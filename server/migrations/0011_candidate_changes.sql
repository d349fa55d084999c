/*
 * Whose row of `candidates` changed, and in which transaction: whatever a snapshot does not see yet is exactly what has
 * happened since it was taken, in whatever order transactions commit. Indexes in memory follow by it; older rows are
 * removed by the hour. No person means very many people at once: an index is then made anew.
 */
create table candidate_changes (
  user_id uuid,
  changed xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default clock_timestamp()
);
create index candidate_changes_since on candidate_changes (changed);

create function note_candidates() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select 1 from changed_rows limit 5001) as few) > 5000 then
    insert into candidate_changes (user_id) values (null);
  else
    insert into candidate_changes (user_id) select user_id from changed_rows;
  end if;
  return null;
end $$;
create function note_all_candidates() returns trigger language plpgsql as $$
begin
  insert into candidate_changes (user_id) values (null);
  return null;
end $$;
create trigger candidates_inserted after insert on candidates referencing new table as changed_rows
  for each statement execute function note_candidates();
create trigger candidates_updated after update on candidates referencing new table as changed_rows
  for each statement execute function note_candidates();
create trigger candidates_deleted after delete on candidates referencing old table as changed_rows
  for each statement execute function note_candidates();
create trigger candidates_truncated after truncate on candidates for each statement execute function note_all_candidates();

-- The same for what ranking learns, where only the latest change of a row counts.
alter table standings add column changed xid8 not null default '0';
alter table standings alter column changed set default pg_current_xact_id();
create index standings_changed on standings (changed);

create function note_standing() returns trigger language plpgsql as $$
begin
  new.changed = pg_current_xact_id();
  return new;
end $$;
create trigger standing_changed before update on standings for each row execute function note_standing();
