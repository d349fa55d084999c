-- Kilometres between two cell centres on a sphere of radius 6371.0088 km (haversine).
create or replace function centre_distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns double precision language sql immutable parallel safe as $$
  select 2 * 6371.0088 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2)))
$$;

-- The bucket of a distance, as its upper bound; null beyond the last. It names the distance once, so that it becomes part of
-- the statements that call it.
create or replace function distance_bucket(km double precision) returns smallint language sql immutable parallel safe as $$
  select ('{2,5,10,25,50,100}'::smallint[])[1 + width_bucket(km, '{2,5,10,25,50,100}'::double precision[])]
$$;
