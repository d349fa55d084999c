-- Eight digits, short enough to read out; random, so that a receipt does not reveal how many there are. Here and not among
-- the functions, because the default of `reports.receipt` needs it.
create function new_receipt() returns text language sql volatile as $$
  select lpad(n / 10000 || '', 4, '0') || '-' || lpad(n % 10000 || '', 4, '0')
  from (select floor(random() * 100000000)::integer as n) drawn
$$;

create table reports (
  id bigint primary key generated always as identity,
  receipt text not null unique default new_receipt(),
  reporter_id uuid references accounts on delete set null,
  /*
   * No foreign key: people must not be able to make a report and its evidence disappear by deleting their account. Their id
   * and their name at the time stay until the report is old enough to be deleted.
   */
  reported_id uuid not null,
  reported_name text not null,
  subject jsonb not null,
  reason text not null check (reason in ('underage', 'threats', 'sextortion', 'scam', 'fake_profile', 'harassment', 'hate',
    'sexual_content', 'offline_harm', 'spam', 'other')),
  -- 0 needs an answer within an hour, 1 within hours, 2 within a day.
  severity smallint not null generated always as (case
    when reason in ('underage', 'threats', 'sextortion') then 0 when reason = 'scam' then 1 else 2 end) stored,
  details text not null default '' check (char_length(details) <= 4000),
  -- Copied when the report is made, and never read from its sources again: later edits and deletions do not change it.
  evidence jsonb not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  created_at timestamptz not null,
  outcome text check (outcome in ('upheld', 'dismissed')),
  false_report boolean not null default false,
  decided_at timestamptz,
  decided_by uuid,
  -- The `appearance_changed_at` of the reported person when the report was made.
  appearance_seen timestamptz,
  check (reporter_id <> reported_id),
  check (state = 'closed' or outcome is null)
);
-- One open report per reporter and subject: a repeat finds it.
create unique index reports_open_subject on reports (reporter_id, reported_id, subject) where state = 'open';
create index reports_own on reports (reporter_id, id desc);
create index reports_open on reports (severity, created_at, id) where state = 'open';
create index reports_about on reports (reported_id, state);
create index reports_decided on reports (decided_at) where state = 'closed';
create index reports_reported on reports (reported_id);

-- The application can make a reason graver, add details and close a report; it cannot change what was copied.
revoke update on reports from duet_app;
grant update (reason, details, state, outcome, false_report, decided_at, decided_by) on reports to duet_app;
grant select (reason, severity, state, outcome, false_report, created_at, decided_at) on reports to duet_reader;
