-- What the review says of photos that others see. A start writes PHOTO_REVIEW into the settings.
create or replace function shown_states() returns text[] language sql stable parallel safe as $$
  select case when exists (select from settings where key = 'photoReview' and value = '"before"')
    then array['approved'] else array['approved', 'pending'] end
$$;
