-- A mailbox is gone when the mail server has said so on two days; it gets no news before again_at. Those noted until now may
-- have been refused for other reasons: they are tried again.
alter table unreachable_mailboxes
  add column again_at timestamptz,
  add column is_gone boolean not null default false;
