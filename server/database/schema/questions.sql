-- Answers to the compatibility questions: two bytes per question, in the order of the catalogue. The first byte holds the
-- choice from 1 (0: no answer) and, from bit 4 on, how much it matters; the second has a bit for each choice this person
-- accepts. Questions after the last answer may be missing.
create table answer_sheets (
  user_id uuid primary key references accounts on delete cascade,
  sheet bytea not null check (octet_length(sheet) % 2 = 0 and octet_length(sheet) <= 1024)
);
