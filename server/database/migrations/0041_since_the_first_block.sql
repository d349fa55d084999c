-- A block that followed from another one has the time of the first: who blocked can read it.
-- Rolling update: blocks that followed from others are few.
update blocks l set created_at = b.created_at from blocks b
  where l.linked_to = b.blocked_id and l.blocker_id = b.blocker_id and b.linked_to is null;
