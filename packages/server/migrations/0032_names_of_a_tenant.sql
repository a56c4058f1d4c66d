-- A user name belongs to its tenant: that another tenant has it too is nobody's business.

alter table logins drop constraint logins_pkey;
alter table logins add primary key (tenant_id, username_key);
-- Since when the user has the name: of several tenants' users the one who had it first logs in with the name alone.
alter table logins add column named_at timestamptz not null default clock_timestamp();
create index logins_username on logins (username_key, named_at, tenant_id);
create index tenants_name on tenants (lower(name));

-- From what was typed to the user, and to the name that failures are counted under. `name@tenant`, with the name or the number of the
-- tenant, comes first, so that nobody can take it from its tenant by a user name that looks like it. Otherwise it is the whole name, of
-- the user who had it first. The name that is counted under does not depend on which users there are: it would tell of them.
drop function find_login(text);
create function find_login(wanted text) returns table (counted_name text, tenant_id bigint, user_id bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    with typed as (select lower(wanted) as name),
    -- Both a user name and a tenant's name may contain an @.
    split as (
      select left(typed.name, i - 1) as name, substr(typed.name, i + 1) as tenant
      from typed, generate_series(2, length(typed.name) - 1) i
      where substr(typed.name, i, 1) = '@'
    ),
    qualified as (
      select t.id, s.name from split s join tenants t on lower(t.name) = s.tenant
      union
      select t.id, s.name from split s
        join tenants t on t.id = case when s.tenant ~ '^[1-9][0-9]{0,9}$' then s.tenant::bigint end
    ),
    found as (
      select 1 as place, l.tenant_id, l.user_id, l.named_at
      from qualified q join logins l on l.tenant_id = q.id and l.username_key = q.name
      union all
      (select 2, l.tenant_id, l.user_id, l.named_at from typed join logins l on l.username_key = typed.name
        order by l.named_at, l.tenant_id limit 1)
    ),
    chosen as (
      select min(f.tenant_id) as tenant_id, min(f.user_id) as user_id from found f
      where f.place = (select min(place) from found)
      having count(*) = 1
    )
    select case when (select count(*) from qualified) = 1 then (select q.name || chr(31) || q.id from qualified q) else typed.name end,
      c.tenant_id, c.user_id
    from typed left join chosen c on true
  $$;
alter function find_login(text) owner to tocsin_steward;
revoke all on function find_login(text) from public;
grant execute on function find_login(text) to tocsin_app;
