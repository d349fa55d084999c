/*
 * A person's place is an H3 cell of resolution 7, computed before anything is stored: exact coordinates are never kept.
 * Latitude and longitude are the centre of the published cell. In a few regions cells of resolution 7 are under 4 km²;
 * there, cells of resolution 6 are used.
 */
create table locations (
  user_id uuid primary key references accounts on delete cascade,
  cell text not null check (cell ~ '^8[67][0-9a-f]{13}$'),
  published_cell text not null check (published_cell ~ '^8[67][0-9a-f]{13}$'),
  latitude double precision not null,
  longitude double precision not null,
  area text not null,
  -- When the cell becomes the published one: an epoch boundary, or null when it already is.
  publish_at timestamptz,
  -- Null: not published yet. The place is used for this person's own searches only.
  published_at timestamptz,
  -- Of people who hide their distance: the centre of a cell of resolution 5 (about 250 km²), used for everyone else.
  wide_latitude double precision,
  wide_longitude double precision,
  wide_area text
);
create index locations_due on locations (publish_at) where publish_at is not null;
