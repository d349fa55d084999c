-- What operators set while Duet runs.
create table settings (key text primary key, value jsonb not null, changed_at timestamptz not null);
