-- People who would meet others at any distance, in an order that says nothing of them.
drop index concurrently if exists candidates_far;
create index concurrently candidates_far on candidates (uuid_hash_extended(user_id, 0)) where reach = 32767;
