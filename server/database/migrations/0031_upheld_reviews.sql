-- Which review a sanction followed from, and whether messages that were held back stayed so with it. When a comment took
-- the place of another one, null for the first.
alter table sanctions
  add column review_id uuid references reviews on delete set null,
  add column undelivered boolean not null default false;
alter table decisions add column comment_at timestamptz;
-- Rolling update: reviews that were upheld are few, and old nodes neither read nor write the column.
update sanctions s set review_id = r.id from reviews r
  where r.outcome = 'upheld' and s.user_id = r.user_id and s.decided_by = r.decided_by and s.kind <> 'shadow'
    and s.created_at >= r.decided_at and s.created_at < r.decided_at + interval '10 seconds';
