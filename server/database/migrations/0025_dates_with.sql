-- The first name and photo of the person a date is with, as they were when it was shared: its page shows them until it ends.
alter table shared_dates add column with_name text;
create table shared_date_photos (
  date_id uuid primary key references shared_dates on delete cascade,
  file_name text not null,
  picture bytea not null
);
create index shared_date_photos_file on shared_date_photos (file_name);
