-- People who come back are compared with these.
drop index concurrently if exists accounts_closed;
create index concurrently accounts_closed on accounts (id) where standing in ('suspended', 'banned');
drop index concurrently if exists photo_prints_print;
create index concurrently photo_prints_print on photo_prints (print);
drop index concurrently if exists accounts_banned;
