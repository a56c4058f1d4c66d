-- The signed heads of audit trails that were published. A trail that was rewritten with new hashes does not match them, and
-- they cannot be signed anew without the key, which is sealed.
set local lock_timeout = '5s';

create table audit_heads (
  tenant_id bigint      not null references tenants (id),
  number    bigint      not null check (number > 0), -- of the entry that was the newest
  hash      bytea       not null,
  at        timestamptz not null,
  key_id    text        not null,
  signature text        not null, -- base64
  primary key (tenant_id, number)
);
call protect_tenant_table('audit_heads');
grant select, insert, delete on audit_heads to tocsin_app;
