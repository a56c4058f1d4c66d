-- What servers ask again and again while clients are connected to their hubs: one question for all tenants at once.

create policy steward_reads on heads for select to tocsin_steward using (true);
grant select (tenant_id, seq) on heads to tocsin_steward;

-- How far the journals of these tenants have got.
create function journal_ends(wanted bigint[]) returns table (tenant_id bigint, seq bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$ select h.tenant_id, h.seq from heads h where h.tenant_id = any (wanted) $$;
alter function journal_ends(bigint[]) owner to tocsin_steward;
revoke all on function journal_ends(bigint[]) from public;
grant execute on function journal_ends(bigint[]) to tocsin_app;

create policy steward_reads on users for select to tocsin_steward using (true);
grant select (tenant_id, id, role, station_ids, enabled) on users to tocsin_steward;
create policy steward_reads on sessions for select to tocsin_steward using (true);
grant select (tenant_id, id, user_id, expires_at, revoked_at) on sessions to tocsin_steward;
create policy steward_reads on api_keys for select to tocsin_steward using (true);
grant select (tenant_id, id, role, station_ids, expires_at, revoked_at) on api_keys to tocsin_steward;

-- What each of these may do now. A session or a key is named where the token was one of it, else a user; an answer is
-- missing where a token would be refused. `place` is that in the arrays, from 1.
create function standing_of(tenants bigint[], sessions_named uuid[], keys_named bigint[], users_named bigint[],
    at timestamptz)
  returns table (place bigint, role text, station_ids bigint[])
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select w.place, coalesce(u.role, k.role), coalesce(u.station_ids, k.station_ids)
    from unnest(tenants, sessions_named, keys_named, users_named)
      with ordinality as w(tenant_id, session_id, key_id, user_id, place)
    left join sessions s on s.tenant_id = w.tenant_id and s.id = w.session_id
      and s.revoked_at is null and s.expires_at > at
    left join api_keys k on k.tenant_id = w.tenant_id and k.id = w.key_id
      and k.revoked_at is null and (k.expires_at is null or k.expires_at > at)
    left join users u on u.tenant_id = w.tenant_id and u.enabled
      and u.id = case when w.session_id is null then w.user_id else s.user_id end
    where k.id is not null or u.id is not null
  $$;
alter function standing_of(bigint[], uuid[], bigint[], bigint[], timestamptz) owner to tocsin_steward;
revoke all on function standing_of(bigint[], uuid[], bigint[], bigint[], timestamptz) from public;
grant execute on function standing_of(bigint[], uuid[], bigint[], bigint[], timestamptz) to tocsin_app;

-- What seals the tokens of hub connections, the same for all servers of the installation.
create table hub_secrets (
  secret     text        primary key,
  created_at timestamptz not null
);
grant select, insert on hub_secrets to tocsin_app;
