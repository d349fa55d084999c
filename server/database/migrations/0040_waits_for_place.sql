-- A like whose target hears of it once others see where its sender is. Those that are held already wait for that if their
-- sender can be seen and is about to be seen elsewhere, or if they answer a like and made no match.
alter table decisions add column waits_for_place boolean not null default false;
-- Rolling update: only rows of the index `decisions_held` change, and those are few.
update decisions d set waits_for_place = true from accounts a
  where a.id = d.actor_id and d.held and not a.unseen
    and (exists (select from locations l where l.user_id = d.actor_id and (l.published_at is null or l.publish_at is not null))
      or (exists (select from decisions r
          where r.actor_id = d.target_id and r.target_id = d.actor_id and r.decision = 'like')
        and not exists (select from matches m where m.user_lo = least(d.actor_id, d.target_id)
          and m.user_hi = greatest(d.actor_id, d.target_id) and m.ended_at is null)));
