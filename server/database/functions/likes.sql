-- Whether the viewer has yet to be told about this person's like.
create or replace function is_unheard(person uuid, viewer uuid) returns boolean language sql stable parallel safe as $$
  select exists (select from decisions d where d.actor_id = person and d.target_id = viewer and d.held)
$$;
