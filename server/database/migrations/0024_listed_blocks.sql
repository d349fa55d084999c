-- Whether the blocker could see the other one, and so finds them in their list of people they blocked.
alter table blocks add column listed boolean not null default true;
