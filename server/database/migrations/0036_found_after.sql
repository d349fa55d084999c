-- Seconds from created_at until a person could first be found: they are a newcomer from then on. Null: not yet. Everyone who
-- is here already counts from their arrival, as before.
alter table profiles add column found_after integer default 0;
alter table profiles alter column found_after drop default;
