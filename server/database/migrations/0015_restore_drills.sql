-- The last backup that was restored into a database of its own to see that it can be. `fault` says why it failed. It is
-- also set while the drill runs, so that a drill that ends the process counts as failed.
create table restore_drills (
  backup text primary key,
  tried_at timestamptz not null,
  fault text
);
