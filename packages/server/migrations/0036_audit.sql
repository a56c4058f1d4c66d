-- The audit trail: who changed what, who logged in and who was refused, per tenant. Rows are only ever appended, and each is
-- hashed together with the hash of the row before it, so that a changed, removed, inserted or reordered row is found later.
create table audit_entries (
  tenant_id   bigint      not null references tenants (id),
  number      bigint      not null check (number > 0), -- 1, 2, 3 … without a gap
  at          timestamptz not null,
  action      text        not null,
  actor       text        not null, -- kind:id, as in `entry`
  object_kind text        not null,
  object_id   text        not null,
  entry       text        not null, -- canonical JSON: what is hashed and shown. The columns above only serve to find it.
  hash        bytea       not null,
  primary key (tenant_id, number)
);
call protect_tenant_table('audit_entries');
create index audit_entries_at on audit_entries (tenant_id, at);
create index audit_entries_actor on audit_entries (tenant_id, actor, number);
create index audit_entries_object on audit_entries (tenant_id, object_kind, object_id, number);
grant select, insert on audit_entries to tocsin_app;

-- Holds for the owner of the table too: rows leave only through forget_audit_entries.
create function keep_audit_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('tocsin.forget_audit', true) = 'on' then return old; end if;
  raise exception 'audit entries are neither changed nor removed' using errcode = '42501';
end
$$;
create trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function keep_audit_entries();
create trigger audit_entries_stay_all before truncate on audit_entries
  for each statement execute function keep_audit_entries();

-- Appends entries of the current tenant, in order. The hash of each is SHA-256 over the hash before it (32 zero bytes for the
-- first), its number as 8 bytes, and its text. Appends of one tenant wait for each other until they commit: call it last.
create function append_audit(entries text[], ats timestamptz[], actions text[], actors text[], kinds text[], ids text[])
  returns void language plpgsql volatile as $$
declare last_number bigint; last_hash bytea; place integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', current_tenant()));
  -- A statement of its own: it sees what was committed while the lock was waited for.
  select number, hash into last_number, last_hash from audit_entries
  where tenant_id = current_tenant() order by number desc limit 1;
  last_number := coalesce(last_number, 0);
  last_hash := coalesce(last_hash, decode(repeat('00', 32), 'hex'));
  for place in 1 .. cardinality(entries) loop
    last_number := last_number + 1;
    last_hash := sha256(last_hash || int8send(last_number) || convert_to(entries[place], 'UTF8'));
    insert into audit_entries (tenant_id, number, at, action, actor, object_kind, object_id, entry, hash)
    values (current_tenant(), last_number, ats[place], actions[place], actors[place], kinds[place], ids[place],
      entries[place], last_hash);
  end loop;
end
$$;

-- Removes the oldest entries of the current tenant, `wanted` at most, that were written before `before`. Never the newest entry,
-- and never one of the last year, whatever it is asked. Answers the last one removed, for the entry that must tell of it.
create function forget_audit_entries(before timestamptz, wanted integer) returns table (number bigint, hash bytea)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare through_number bigint; through_hash bytea;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', current_tenant()));
  select e.number, e.hash into through_number, through_hash from (
    select a.number, a.hash, bool_and(a.at < least(before, now() - interval '1 year')) over (order by a.number) as is_old
    from (
      select x.number, x.hash, x.at from audit_entries x
      where x.tenant_id = current_tenant()
        and x.number < (select max(b.number) from audit_entries b where b.tenant_id = current_tenant())
      order by x.number limit wanted) a) e
  where e.is_old order by e.number desc limit 1;
  if through_number is null then return; end if;
  perform set_config('tocsin.forget_audit', 'on', true);
  delete from audit_entries a where a.tenant_id = current_tenant() and a.number <= through_number;
  perform set_config('tocsin.forget_audit', '', true);
  return query select through_number, through_hash;
end
$$;
revoke all on function forget_audit_entries(timestamptz, integer) from public;
grant execute on function forget_audit_entries(timestamptz, integer) to tocsin_app;

-- The newest entry of each tenant: what is signed and published.
create policy steward_reads on audit_entries for select to tocsin_steward using (true);
grant select (tenant_id, number, hash) on audit_entries to tocsin_steward;
create function audit_ends() returns table (tenant_id bigint, number bigint, hash bytea)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id, e.number, e.hash from tenants t cross join lateral (
      select a.number, a.hash from audit_entries a where a.tenant_id = t.id order by a.number desc limit 1) e
    order by t.id
  $$;
alter function audit_ends() owner to tocsin_steward;
revoke all on function audit_ends() from public;
grant execute on function audit_ends() to tocsin_app;
