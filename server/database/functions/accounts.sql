-- Whether a person is signed in anywhere: addresses of files stop working with the last session.
create or replace function is_signed_in(p_user uuid, p_now timestamptz) returns boolean language sql stable as $$
  select exists (select from sessions where user_id = p_user and expires_at > p_now and idle_expires_at > p_now)
$$;

-- People who are suspended, banned, unseen or about to be erased are hidden from others.
create or replace function account_moved() returns trigger language plpgsql as $$
begin
  update profiles set hidden = new.standing in ('suspended', 'banned') or new.erase_at is not null or new.unseen
    where user_id = new.id;
  return null;
end $$;
create or replace trigger account_moved after update of standing, erase_at, unseen on accounts for each row
  when ((old.standing, old.erase_at, old.unseen) is distinct from (new.standing, new.erase_at, new.unseen))
  execute function account_moved();

-- A changed name has no folded form until the server writes one. Also for names that an older version changes.
create or replace function unfold_name() returns trigger language plpgsql as $$
begin
  new.folded_name := null;
  return new;
end $$;
create or replace trigger unfold_name before update of name on profiles for each row
  when (old.name is distinct from new.name) execute function unfold_name();

-- Every process is told about an ended session and closes its sockets. Sessions that expired are not announced: each node
-- ends those connections itself.
create or replace function notify_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end $$;
create or replace trigger session_ended after delete on sessions for each row
  when (old.idle_expires_at > now()) execute function notify_session_ended();
