-- What each message would otherwise have to ask, noted by note_clear(): nothing stands between the two (no block, no
-- ended match, neither of them hidden); while that holds, whether they are matched, and whether both tell how far they read.
alter table conversations
  add column clear boolean not null default false,
  add column clear_match boolean not null default false,
  add column clear_receipts boolean not null default false;
