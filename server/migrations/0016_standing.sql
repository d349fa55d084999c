/*
 * Where somebody stands with the rules of the community, and whether their account is about to be erased. Moderation and
 * data rights write these; everything else reads them: sessions carry the standing, and `profiles.hidden` follows.
 */
alter table accounts
  add column standing text not null default 'good' check (standing in ('good', 'restricted', 'suspended', 'banned')),
  -- Until when; null without an end.
  add column standing_until timestamptz,
  -- When the account and everything of it goes for good; null when nobody asked for it.
  add column erase_at timestamptz;
grant update (standing, standing_until, erase_at) on accounts to duet_app;

-- Who is suspended, banned or about to go is not there for others.
create function account_moved() returns trigger language plpgsql as $$
begin
  update profiles set hidden = new.standing in ('suspended', 'banned') or new.erase_at is not null where user_id = new.id;
  return null;
end $$;
create trigger account_moved after update of standing, erase_at on accounts for each row
  when ((old.standing, old.erase_at) is distinct from (new.standing, new.erase_at)) execute function account_moved();

/*
 * The one rule of who sees whom: somebody who is there, with no block and no ended match between the two. Lists that are
 * asked for all the time say its parts in line.
 */
create function may_see(viewer uuid, person uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from profiles p where p.user_id = person and not p.hidden)
    and not is_blocked(viewer, person) and not is_unmatched(viewer, person)
$$;

-- As before, and whoever is restricted begins no conversation: where there are messages already, they go on.
create or replace function refusals_to_write(p_senders uuid[], p_receivers uuid[], p_needs_match boolean)
returns table (place bigint, refusal text) language sql stable as $$
  select given.place, case
      when p_needs_match is null then null
      when sender = receiver or p.user_id is null or mine.blocker_id is not null or theirs.blocker_id is not null
        or m.ended_at is not null then 'not_found'
      when p_needs_match and m.id is null then 'forbidden'
      when a.standing <> 'good' and not exists (
        select from conversations c where c.id = conversation_id(sender, receiver) and c.last_seq > 0) then 'restricted'
    end
  from unnest(p_senders, p_receivers) with ordinality as given (sender, receiver, place)
  left join accounts a on a.id = sender
  left join profiles p on p.user_id = receiver and not p.hidden
  left join blocks mine on mine.blocker_id = sender and mine.blocked_id = receiver
  left join blocks theirs on theirs.blocker_id = receiver and theirs.blocked_id = sender
  left join matches m on m.user_lo = least(sender, receiver) and m.user_hi = greatest(sender, receiver)
$$;
