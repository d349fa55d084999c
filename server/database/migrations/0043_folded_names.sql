-- A name as the server folds it for the search of administrators. Null until the server has folded it.
alter table profiles add column folded_name text;
