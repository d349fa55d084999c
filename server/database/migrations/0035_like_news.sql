-- When a person was last notified of another one's like: once a day at most, however often it is taken back and given again.
create table like_news (
  actor_id uuid not null references accounts on delete cascade,
  target_id uuid not null references accounts on delete cascade,
  told_at timestamptz not null,
  primary key (actor_id, target_id)
);
create index like_news_of on like_news (target_id);
create index like_news_age on like_news (told_at);
