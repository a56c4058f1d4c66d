-- Calls asked for through the interface, and every try to reach a person for them.

create table calls (
  tenant_id    bigint      not null references tenants (id),
  id           bigint      not null,
  kind         text        not null check (kind in ('users', 'groups')),
  message      text        not null,
  number       bigint      not null, -- numeric short message; 0 for none
  audio        text        not null, -- name in the media library; empty for none
  file         text        not null,
  requested_by text        not null,
  requested_at timestamptz not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('calls');

-- One try to reach one person. A queued one is a duty that nobody has taken up yet.
create table call_attempts (
  tenant_id       bigint      not null,
  id              bigint      not null,
  call_id         bigint      not null,
  tag_id          bigint,     -- the alarm it is about
  call_group_id   bigint,
  station_id      bigint,     -- whose time zone its times are shown in
  user_id         bigint      not null,
  user_name       text        not null,
  medium          text        not null,
  address         text        not null,
  message         text        not null,
  attempt         integer     not null,
  status          text        not null check (status in ('Queued', 'Calling', 'Delivered', 'Acknowledged', 'NoAnswer',
                                                         'Busy', 'Rejected', 'Failed', 'Cancelled')),
  reason          text        not null,
  started_at      timestamptz not null,
  ended_at        timestamptz,
  acknowledged_at timestamptz,
  search_text     text        not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index call_attempts_call on call_attempts (tenant_id, call_id);
create index call_attempts_user on call_attempts (tenant_id, user_id, id);
create index call_attempts_queued on call_attempts (started_at) where status = 'Queued';
call protect_tenant_table('call_attempts');

grant select, insert, update on calls, call_attempts to tocsin_app;
