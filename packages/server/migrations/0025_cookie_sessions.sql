-- Browsers keep the refresh token in a cookie that scripts cannot read. Several tabs share it, and may refresh at once.
set local lock_timeout = '5s';

alter table refresh_tokens
  add column in_cookie boolean not null default false,
  -- Refreshes since the log-in. Tabs that refresh at once get tokens of the same generation.
  add column generation integer not null default 0;
