/*
 * A role for reports of operators: how many, when and how it ended. No names, words, addresses, places, files, codes or
 * tokens, and no ids, so that nothing can be put together again. It cannot sign in by itself; accounts are put into it.
 */
do $$ begin
  create role duet_reader nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to duet_reader;

grant select (created_at, standing, standing_until, erase_at, is_super_admin) on accounts to duet_reader;
grant select (created_at, last_seen_at, expires_at) on sessions to duet_reader;
grant select (created_at, hidden, verified) on profiles to duet_reader;
grant select (created_at, reviewed_at, state) on photos to duet_reader;
grant select (created_at, last_message_at, last_seq) on conversations to duet_reader;
grant select (created_at, edited_at, deleted_at) on messages to duet_reader;
grant select (kind, created_at) on attachments to duet_reader;
grant select (decision, decided_at) on decisions to duet_reader;
grant select (matched_at, ended_at) on matches to duet_reader;
grant select (created_at) on blocks to duet_reader;
grant select (kind, created_at, read) on notifications to duet_reader;
grant select (reason, severity, state, outcome, false_report, created_at, decided_at) on reports to duet_reader;
grant select (kind, ground, automated, created_at, ends_at, lifted_at, lifted_as) on sanctions to duet_reader;
grant select (state, created_at, decided_at) on appeals to duet_reader;
grant select (kind, state, outcome, created_at, decided_at) on reviews to duet_reader;
grant select (state, reason, asked_at, submitted_at, decided_at) on verifications to duet_reader;
grant select (purpose, version, granted_at, withdrawn_at) on consents to duet_reader;
grant select (at, action) on audit_log to duet_reader;
grant select (erased_at) on deletion_ledger to duet_reader;
grant select (version, trained_at, active, metrics) on models to duet_reader;

-- How often somebody tried is counted by the owner; the application only forgets what is over.
revoke insert, update on rate_limits from duet_app;
