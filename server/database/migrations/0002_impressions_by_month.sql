/*
 * Impressions by month: one that was kept for long enough goes by dropping its table, which takes no time and leaves
 * nothing to clean up. What is there becomes the first part, as it is. Later months are made by the job that drops old
 * ones; what belongs to no month that there is goes to the rest. Parts are in a schema of their own: they are no tables
 * that anything asks by name.
 */
create schema months;

-- Rolling update: nodes ask for the table by its name, and in this transaction another one gets it.
alter table impressions set schema months;
-- Rolling update: as above.
alter table months.impressions rename to impressions_before;
-- No one looks for impressions by their moment alone.
drop index months.impressions_shown;

create table impressions (
  viewer_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  -- When the deck of this card was built; a deck shows a card once, and within half an hour.
  deck_at timestamptz not null,
  shown_at timestamptz not null,
  slot smallint not null,
  slot_kind text not null,
  propensity real not null constraint impressions_propensity_check check (propensity > 0 and propensity <= 1),
  model_version integer not null,
  -- The distance between the two that ranking used: a bucket in km, 32767 beyond the last; null: not recorded.
  distance_km smallint,
  primary key (viewer_id, target_id, deck_at)
) partition by range (deck_at);
create index impressions_target on impressions (target_id, shown_at);

-- Reads what is there once, to see that nothing in it is newer.
do $$
declare
  last timestamptz := greatest(now(), (select max(deck_at) from months.impressions_before));
  next_month timestamptz := (date_trunc('month', last at time zone 'UTC') + interval '1 month') at time zone 'UTC';
begin
  execute format('alter table impressions attach partition months.impressions_before for values from (minvalue) to (%L)', next_month);
end $$;
create table months.impressions_rest partition of impressions default;
