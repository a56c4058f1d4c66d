-- Whether the definition of a tag is by somebody whom nobody gave its place: neither bound to it nor a holder of
-- `alarms:define`. It yields to the first who has either.
alter table tags add column provisional boolean not null default false;

do $$
declare
  tenant bigint;
begin
  for tenant in select tenant_ids() loop
    perform set_config('tocsin.tenant', tenant::text, true);
    update tags t set provisional = true
    where t.tenant_id = tenant and t.created_by is not null
      and not exists (
        select from api_keys k where k.tenant_id = tenant and t.created_by = 'key:' || k.id
          and (k.data_server_ids <> '{}' or k.path_prefixes <> '{}' or k.role in ('engineer', 'admin')))
      and not exists (
        select from users u where u.tenant_id = tenant and t.created_by = 'user:' || u.id
          and u.role in ('engineer', 'admin'));
  end loop;
  perform set_config('tocsin.tenant', '', true);
end $$;
