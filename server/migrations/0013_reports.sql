-- Eight digits, so that it can be read out; random, so that it does not tell how many there are.
create function new_receipt() returns text language sql volatile as $$
  select lpad(n / 10000 || '', 4, '0') || '-' || lpad(n % 10000 || '', 4, '0')
  from (select floor(random() * 100000000)::integer as n) drawn
$$;

create table reports (
  id bigint primary key generated always as identity,
  receipt text not null unique default new_receipt(),
  reporter_id uuid references accounts on delete set null,
  /*
   * No reference: who is reported must not be able to make the report and its evidence vanish by deleting their account.
   * The id and the name of that time stay until the report is old enough to be forgotten.
   */
  reported_id uuid not null,
  reported_name text not null,
  subject jsonb not null,
  reason text not null check (reason in ('underage', 'threats', 'sextortion', 'scam', 'fake_profile', 'harassment', 'hate',
    'sexual_content', 'offline_harm', 'spam', 'other')),
  -- 0 is a matter of an hour, 1 of some hours, 2 of a day.
  severity smallint not null generated always as (case
    when reason in ('underage', 'threats', 'sextortion') then 0 when reason = 'scam' then 1 else 2 end) stored,
  details text not null default '' check (char_length(details) <= 4000),
  -- Copied when the report is made, and never read from its sources again: nothing that is edited or deleted changes it.
  evidence jsonb not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  created_at timestamptz not null,
  check (reporter_id <> reported_id)
);
-- One open report of a subject by one person: a repeat finds it.
create unique index reports_open_subject on reports (reporter_id, reported_id, subject) where state = 'open';
create index reports_own on reports (reporter_id, id desc);
create index reports_open on reports (severity, created_at, id) where state = 'open';

-- Reasons can be aggravated, words added and reports closed; what was copied cannot be changed by the application.
revoke update on reports from duet_app;
grant update (reason, details, state) on reports to duet_app;
