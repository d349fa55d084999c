-- When an account is erased: on the day its person asked for, but not while a date they share goes on.
create or replace function erasure_at(a accounts) returns timestamptz language sql stable as $$
  select greatest(a.erase_at, (select max(expires_at) from shared_dates d where d.user_id = a.id))
    where a.erase_at is not null
$$;

-- A photo that a reviewer rejects is hidden on the pages of dates as well, and leaves them when its row is deleted; one that
-- its owner removes stays.
create or replace function photo_rejected() returns trigger language plpgsql as $$
begin
  delete from shared_date_photos where file_name = old.file_name;
  return null;
end $$;
create or replace trigger photo_rejected after delete on photos for each row
  when (old.state = 'rejected') execute function photo_rejected();
