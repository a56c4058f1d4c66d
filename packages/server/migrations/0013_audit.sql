-- The audit trail: changes, log-ins and refusals per tenant. Rows are only appended, and each is hashed together with the
-- hash of the previous row, so that changed, removed, inserted or reordered rows are detected.

create table audit_entries (
  tenant_id   bigint      not null references tenants (id),
  number      bigint      not null check (number > 0), -- 1, 2, 3 … without gaps
  at          timestamptz not null,
  action      text        not null,
  actor       text        not null, -- kind:id, as in `entry`
  object_kind text        not null,
  object_id   text        not null,
  entry       text        not null, -- canonical JSON, hashed and shown; the columns above only serve to find it
  hash        bytea       not null,
  primary key (tenant_id, number)
);
create index audit_entries_at on audit_entries (tenant_id, at);
create index audit_entries_actor on audit_entries (tenant_id, actor, number);
create index audit_entries_object on audit_entries (tenant_id, object_kind, object_id, number);
call protect_tenant_table('audit_entries');
grant select, insert on audit_entries to tocsin_app;

create policy cross_tenant_reads on audit_entries for select to tocsin_cross_tenant using (true);
grant select (tenant_id, number, hash) on audit_entries to tocsin_cross_tenant;

-- Refuses changes by the owner of the table too. Only delete_audit_entries deletes rows.
create function refuse_audit_changes() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('tocsin.delete_audit_entries', true) = 'on' then return old; end if;
  raise exception 'audit entries are neither changed nor removed' using errcode = '42501';
end
$$;
create trigger refuse_audit_changes before update or delete on audit_entries
  for each row execute function refuse_audit_changes();
create trigger refuse_audit_truncation before truncate on audit_entries
  for each statement execute function refuse_audit_changes();

-- Appends entries of the current tenant, in order. The hash of each is SHA-256 over the previous hash (32 zero bytes for
-- the first), its number as 8 bytes, and its text. Appends of one tenant wait for each other until they commit: call this
-- function last.
create function append_audit(entries text[], times timestamptz[], actions text[], actors text[], kinds text[], ids text[])
  returns void language plpgsql volatile as $$
declare last_number bigint; last_hash bytea; i integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', current_tenant()));
  -- A separate statement sees the rows that were committed while the lock was awaited.
  select number, hash into last_number, last_hash from audit_entries
  where tenant_id = current_tenant() order by number desc limit 1;
  last_number := coalesce(last_number, 0);
  last_hash := coalesce(last_hash, decode(repeat('00', 32), 'hex'));
  for i in 1 .. cardinality(entries) loop
    last_number := last_number + 1;
    last_hash := sha256(last_hash || int8send(last_number) || convert_to(entries[i], 'UTF8'));
    insert into audit_entries (tenant_id, number, at, action, actor, object_kind, object_id, entry, hash)
    values (current_tenant(), last_number, times[i], actions[i], actors[i], kinds[i], ids[i], entries[i], last_hash);
  end loop;
end
$$;

-- Deletes up to `max_count` of the current tenant's oldest entries from before `before`, but never the newest entry nor
-- one of the last year. Returns the last one deleted, for the entry that records the deletion.
create function delete_audit_entries(before timestamptz, max_count integer) returns table (number bigint, hash bytea)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare last_number bigint; last_hash bytea;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit', current_tenant()));
  select e.number, e.hash into last_number, last_hash from (
    select a.number, a.hash, bool_and(a.at < least(before, now() - interval '1 year')) over (order by a.number) as is_old
    from (
      select x.number, x.hash, x.at from audit_entries x
      where x.tenant_id = current_tenant()
        and x.number < (select max(b.number) from audit_entries b where b.tenant_id = current_tenant())
      order by x.number limit max_count) a) e
  where e.is_old order by e.number desc limit 1;
  if last_number is null then return; end if;
  perform set_config('tocsin.delete_audit_entries', 'on', true);
  delete from audit_entries a where a.tenant_id = current_tenant() and a.number <= last_number;
  perform set_config('tocsin.delete_audit_entries', '', true);
  return query select last_number, last_hash;
end
$$;
revoke all on function delete_audit_entries(timestamptz, integer) from public;
grant execute on function delete_audit_entries(timestamptz, integer) to tocsin_app;

-- Returns the newest entry of each tenant, to sign and publish it.
create function last_audit_entries() returns table (tenant_id bigint, number bigint, hash bytea)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select t.id, e.number, e.hash from tenants t cross join lateral (
      select a.number, a.hash from audit_entries a where a.tenant_id = t.id order by a.number desc limit 1) e
    order by t.id
  $$;
alter function last_audit_entries() owner to tocsin_cross_tenant;
revoke all on function last_audit_entries() from public;
grant execute on function last_audit_entries() to tocsin_app;

-- Ed25519 keys that sign the newest entries. The newest key signs. The public part of former keys is kept, to verify
-- their signatures; the private part is overwritten when it is sealed again, and when another key takes over.
create table audit_keys (
  key_id      text        primary key,
  public_key  text        not null, -- PEM
  private_key bytea       not null, -- PKCS #8 PEM, in clear or sealed
  is_sealed   boolean     not null,
  created_at  timestamptz not null
);
grant select, insert, update (private_key) on audit_keys to tocsin_app;
