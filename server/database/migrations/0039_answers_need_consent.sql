-- Answers that tell of faith, politics or sex, and wishes for a diet of faith, were kept without the consent they need. Where
-- their person hasn't given it, they go; answering again gives it.
-- Rolling update: only people without the consent have such rows, and those are few.
update answer_sheets s set sheet = (
    select coalesce(string_agg(case when place in (15, 16, 32) then '\x0000' else substring(sheet from 2 * place + 1 for 2) end,
      ''::bytea order by place), '') from generate_series(0, octet_length(sheet) / 2 - 1) place)
  where octet_length(sheet) > 30 and not exists (
    select from consents c where c.user_id = s.user_id and c.purpose = 'sensitive' and c.withdrawn_at is null);
-- Rolling update: as above.
update profiles p set preferences = preferences - 'diet'
  where preferences -> 'diet' -> 'accepts' ?| array['halal', 'kosher'] and not exists (
    select from consents c where c.user_id = p.user_id and c.purpose = 'sensitive' and c.withdrawn_at is null);
