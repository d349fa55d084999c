-- `claimed_until`: a process pushes or mails the notification until then. If it hasn't noted by then that it did, another
-- one may. `first_at`: when the first of the notifications happened that this one took the place of, null for the first.
alter table notifications add column claimed_until timestamptz, add column first_at timestamptz;
