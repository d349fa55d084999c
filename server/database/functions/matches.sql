-- One at a time per pair: a decision about the other person waits here until the first has committed.
create or replace function lock_pair(a uuid, b uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('pair' || least(a, b)::text || greatest(a, b)::text, 0))
$$;

create or replace function is_matched(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from matches where id = conversation_id(a, b) and ended_at is null)
$$;
create or replace function is_unmatched(a uuid, b uuid) returns boolean language sql stable parallel safe as $$
  select exists (select 1 from matches where id = conversation_id(a, b) and ended_at is not null)
$$;
