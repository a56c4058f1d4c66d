-- An API key belongs to a user, who made it directly or through another key, and stops with that user. It may be bound to
-- data servers and to paths, and may take over the tags of a key that it replaces.
alter table api_keys
  add column owner_id        bigint, -- null: made before owners were noted, by somebody who is gone or disabled
  add column data_server_ids bigint[] not null default '{}',
  add column path_prefixes   text[]   not null default '{}',
  add column tags_of_key_id  bigint; -- the first of the keys that it replaces, one after the other

-- Keys whose maker is gone or disabled already get no owner: an upgrade must not cut off machines that send alarms.
do $$
declare
  tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    with recursive made as (
      select k.id, u.id as owner_id from api_keys k
      join users u on u.tenant_id = tenant and k.created_by = 'user:' || u.id and u.enabled
      where k.tenant_id = tenant
      union
      select k.id, m.owner_id from api_keys k join made m on k.created_by = 'key:' || m.id
      where k.tenant_id = tenant
    )
    update api_keys k set owner_id = made.owner_id from made where k.tenant_id = tenant and k.id = made.id;
  end loop;
  perform set_config('tocsin.tenant', '', true);
end $$;

grant select (owner_id) on api_keys to tocsin_steward;

-- As before; and no key outlives its owner.
create or replace function standing_of(tenants bigint[], sessions_named uuid[], keys_named bigint[], users_named bigint[],
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
      and (k.owner_id is null or exists
        (select from users o where o.tenant_id = w.tenant_id and o.id = k.owner_id and o.enabled))
    left join users u on u.tenant_id = w.tenant_id and u.enabled
      and u.id = case when w.session_id is null then w.user_id else s.user_id end
    where k.id is not null or u.id is not null
  $$;
