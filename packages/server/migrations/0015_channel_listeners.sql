-- Incoming messages of providers: the listeners of channels, and the attempt of a provider's reference.
--
-- Some channels hold a connection that brings replies and receipts, such as an SMPP bind or an IMAP mailbox. One server at
-- a time holds it, under a lease of a few seconds that it renews. The row of a channel without a connection is parked:
-- its lease has no holder and ends much later.
create table channel_listeners (
  tenant_id       bigint      not null references tenants (id),
  channel_id      bigint      not null,
  channel_version integer     not null, -- the holder opens the channel again when it changes
  holder          text        not null default '', -- the server that listens; empty for none
  lease_until     timestamptz not null default '-infinity',
  fencing_token   bigint      not null default 0, -- rises with each lease
  failures        integer     not null default 0, -- of the connection, since it last worked
  primary key (tenant_id, channel_id)
) with (fillfactor = 70);
create index channel_listeners_lease on channel_listeners (lease_until);
call protect_tenant_table('channel_listeners');
grant select, insert, update, delete on channel_listeners to tocsin_app;

create policy cross_tenant_claims on channel_listeners to tocsin_cross_tenant using (true) with check (true);
grant select (tenant_id, channel_id, channel_version, holder, lease_until, fencing_token, failures),
  update (holder, lease_until, fencing_token) on channel_listeners to tocsin_cross_tenant;

insert into channel_listeners (tenant_id, channel_id, channel_version)
select tenant_id, id, version from channels;

-- Has a changed channel opened again. A server that holds the connection notices the version when it renews its lease, and
-- closes the connection before another one opens it.
create function track_channel_listener() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from channel_listeners where tenant_id = old.tenant_id and channel_id = old.id;
  else
    insert into channel_listeners as l (tenant_id, channel_id, channel_version)
    values (new.tenant_id, new.id, new.version)
    on conflict (tenant_id, channel_id) do update set channel_version = excluded.channel_version, failures = 0,
      lease_until = case when l.holder = '' then '-infinity' else l.lease_until end;
  end if;
  return null;
end
$$;
create trigger track_channel_listener after insert or update or delete on channels
  for each row execute function track_channel_listener();

-- Claims up to `max_count` channels that no server listens to, until `lease_end`.
create function claim_channel_listeners(max_count integer, at timestamptz, lease_end timestamptz, claimant text)
  returns table (tenant_id bigint, channel_id bigint, fencing_token bigint, channel_version integer, failures integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update channel_listeners l set lease_until = lease_end, holder = claimant, fencing_token = l.fencing_token + 1
    from (select x.tenant_id, x.channel_id from channel_listeners x where x.lease_until <= at
          order by x.lease_until limit max_count for update skip locked) free
    where l.tenant_id = free.tenant_id and l.channel_id = free.channel_id
    returning l.tenant_id, l.channel_id, l.fencing_token, l.channel_version, l.failures;
end
$$;
alter function claim_channel_listeners(integer, timestamptz, timestamptz, text) owner to tocsin_cross_tenant;
revoke all on function claim_channel_listeners(integer, timestamptz, timestamptz, text) from public;
grant execute on function claim_channel_listeners(integer, timestamptz, timestamptz, text) to tocsin_app;

-- Renews the leases that still have these fencing tokens until `lease_end`, and returns their channels' versions.
create function renew_channel_listeners(tenant_ids bigint[], channel_ids bigint[], tokens bigint[], lease_end timestamptz)
  returns table (tenant_id bigint, channel_id bigint, channel_version integer)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    update channel_listeners l set lease_until = lease_end
    from unnest(tenant_ids, channel_ids, tokens) as g(tenant_id, channel_id, token)
    where l.tenant_id = g.tenant_id and l.channel_id = g.channel_id and l.fencing_token = g.token
    returning l.tenant_id, l.channel_id, l.channel_version;
end
$$;
alter function renew_channel_listeners(bigint[], bigint[], bigint[], timestamptz) owner to tocsin_cross_tenant;
revoke all on function renew_channel_listeners(bigint[], bigint[], bigint[], timestamptz) from public;
grant execute on function renew_channel_listeners(bigint[], bigint[], bigint[], timestamptz) to tocsin_app;

-- Finds the attempt of a receipt that carries only the provider's reference.
create index call_attempts_reference on call_attempts (reference, tenant_id) where reference <> '';
