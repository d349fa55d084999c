-- The application connects as the owner and works as duet_app, which can neither change tables nor make an administrator.
do $$ begin
  create role duet_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant duet_app to %I', current_user);
exception when unique_violation then null;
end $$;
grant usage on schema public to duet_app;
alter default privileges in schema public grant select, insert, update, delete on tables to duet_app;

/*
 * A role for operators' reports: how many, when, and with what outcome. It reads no names, texts, addresses, places,
 * files, codes, tokens or ids, so nothing can be traced back to a person. It cannot sign in; operators grant it to an
 * account.
 */
do $$ begin
  create role duet_reader nologin;
exception when duplicate_object or unique_violation then null;
end $$;
grant usage on schema public to duet_reader;
