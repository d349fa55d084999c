-- Records consent, unless it is given already. The version is that of the text the person was shown.
create or replace function grant_consent(p_user uuid, p_purpose text, p_at timestamptz) returns void language sql as $$
  insert into consents (user_id, purpose, version, granted_at) values (p_user, p_purpose, '1', p_at) on conflict do nothing
$$;
create or replace function withdraw_consent(p_user uuid, p_purpose text, p_at timestamptz) returns void language sql as $$
  update consents set withdrawn_at = greatest(granted_at, p_at)
    where user_id = p_user and purpose = p_purpose and withdrawn_at is null
$$;

-- Whether wishes about others tell of a faith of one's own.
create or replace function wants_diet_of_faith(preferences jsonb) returns boolean language sql immutable as $$
  select coalesce(preferences -> 'diet' -> 'accepts' ?| array['halal', 'kosher'], false)
$$;

-- Whether a profile says anything that needs consent of its own.
create or replace function tells_sensitive(p profiles) returns boolean language sql immutable as $$
  select p.gender is not null or p.gender_text <> '' or p.pronouns <> '' or cardinality(p.interested_in) > 0
    or p.faith is not null or p.diet in ('halal', 'kosher') or wants_diet_of_faith(p.preferences)
$$;
-- The same of a sheet of answers. The numbers are the places of the contract's `sensitiveQuestions` in its catalogue.
create or replace function answers_sensitive(sheet bytea) returns boolean language sql immutable as $$
  select coalesce(bool_or(get_byte(sheet, 2 * place) & 7 > 0), false) from unnest(array[15, 16, 32]) place
  where octet_length(sheet) > 2 * place
$$;

-- All new profiles of a statement together: tests insert thousands at a time.
create or replace function note_newcomers() returns trigger language plpgsql as $$
begin
  insert into consents (user_id, purpose, version, granted_at)
    select p.user_id, purpose, '1', p.created_at from profiles p
    cross join lateral (values ('terms', true), ('sensitive', tells_sensitive(p)), ('learning', p.learn_from_me)) as said (purpose, given)
    where given and p.user_id in (select user_id from inserted)
    on conflict do nothing;
  return null;
end $$;
create or replace trigger newcomers_agree after insert on profiles referencing new table as inserted
  for each statement execute function note_newcomers();

create or replace function note_changed_consents() returns trigger language plpgsql as $$
declare v_at timestamptz := greatest(new.created_at, new.last_active_at);
begin
  if tells_sensitive(new) then perform grant_consent(new.user_id, 'sensitive', v_at); end if;
  if new.learn_from_me then
    perform grant_consent(new.user_id, 'learning', v_at);
  else
    perform withdraw_consent(new.user_id, 'learning', v_at);
  end if;
  return null;
end $$;
create or replace trigger changes_agree
  after update of gender, gender_text, pronouns, interested_in, faith, diet, preferences, learn_from_me on profiles for each row
  when ((old.gender, old.gender_text, old.pronouns, old.interested_in, old.faith, old.diet, old.preferences, old.learn_from_me)
    is distinct from
    (new.gender, new.gender_text, new.pronouns, new.interested_in, new.faith, new.diet, new.preferences, new.learn_from_me))
  execute function note_changed_consents();

create or replace function note_answered() returns trigger language plpgsql as $$
begin
  perform grant_consent(new.user_id, 'sensitive', coalesce(
    (select greatest(created_at, last_active_at) from profiles where user_id = new.user_id), statement_timestamp()));
  return null;
end $$;
create or replace trigger answers_agree after insert or update of sheet on answer_sheets for each row
  when (answers_sensitive(new.sheet)) execute function note_answered();

create or replace function note_located() returns trigger language plpgsql as $$
begin
  insert into consents (user_id, purpose, version, granted_at)
    select user_id, 'location', '1', coalesce(published_at, statement_timestamp()) from inserted on conflict do nothing;
  return null;
end $$;
create or replace trigger places_agree after insert on locations referencing new table as inserted
  for each statement execute function note_located();

create or replace function consent_stays() returns trigger language plpgsql as $$
begin
  if old.withdrawn_at is not null or (new.id, new.user_id, new.purpose, new.version, new.granted_at)
      is distinct from (old.id, old.user_id, old.purpose, old.version, old.granted_at) then
    raise exception 'what was agreed to stays as it was' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create or replace trigger consent_stays before update on consents for each row execute function consent_stays();
