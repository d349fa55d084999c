-- What no one has been told of yet, by person: mails are made of it.
drop index concurrently if exists notifications_untold;
create index concurrently notifications_untold on notifications (user_id, created_at)
  where not read and pushed_at is null and mailed_at is null;
