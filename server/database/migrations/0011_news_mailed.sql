-- When news was last mailed to a person. People delete their notifications: the pause after a mail is not shorter for it.
alter table accounts add column news_mailed_at timestamptz;
grant update (news_mailed_at) on accounts to duet_app;
