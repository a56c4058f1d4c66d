-- People see where they are signed in, and end what is not theirs.
set local lock_timeout = '5s';

alter table sessions
  -- The program and the address of the log-in, as it reported them; empty before this migration.
  add column device text not null default '',
  add column address text not null default '';
