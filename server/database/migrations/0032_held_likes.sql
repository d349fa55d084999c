-- What is released once nothing holds it back, and what a moderator found about a person.
drop index concurrently if exists decisions_held;
create index concurrently decisions_held on decisions (actor_id, target_id) where held;
drop index concurrently if exists reviews_of;
create index concurrently reviews_of on reviews (user_id);
drop index concurrently if exists sanctions_review;
create index concurrently sanctions_review on sanctions (review_id) where review_id is not null;
