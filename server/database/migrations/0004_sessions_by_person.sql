-- Without the moment in it, noting that someone was here changes no index.
drop index concurrently if exists sessions_of_person;
create index concurrently sessions_of_person on sessions (user_id);
drop index concurrently if exists sessions_user;
