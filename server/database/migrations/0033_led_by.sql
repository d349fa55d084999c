-- The administrators whose decisions led to an automatic one: none of them answers the appeal against it.
alter table sanctions add column led_by uuid[] not null default '{}';

-- Rolling update: restrictions for false reports are few, and nothing else writes the rows of old ones.
update sanctions s set led_by = array(
    select distinct r.decided_by from reports r where r.reporter_id = s.user_id and r.false_report
      and r.decided_by is not null and r.decided_at <= s.created_at)
  where s.ground = 'false_reports' and s.decided_by is null;
