-- Who a user is to an outside issuer: the `iss` and `sub` of its tokens, which no user can change, as names and mail addresses
-- can be. Which issuers may vouch for users of a tenant is in the settings of the server.
create table user_identities (
  tenant_id bigint not null,
  issuer    text   not null,
  subject   text   not null,
  user_id   bigint not null,
  primary key (tenant_id, issuer, subject),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index user_identities_user on user_identities (tenant_id, user_id);
call protect_tenant_table('user_identities');
grant select, insert, delete on user_identities to tocsin_app;
