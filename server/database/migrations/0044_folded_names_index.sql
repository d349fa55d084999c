drop index concurrently if exists profiles_folded_name;
create index concurrently profiles_folded_name on profiles (folded_name text_pattern_ops);
-- For the job that folds names.
drop index concurrently if exists profiles_unfolded_name;
create index concurrently profiles_unfolded_name on profiles (user_id) where folded_name is null;
drop index concurrently if exists profiles_visible_name;
