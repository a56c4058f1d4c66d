-- The ways out to people: which provider serves which medium, and in which order.

create table channels (
  tenant_id   bigint      not null references tenants (id),
  id          bigint      not null,
  name        text        not null,
  search_text text        not null,
  kind        text        not null, -- a name in the server's registry of channels
  medium      text        not null check (medium in ('Voice', 'Sms', 'Email', 'Push', 'Webhook', 'Pager')),
  priority    integer     not null, -- the lowest of a medium is tried first
  enabled     boolean     not null,
  settings    jsonb       not null, -- without its secrets
  secrets     bytea,                -- JSON of the secret settings, sealed with a key that is not in the database
  version     integer     not null default 1,
  last_change timestamptz not null,
  primary key (tenant_id, id)
);
create index channels_medium on channels (tenant_id, medium, priority, id);
call protect_tenant_table('channels');

grant select, insert, update, delete on channels to tocsin_app;
