-- Kilometres between two cell centres on a sphere of radius 6371.0088 km (haversine).
create or replace function centre_distance_km(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns double precision language sql immutable parallel safe as $$
  select 2 * 6371.0088 * asin(least(1, sqrt(
    sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2)))
$$;

-- The bucket of a distance, as its upper bound; null beyond the last.
create or replace function distance_bucket(km double precision) returns smallint language sql immutable parallel safe as $$
  select case when km < 2 then 2 when km < 5 then 5 when km < 10 then 10 when km < 25 then 25
              when km < 50 then 50 when km < 100 then 100 end::smallint
$$;
