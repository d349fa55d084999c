-- The answers by which a person's agreement with others is shown on a day (UTC), from `since` on: their sheet before the
-- day's first change (nth 0), and when it was shown with five more answers. Without a row it is the sheet as it is. Null:
-- they withdrew their answers that day, and nothing is shown until it is over.
create table told_sheets (
  user_id uuid not null references accounts on delete cascade,
  day date not null,
  nth smallint not null,
  since timestamptz not null,
  sheet bytea check (octet_length(sheet) % 2 = 0 and octet_length(sheet) <= 1024),
  primary key (user_id, day, nth)
);
create index told_sheets_day on told_sheets (day);
