-- What a reporter saw when they reported the same subject again; the first sighting is in the report itself.
create table report_sightings (
  id bigint primary key generated always as identity,
  report_id bigint not null references reports on delete cascade,
  seen_at timestamptz not null,
  -- The `appearance_changed_at` of the reported person at that moment.
  appearance_seen timestamptz,
  evidence jsonb not null
);
create index report_sightings_report on report_sightings (report_id, id);
-- Evidence is added and never changed; it goes with its report.
revoke update, delete on report_sightings from duet_app;
