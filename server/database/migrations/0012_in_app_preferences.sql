-- Topic: whether it is in the list of notifications. A topic that is not in it is.
alter table notification_preferences add column in_app jsonb not null default '{}';
