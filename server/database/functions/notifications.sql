/*
 * When the quiet hours end that someone is in at a moment, null outside of them: from a minute of the day to another one in
 * a time zone, through midnight where the first is the later. Clocks that are changed meanwhile are the database's to know.
 */
create or replace function quiet_until(p_now timestamptz, p_zone text, p_from smallint, p_to smallint) returns timestamptz
language sql stable as $$
  select case
    when p_from < p_to and minute >= p_from and minute < p_to
      or p_from > p_to and minute < p_to then midnight + p_to * interval '1 minute'
    when p_from > p_to and minute >= p_from then midnight + interval '1 day' + p_to * interval '1 minute'
  end at time zone p_zone
  from (select date_trunc('day', p_now at time zone p_zone) as midnight,
    extract(hour from p_now at time zone p_zone) * 60 + extract(minute from p_now at time zone p_zone) as minute) own
$$;
