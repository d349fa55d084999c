-- The next people of a viewer, best first, as they were ranked at `built_at`.
create table decks (
  user_id uuid primary key references accounts on delete cascade,
  slots jsonb not null,
  model_version integer not null,
  built_at timestamptz not null
);

-- Who was shown to whom, in which slot and with what probability: rankings cannot be evaluated fairly without it.
create table impressions (
  viewer_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  -- When the deck of this card was built; a deck shows a card once.
  deck_at timestamptz not null,
  shown_at timestamptz not null,
  slot smallint not null,
  slot_kind text not null,
  propensity real not null check (propensity > 0 and propensity <= 1),
  model_version integer not null,
  -- The distance between the two that ranking used: a bucket in km, 32767 beyond the last; null: not recorded.
  distance_km smallint,
  primary key (viewer_id, target_id, deck_at)
);
create index impressions_shown on impressions using brin (shown_at);
create index impressions_target on impressions (target_id, shown_at);
