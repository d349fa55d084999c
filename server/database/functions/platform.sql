/*
 * Adds a job within the caller's transaction: a decision and the email about it are saved together or not at all. A job that
 * fails is retried for almost four days, so that an email outlives an outage of the mail server. The application role has no
 * rights on the tables of jobs, so this runs as the owner. A job is flagged with its task: a node skips flags of tasks of
 * which it does enough at once.
 */
create or replace function add_job(p_task text, p_payload json, p_key text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(p_task, payload => p_payload, job_key => p_key, max_attempts => 25,
    flags => array[p_task]);
end $$;
revoke execute on function add_job from public;
grant execute on function add_job to duet_app;

/*
 * The same in a while, in the line of `p_queue`, of which one job is done at a time. With a key that waits already nothing
 * changes, not even when.
 */
create or replace function add_job_later(p_task text, p_payload json, p_key text, p_queue text, p_in interval) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(p_task, payload => p_payload, queue_name => p_queue, run_at => now() + p_in,
    job_key => p_key, job_key_mode => 'preserve_run_at', max_attempts => 5, flags => array[p_task]);
end $$;
revoke execute on function add_job_later from public;
grant execute on function add_job_later to duet_app;
