-- The search ignores invisible characters in names, so that they can't hide a person from it.
drop index concurrently if exists profiles_visible_name;
create index concurrently profiles_visible_name on profiles (lower(regexp_replace(name,
  '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
  '', 'g')) text_pattern_ops);
drop index concurrently if exists profiles_name;
