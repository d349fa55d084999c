-- A block counts in both directions.
create or replace function is_blocked(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from blocks where (blocker_id = a and blocked_id = b) or (blocker_id = b and blocked_id = a))
$$;

-- Whether a person who is incognito shows themselves to the viewer. Messages that are held back show no one.
create or replace function shows_to(person uuid, viewer uuid) returns boolean language sql stable parallel safe as $$
  select person = viewer
    or exists (select from decisions d where d.actor_id = person and d.target_id = viewer and d.decision = 'like' and not d.held)
    or is_matched(person, viewer)
    or exists (select from conversations c where c.user_lo = least(person, viewer) and c.user_hi = greatest(person, viewer)
      and c.held_from is null and case when person < viewer then c.wrote_lo else c.wrote_hi end)
$$;

/*
 * What a person's settings let the viewer see of them; `known` says that the two are a match, where a list has looked that
 * up already. Both are inlined into the statements that call them, which cost no more than the conditions themselves.
 */
create or replace function is_open_to(p profiles, viewer uuid, known boolean) returns boolean language sql stable parallel safe as $$
  select not p.incognito or known or shows_to(p.user_id, viewer)
$$;
create or replace function is_visible_to(p profiles, viewer uuid, known boolean) returns boolean language sql stable parallel safe as $$
  select not p.hidden and is_open_to(p, viewer, known)
$$;

/*
 * The one rule of who may see a person: the person is visible to the viewer, and there is no block and no ended match between
 * the two. Frequent lists call `is_visible_to` and join blocks and matches.
 */
create or replace function may_see(viewer uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from profiles p where p.user_id = person and is_visible_to(p, viewer, false))
    and not is_blocked(viewer, person) and not is_unmatched(viewer, person)
$$;

-- Undoing a block also undoes the blocks that followed from it. The erasure of the blocked account undoes nothing: the person
-- behind it may be here with another one.
create or replace function block_taken_back() returns trigger language plpgsql as $$
begin
  delete from blocks where blocker_id = old.blocker_id and linked_to = old.blocked_id
    and exists (select from accounts where id = old.blocked_id);
  return null;
end $$;
create or replace trigger block_taken_back after delete on blocks for each row when (old.linked_to is null)
  execute function block_taken_back();
