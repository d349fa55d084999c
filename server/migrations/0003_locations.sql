-- Nobody can be located: a person is an H3 cell of resolution 7, snapped before it is written. No coordinates are kept;
-- latitude and longitude are the centre of the published cell.
create table locations (
  user_id uuid primary key references accounts on delete cascade,
  cell text not null check (cell ~ '^87[0-9a-f]{13}$'),
  published_cell text not null check (published_cell ~ '^87[0-9a-f]{13}$'),
  region text not null check (region ~ '^83[0-9a-f]{13}$'),
  latitude double precision not null,
  longitude double precision not null,
  area text not null,
  -- When the cell becomes the published one: an epoch boundary, or null when it already is.
  publish_at timestamptz,
  published_at timestamptz not null
);
create index locations_region on locations (region);
create index locations_due on locations (publish_at) where publish_at is not null;

-- Kilometres between two cell centres on a sphere of radius 6371.0088 km (haversine).
create function centre_distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns double precision language sql immutable parallel safe as $$
  select 2 * 6371.0088 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2)))
$$;

-- The bucket a distance falls into, as its upper bound; null beyond the last.
create function distance_bucket(km double precision) returns smallint language sql immutable parallel safe as $$
  select case when km < 2 then 2 when km < 5 then 5 when km < 10 then 10 when km < 25 then 25
              when km < 50 then 50 when km < 100 then 100 end::smallint
$$;
