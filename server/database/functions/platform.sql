/*
 * Adds a job within the caller's transaction: a decision and the email about it are saved together or not at all. The
 * application role has no rights on the tables of jobs, so this runs as the owner.
 */
create or replace function add_job(p_task text, p_payload json, p_key text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform graphile_worker.add_job(p_task, payload => p_payload, job_key => p_key, max_attempts => 5);
end $$;
revoke execute on function add_job from public;
grant execute on function add_job to duet_app;
