-- Addresses of people are confirmed by a code before they are called.
set local lock_timeout = '5s';

-- How and when an address was confirmed; null: it was not, and is not called. The defaults are for the rows that exist and
-- for servers of the last release, which let only administrators write media.
alter table user_media
  add column confirmed_by text default 'administrator' check (confirmed_by in ('code', 'administrator')),
  add column confirmed_at timestamptz default now(),
  add check ((confirmed_by is null) = (confirmed_at is null));

-- Whether the addresses that administrators write need a code, too.
alter table tenants add column confirm_addresses boolean not null default false;

-- The codes that were sent to addresses. A code is computed from its row with a key that is not in the database. The last
-- row of an address is valid; the rows of a day limit the number of codes.
create sequence address_code_ids;
grant usage on sequence address_code_ids to tocsin_app;
create table address_codes (
  tenant_id   bigint      not null,
  id          bigint      not null default nextval('address_code_ids'),
  user_id     bigint      not null,
  kind        text        not null,
  address     text        not null,
  sent_at     timestamptz not null,
  wrong_tries integer     not null default 0,
  used_at     timestamptz, -- a code confirms an address once
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index address_codes_user on address_codes (tenant_id, user_id, sent_at);
create index address_codes_address on address_codes (tenant_id, address, sent_at);
call protect_tenant_table('address_codes');
grant select, insert, update, delete on address_codes to tocsin_app;
