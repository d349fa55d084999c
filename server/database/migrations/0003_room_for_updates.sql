/*
 * Rows that are updated all the time stay on their page (HOT), and what is dead is cleared away before a fifth of a large
 * table is: PostgreSQL's usual share means millions of rows. Messages are never updated so often; there it is the map of
 * what everyone sees that lags behind.
 */
alter table sessions set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
alter table conversations set (autovacuum_vacuum_scale_factor = 0.02);
alter table conversation_members set (autovacuum_vacuum_scale_factor = 0.02);
alter table standings set (autovacuum_vacuum_scale_factor = 0.02);
alter table candidates set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table notifications set (autovacuum_vacuum_scale_factor = 0.05);
alter table messages set (autovacuum_vacuum_insert_scale_factor = 0.05);
alter table decisions set (autovacuum_vacuum_insert_scale_factor = 0.05);
