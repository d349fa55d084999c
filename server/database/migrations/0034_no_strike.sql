-- Whether a sanction weighs in later decisions. A photo that a review rejects doesn't.
alter table sanctions add column is_strike boolean not null default true;
